/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SIZE_H
#define COMMITTEE_SIZE_H

#include "committee-scenario.h"

/// @throws UserError if a committee of that size cannot agree, or if the training clients are too
/// few for the next committee; says which arguments would do, each with a value at which the run
/// starts
void CheckCommitteeSize(const CommitteeParameters& p);

#endif /* COMMITTEE_SIZE_H */
