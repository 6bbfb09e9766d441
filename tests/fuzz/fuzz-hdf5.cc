/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-file.h"

#include "ns3/collab-hdf5-data-set.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size)
{
    using namespace ns3::collab;
    static const FuzzFile file("RML2016.10a.h5");
    file.Try(bytes, size, [](const std::string& path) {
        LoadHdf5DataSet(path, GetRadiomlLayout())->Validate();
    });
    return 0;
}
