/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-file.h"

#include "ns3/collab-data-set-file.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size)
{
    using namespace ns3::collab;
    static const FuzzFile file("any.safetensors");
    for (const bool train : {true, false})
    {
        file.Try(bytes, size, [train](const std::string& path) {
            LoadDataSetFile(path, train, {0.5, 1})->Validate();
        });
    }
    return 0;
}
