/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-targets.h"

#include "fuzz-file.h"

#include "ns3/collab-cifar-file.h"
#include "ns3/collab-csv-data-set.h"
#include "ns3/collab-data-set-file.h"
#include "ns3/collab-idx-file.h"
#include "ns3/collab-libsvm-file.h"
#include "ns3/collab-safetensors-file.h"

using namespace ns3::collab;

namespace
{

void
ReadCifar(const uint8_t* bytes, std::size_t size)
{
    static const FuzzFile file("test_batch.bin");
    file.Try(bytes, size, [](const std::string&) {
        LoadCifarDataSet(file.GetFolder(), CifarLabels::CIFAR10, false)->Validate();
    });
}

void
ReadCsv(const uint8_t* bytes, std::size_t size)
{
    static const FuzzFile file("housing.csv");
    file.Try(bytes, size, [](const std::string& path) {
        LoadCsvDataSet(path, GetCaliforniaHousingLayout())->Validate();
    });
}

void
ReadDataSetFile(const uint8_t* bytes, std::size_t size)
{
    static const FuzzFile file("any.safetensors");
    for (const bool train : {true, false})
    {
        file.Try(bytes, size, [train](const std::string& path) {
            LoadDataSetFile(path, train, {0.5, 1})->Validate();
        });
    }
}

void
ReadIdx(const uint8_t* bytes, std::size_t size)
{
    static const FuzzFile file("t10k-labels-idx1-ubyte");
    file.Try(bytes, size, [](const std::string& path) { ReadIdxFile(path); });
}

void
ReadLibsvm(const uint8_t* bytes, std::size_t size)
{
    static const FuzzFile file("usps");
    file.Try(bytes, size, [](const std::string& path) {
        LoadLibsvmDataSet(path, GetUspsLayout())->Validate();
    });
}

void
ReadWeights(const uint8_t* bytes, std::size_t size)
{
    static const FuzzFile file("any.safetensors");
    file.Try(bytes, size, [](const std::string& path) {
        ReadSafetensors(path);
        ReadSafetensorsMetadata(path);
    });
}

} // namespace

const std::map<std::string, FuzzTarget>&
GetFuzzTargets()
{
    static const std::map<std::string, FuzzTarget> targets = {
        {"cifar", ReadCifar},
        {"csv", ReadCsv},
        {"data-set-file", ReadDataSetFile},
        {"idx", ReadIdx},
        {"libsvm", ReadLibsvm},
        {"safetensors", ReadWeights},
    };
    return targets;
}

#ifdef COLLAB_FUZZ_TARGET
/// What libFuzzer calls
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size)
{
    GetFuzzTargets().at(COLLAB_FUZZ_TARGET)(bytes, size);
    return 0;
}
#endif
