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
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/// A row of the table of data sets; what only people need is left out.
struct TableRow
{
    const char* name;     //!< for LoadDataSet()
    const char* folder;   //!< name of its folder; empty if it is generated
    const char* files;    //!< expected in its folder, with spaces between them
    const char* packaged; //!< folder where a package of Debian puts them; empty if none does
};

/// The table of data sets.
constexpr TableRow TABLE[] = {
#define COLLAB_DATA_SET(name, folder, files, packaged, package, page, preparation, published) \
    {name, folder, files, packaged},
#include "collab-data-sets.inc"
#undef COLLAB_DATA_SET
};

/// What loads a data set, given its folder.
using Loader = std::function<std::shared_ptr<const DataSet>(const std::string& folder,
                                                            const DataSetOptions& options)>;

/// A known data set and what loads it.
struct CatalogEntry
{
    DataSetInfo info;     //!< what is told about it
    std::string packaged; //!< folder where a package of Debian puts its files; empty if none does
    Loader load;          //!< what loads it
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
 * @return what loads that set
 */
Loader
MakeEmnist(const std::string& name, uint8_t firstLabel)
{
    return [name, firstLabel](const std::string& folder, const DataSetOptions& options) {
        const char* part = options.train ? "train" : "test";
        IdxLayout layout;
        layout.name = fmt::format("emnist-{} {}", name, part);
        layout.images = fmt::format("emnist-{}-{}-images-idx3-ubyte", name, part);
        layout.labels = fmt::format("emnist-{}-{}-labels-idx1-ubyte", name, part);
        layout.transposed = true;
        layout.firstLabel = firstLabel;
        return LoadIdxDataSet(folder, layout);
    };
}

/**
 * @param folder of a data set in the layout of MNIST
 * @param options which part
 * @return that part
 */
std::shared_ptr<const DataSet>
LoadMnist(const std::string& folder, const DataSetOptions& options)
{
    return LoadIdxDataSet(folder, options.train);
}

/**
 * @param labels which to use
 * @return what loads a set in the binary format of CIFAR
 */
Loader
MakeCifar(CifarLabels labels)
{
    return [labels](const std::string& folder, const DataSetOptions& options) {
        return LoadCifarDataSet(folder, labels, options.train);
    };
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
 * @param task that it is
 * @return what loads a set of LEAF
 */
Loader
MakeLeaf(LeafTask task)
{
    return [task](const std::string& folder, const DataSetOptions& options) {
        return task == LeafTask::SENTIMENT140
                   ? LoadSentiment140(folder, options)
                   : LoadLeafDataSet(folder + (options.train ? "/train" : "/test"), task);
    };
}

/**
 * @param file name of the table
 * @param layout which columns of it to use
 * @return what loads a table for regression, whose parts are standardized
 */
Loader
MakeTable(const std::string& file, const CsvLayout& layout)
{
    return [file, layout](const std::string& folder, const DataSetOptions& options) {
        const auto all = LoadCsvDataSet(FindDataFile(folder, file), layout);
        const Standardization measured = MeasureFeatures(TakePart(*all, options, true));
        auto part = std::make_shared<DataSet>(TakePart(*all, options, options.train));
        Standardize(*part, measured);
        return part;
    };
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
 * @param generate makes all samples from a seed
 * @return what deals out a generated set
 */
Loader
MakeGenerated(const std::function<std::shared_ptr<const DataSet>(uint64_t seed)>& generate)
{
    return [generate](const std::string&, const DataSetOptions& options) {
        return std::make_shared<const DataSet>(
            TakePart(*generate(options.seed), options, options.train));
    };
}

/**
 * @param folder of SVHN
 * @param options which part
 * @return that part
 */
std::shared_ptr<const DataSet>
LoadSvhn(const std::string& folder, const DataSetOptions& options)
{
    return LoadSvhnDataSet(
        FindDataFile(folder, options.train ? "train_32x32.mat" : "test_32x32.mat"));
}

/**
 * @param folder of USPS
 * @param options which part
 * @return that part
 */
std::shared_ptr<const DataSet>
LoadUsps(const std::string& folder, const DataSetOptions& options)
{
    return LoadLibsvmDataSet(FindDataFile(folder, options.train ? "usps" : "usps.t"),
                             GetUspsLayout());
}

/// @return what loads each data set, by its name
std::map<std::string, Loader>
MakeLoaders()
{
    std::map<std::string, Loader> loaders = {
        {"mnist", LoadMnist},
        {"fashion-mnist", LoadMnist},
        {"cifar-10", MakeCifar(CifarLabels::CIFAR10)},
        {"cifar-100", MakeCifar(CifarLabels::CIFAR100_FINE)},
        {"cifar-100-coarse", MakeCifar(CifarLabels::CIFAR100_COARSE)},
        {"femnist", MakeLeaf(LeafTask::FEMNIST)},
        {"sentiment140", MakeLeaf(LeafTask::SENTIMENT140)},
        {"shakespeare", MakeLeaf(LeafTask::SHAKESPEARE)},
        {"svhn", LoadSvhn},
        {"usps", LoadUsps},
        {"california-housing", MakeTable("housing.csv", GetCaliforniaHousingLayout())},
        {"randhie", MakeTable("randhie.csv", GetRandhieLayout())},
        {"radioml-2016.10a", LoadRadioml},
        {"emnist-letters", MakeEmnist("letters", 1)},
        {"cubic-regression", MakeGenerated([](uint64_t seed) {
             return GeneratePolynomial(PolynomialOptions(), seed);
         })},
        {"gaussian-classes", MakeGenerated([](uint64_t seed) {
             return GenerateGaussianClasses(GaussianClassesOptions(), seed);
         })},
        {"linear-regression", MakeGenerated([](uint64_t seed) {
             return GenerateLinearRegression(LinearRegressionOptions(), seed);
         })},
        {"synthetic-writers", MakeGenerated([](uint64_t seed) {
             return GenerateSyntheticWriters(SyntheticWritersOptions(), seed);
         })},
    };
    for (const std::string name : {"balanced", "byclass", "bymerge", "digits", "mnist"})
    {
        loaders["emnist-" + name] = MakeEmnist(name, 0);
    }
    return loaders;
}

/// @return all known data sets, in the order of the table
const std::vector<CatalogEntry>&
GetCatalog()
{
    static const std::vector<CatalogEntry> catalog = [] {
        const std::map<std::string, Loader> loaders = MakeLoaders();
        std::vector<CatalogEntry> entries;
        for (const TableRow& row : TABLE)
        {
            std::istringstream files(row.files);
            entries.push_back({{row.name, row.folder, {}}, row.packaged, loaders.at(row.name)});
            entries.back().info.files.assign(std::istream_iterator<std::string>(files), {});
        }
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
    const CatalogEntry& entry = FindEntry(name);
    const char* given = std::getenv("COLLAB_DATA");
    const auto folder = std::filesystem::path(given && *given ? given : "data") / entry.info.folder;
    return entry.packaged.empty() || std::filesystem::exists(folder) ? folder.string()
                                                                     : entry.packaged;
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
