/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The numbers that scripts of tests/reference compute, once per translation unit.
 */

#ifndef TESTS_LINK_REFERENCES_H
#define TESTS_LINK_REFERENCES_H

#include "wireless/link-models/combining-reference.h"
#include "wireless/link-models/link-reference.h"

#endif /* TESTS_LINK_REFERENCES_H */
