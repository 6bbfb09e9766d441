/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-data-set-catalog.h"

#include "collab-generated-data-sets.h"
#include "collab-standardization.h"

#include "ns3/collab-cifar-file.h"
#include "ns3/collab-csv-data-set.h"
#include "ns3/collab-data-file.h"
#include "ns3/collab-hdf5-data-set.h"
#include "ns3/collab-idx-file.h"
#include "ns3/collab-leaf-file.h"
#include "ns3/collab-libsvm-file.h"
#include "ns3/collab-random.h"
#include "ns3/collab-svhn-file.h"
#include "ns3/collab-word-vectors.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/// Folders where packages of Debian put files, by the name of the set's folder.
const std::map<std::string, std::string> PACKAGED = {
    {"fashion-mnist", "/usr/share/datasets/fashion-mnist"},
    {"randhie", "/usr/lib/python3/dist-packages/statsmodels/datasets/randhie"},
};

/// What loads a data set, given its folder.
using Loader = std::function<std::shared_ptr<const DataSet>(const std::string& folder,
                                                            const DataSetOptions& options)>;

/// A known data set and what loads it.
struct CatalogEntry
{
    DataSetInfo info; //!< what is told about it
    Loader load;      //!< what loads it
};

/**
 * @param data all samples
 * @param options which part
 * @param training whether to take the training part
 * @return that part, drawn by a hash of the seed and the index
 */
DataSet
TakePart(const DataSet& data, const DataSetOptions& options, bool training)
{
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < data.Size(); ++i)
    {
        const double draw =
            static_cast<double>(SplitMix64(SplitMix64(options.seed) ^ i) >> 11) * 0x1p-53;
        if ((draw >= options.testFraction) == training)
        {
            indices.push_back(i);
        }
    }
    DataSet part = CopySamples(data, indices);
    part.name += training ? " train" : " test";
    return part;
}

/**
 * @param name of the set in EMNIST
 * @param firstLabel label in the files of class 0
 * @return the entry of that set
 */
CatalogEntry
MakeEmnist(const std::string& name, uint8_t firstLabel)
{
    const auto layoutOf = [name, firstLabel](bool train) {
        const char* part = train ? "train" : "test";
        IdxLayout layout;
        layout.name = fmt::format("emnist-{} {}", name, part);
        layout.images = fmt::format("emnist-{}-{}-images-idx3-ubyte", name, part);
        layout.labels = fmt::format("emnist-{}-{}-labels-idx1-ubyte", name, part);
        layout.transposed = true;
        layout.firstLabel = firstLabel;
        return layout;
    };
    CatalogEntry entry;
    entry.info.name = "emnist-" + name;
    entry.info.folder = entry.info.name;
    for (bool train : {true, false})
    {
        entry.info.files.push_back(layoutOf(train).images + ".gz");
        entry.info.files.push_back(layoutOf(train).labels + ".gz");
    }
    entry.load = [layoutOf](const std::string& folder, const DataSetOptions& options) {
        return LoadIdxDataSet(folder, layoutOf(options.train));
    };
    return entry;
}

/**
 * @param name of the set
 * @return the entry of a set in the layout of MNIST
 */
CatalogEntry
MakeMnist(const std::string& name)
{
    return {{name,
             name,
             {"train-images-idx3-ubyte.gz",
              "train-labels-idx1-ubyte.gz",
              "t10k-images-idx3-ubyte.gz",
              "t10k-labels-idx1-ubyte.gz"}},
            [](const std::string& folder, const DataSetOptions& options) {
                return LoadIdxDataSet(folder, options.train);
            }};
}

/**
 * @param name of the set
 * @param labels which to use
 * @return the entry of a set in the binary format of CIFAR
 */
CatalogEntry
MakeCifar(const std::string& name, CifarLabels labels)
{
    CatalogEntry entry;
    entry.info.name = name;
    entry.info.folder = labels == CifarLabels::CIFAR10 ? "cifar-10" : "cifar-100";
    entry.info.files = {"train.bin", "test.bin"};
    if (labels == CifarLabels::CIFAR10)
    {
        entry.info.files = {"data_batch_1.bin",
                            "data_batch_2.bin",
                            "data_batch_3.bin",
                            "data_batch_4.bin",
                            "data_batch_5.bin",
                            "test_batch.bin"};
    }
    entry.load = [labels](const std::string& folder, const DataSetOptions& options) {
        return LoadCifarDataSet(folder, labels, options.train);
    };
    return entry;
}

/**
 * @param folder of the data set
 * @param options which part
 * @return the tweets, with the tokens of the word vectors, and these, if there are some
 */
std::shared_ptr<const DataSet>
LoadSentiment140(const std::string& folder, const DataSetOptions& options)
{
    const std::filesystem::path root(folder);
    const std::string vectors = (root / "glove.6B.300d.txt").string();
    const std::string part = (root / (options.train ? "train" : "test")).string();
    if (!std::filesystem::exists(vectors))
    {
        return LoadLeafDataSet(part,
                               LeafTask::SENTIMENT140,
                               MakeLeafVocabulary((root / "train").string(), options.mostWords));
    }
    WordVectors words = LoadWordVectors(vectors, options.mostWords);
    auto data = LoadLeafDataSet(part, LeafTask::SENTIMENT140, words.vocabulary);
    data->tokenVectors = std::make_shared<const Matrix<float>>(std::move(words.vectors));
    return data;
}

/**
 * @param name of the set
 * @param task that it is
 * @return the entry of a set of LEAF
 */
CatalogEntry
MakeLeaf(const std::string& name, LeafTask task)
{
    CatalogEntry entry;
    entry.info = {name, name, {"train/*.json", "test/*.json"}};
    entry.load = [task](const std::string& folder, const DataSetOptions& options) {
        return task == LeafTask::SENTIMENT140
                   ? LoadSentiment140(folder, options)
                   : LoadLeafDataSet(folder + (options.train ? "/train" : "/test"), task);
    };
    return entry;
}

/**
 * @param file name of the table
 * @param layout which columns of it to use
 * @return the entry of a table for regression, whose parts are standardized
 */
CatalogEntry
MakeTable(const std::string& file, const CsvLayout& layout)
{
    CatalogEntry entry;
    entry.info = {layout.name, layout.name, {file}};
    entry.load = [file, layout](const std::string& folder, const DataSetOptions& options) {
        const auto all = LoadCsvDataSet(FindDataFile(folder, file), layout);
        const Standardization measured = MeasureFeatures(TakePart(*all, options, true));
        auto part = std::make_shared<DataSet>(TakePart(*all, options, options.train));
        Standardize(*part, measured);
        return part;
    };
    return entry;
}

/**
 * @param folder of the data set
 * @param options which part
 * @return one part, of mean 0 and standard deviation 1 over all its numbers
 */
std::shared_ptr<const DataSet>
LoadRadioml(const std::string& folder, const DataSetOptions& options)
{
    Hdf5Layout layout = GetRadiomlLayout();
    layout.leastFilter = options.leastSnr;
    const auto all = LoadHdf5DataSet(FindDataFile(folder, "RML2016.10a.h5"), layout);
    auto part = std::make_shared<DataSet>(TakePart(*all, options, options.train));
    DataSet numbers; // all numbers as one feature: I and Q keep their proportion
    numbers.kind = FeatureKind::NUMBERS;
    numbers.sampleShape = {1};
    numbers.numbers = TakePart(*all, options, true).numbers;
    const Standardization measured = MeasureFeatures(numbers);
    const std::size_t size = part->SampleSize();
    Standardize(*part,
                {std::vector<float>(size, measured.mean[0]),
                 std::vector<float>(size, measured.deviation[0])});
    return part;
}

/**
 * @param name of the set
 * @param generate makes all samples from a seed
 * @return the entry of a generated set
 */
CatalogEntry
MakeGenerated(const std::string& name,
              const std::function<std::shared_ptr<const DataSet>(uint64_t seed)>& generate)
{
    return {{name, "", {}}, [generate](const std::string&, const DataSetOptions& options) {
                return std::make_shared<const DataSet>(
                    TakePart(*generate(options.seed), options, options.train));
            }};
}

/// @return the sets that are read from files, not sorted
std::vector<CatalogEntry>
MakeFileEntries()
{
    std::vector<CatalogEntry> entries = {
        MakeMnist("mnist"),
        MakeMnist("fashion-mnist"),
        MakeCifar("cifar-10", CifarLabels::CIFAR10),
        MakeCifar("cifar-100", CifarLabels::CIFAR100_FINE),
        MakeCifar("cifar-100-coarse", CifarLabels::CIFAR100_COARSE),
        MakeLeaf("femnist", LeafTask::FEMNIST),
        MakeLeaf("sentiment140", LeafTask::SENTIMENT140),
        MakeLeaf("shakespeare", LeafTask::SHAKESPEARE),
        {{"svhn", "svhn", {"train_32x32.mat", "test_32x32.mat"}},
         [](const std::string& folder, const DataSetOptions& options) {
             return LoadSvhnDataSet(
                 FindDataFile(folder, options.train ? "train_32x32.mat" : "test_32x32.mat"));
         }},
        {{"usps", "usps", {"usps.bz2", "usps.t.bz2"}},
         [](const std::string& folder, const DataSetOptions& options) {
             return LoadLibsvmDataSet(FindDataFile(folder, options.train ? "usps" : "usps.t"),
                                      GetUspsLayout());
         }},
        MakeTable("housing.csv", GetCaliforniaHousingLayout()),
        MakeTable("randhie.csv", GetRandhieLayout()),
        {{"radioml-2016.10a", "radioml-2016.10a", {"RML2016.10a.h5"}}, LoadRadioml},
    };
    for (const char* name : {"balanced", "byclass", "bymerge", "digits", "mnist"})
    {
        entries.push_back(MakeEmnist(name, 0));
    }
    entries.push_back(MakeEmnist("letters", 1));
    return entries;
}

/// @return all known data sets
const std::vector<CatalogEntry>&
GetCatalog()
{
    static const std::vector<CatalogEntry> catalog = [] {
        std::vector<CatalogEntry> entries = MakeFileEntries();
        std::sort(entries.begin(), entries.end(), [](const auto& left, const auto& right) {
            return left.info.name < right.info.name;
        });
        entries.push_back(MakeGenerated("cubic-regression", [](uint64_t seed) {
            return GeneratePolynomial(PolynomialOptions(), seed);
        }));
        entries.push_back(MakeGenerated("gaussian-classes", [](uint64_t seed) {
            return GenerateGaussianClasses(GaussianClassesOptions(), seed);
        }));
        entries.push_back(MakeGenerated("linear-regression", [](uint64_t seed) {
            return GenerateLinearRegression(LinearRegressionOptions(), seed);
        }));
        entries.push_back(MakeGenerated("synthetic-writers", [](uint64_t seed) {
            return GenerateSyntheticWriters(SyntheticWritersOptions(), seed);
        }));
        return entries;
    }();
    return catalog;
}

/**
 * @param name of a data set
 * @return its entry
 * @throws std::invalid_argument if it is unknown
 */
const CatalogEntry&
FindEntry(const std::string& name)
{
    const auto& catalog = GetCatalog();
    const auto entry = std::find_if(catalog.begin(), catalog.end(), [&](const auto& candidate) {
        return candidate.info.name == name;
    });
    if (entry == catalog.end())
    {
        throw std::invalid_argument(fmt::format(
            "unknown data set '{}'; known are {}", name, fmt::join(GetDataSetNames(), ", ")));
    }
    return *entry;
}

} // namespace

const std::vector<DataSetInfo>&
GetDataSets()
{
    static const std::vector<DataSetInfo> sets = [] {
        std::vector<DataSetInfo> infos;
        for (const CatalogEntry& entry : GetCatalog())
        {
            infos.push_back(entry.info);
        }
        return infos;
    }();
    return sets;
}

std::vector<std::string>
GetDataSetNames()
{
    std::vector<std::string> names;
    for (const DataSetInfo& info : GetDataSets())
    {
        names.push_back(info.name);
    }
    return names;
}

std::string
GetDataSetFolder(const std::string& name)
{
    const DataSetInfo& info = FindEntry(name).info;
    const char* given = std::getenv("COLLAB_DATA");
    const auto folder = std::filesystem::path(given && *given ? given : "data") / info.folder;
    const auto packaged = PACKAGED.find(info.folder);
    return packaged == PACKAGED.end() || std::filesystem::exists(folder) ? folder.string()
                                                                         : packaged->second;
}

std::shared_ptr<const DataSet>
LoadDataSet(const std::string& name, const DataSetOptions& options)
{
    const CatalogEntry& entry = FindEntry(name);
    if (!(options.testFraction > 0 && options.testFraction < 1))
    {
        throw std::invalid_argument(fmt::format(
            "testFraction {}, allowed are values above 0 and below 1", options.testFraction));
    }
    if (options.mostWords == 0)
    {
        throw std::invalid_argument("mostWords 0, allowed are values from 1");
    }
    return entry.load(options.folder.empty() ? GetDataSetFolder(name) : options.folder, options);
}

DataSet
CopySamples(const DataSet& data, const std::vector<uint32_t>& indices)
{
    DataSet copy = MakeEmptyLike(data);
    AppendSamples(data, indices, copy);
    return copy;
}

} // namespace collab
} // namespace ns3
