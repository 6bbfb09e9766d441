/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-file.h"

#include "ns3/collab-safetensors-file.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size)
{
    using namespace ns3::collab;
    static const FuzzFile file("any.safetensors");
    file.Try(bytes, size, [](const std::string& path) {
        ReadSafetensors(path);
        ReadSafetensorsMetadata(path);
    });
    return 0;
}
