/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-data.h"

std::string
GetTestData(const std::string& name)
{
    return COLLAB_TEST_DATA_DIR "/" + name;
}
