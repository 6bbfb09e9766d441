/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-data-set-catalog.h"

#include "collab-standardization.h"
#include "collab-test-split.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-cifar-file.h"
#include "ns3/collab-csv-data-set.h"
#include "ns3/collab-data-file.h"
#include "ns3/collab-data-set-file.h"
#include "ns3/collab-error.h"
#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-idx-file.h"
#include "ns3/collab-libsvm-file.h"
#include "ns3/collab-modulated-signals.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>

namespace ns3::collab
{

namespace
{

/// A row of the table of data sets; what only people need is left out.
struct TableRow
{
    const char* name;      //!< for LoadDataSet()
    const char* folder;    //!< name of its folder; empty if it is generated
    const char* files;     //!< expected in its folder, with spaces between them
    const char* originals; //!< of which they are converted, with spaces between them
    const char* packaged;  //!< folder where a package of Debian puts them; empty if none does
};

/// The table of data sets.
constexpr TableRow TABLE[] = {
#define COLLAB_DATA_SET(                                                             \
    name, folder, files, originals, packaged, package, page, preparation, published) \
    {name, folder, files, originals, packaged},
#include "collab-data-sets.inc"
#undef COLLAB_DATA_SET
};

/// @param names names with spaces between them
/// @return the names
std::vector<std::string>
SplitNames(const std::string& names)
{
    std::istringstream stream(names);
    return {std::istream_iterator<std::string>(stream), {}};
}

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

/// @param options which part
/// @return how sets without published parts are dealt out
TestSplit
SplitOf(const DataSetOptions& options)
{
    return {options.testFraction, options.seed};
}

/// @param name name of the set in EMNIST
/// @param firstLabel label in the files of class 0
/// @return what loads that set
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

/// @param mixed whether samples are published in random order
/// @return what loads a set in the layout of MNIST
Loader
MakeMnist(bool mixed)
{
    return [mixed](const std::string& folder, const DataSetOptions& options) {
        IdxOptions part;
        part.train = options.train;
        part.mixed = mixed;
        return LoadIdxDataSet(folder, part);
    };
}

/// @param labels which to use
/// @return what loads a set in the binary format of CIFAR
Loader
MakeCifar(CifarLabels labels)
{
    return [labels](const std::string& folder, const DataSetOptions& options) {
        return LoadCifarDataSet(folder, labels, options.train);
    };
}

/// @brief Tell what a user of a set is to do whose converted file is missing.
/// @param name name of the set
/// @param folder where it is looked for
/// @throws DataFileError always
[[noreturn]] void FailUnconverted(const std::string& name, const std::filesystem::path& folder);

/// @param name name of a set
/// @return what loads it from its converted file
Loader
MakeConverted(const std::string& name)
{
    return [name](const std::string& folder, const DataSetOptions& options) {
        const auto path = std::filesystem::path(folder) / (name + ".safetensors");
        if (!std::filesystem::exists(path))
        {
            FailUnconverted(name, folder);
        }
        return LoadDataSetFile(path.string(), options.train, SplitOf(options));
    };
}

/// @param file name of the table
/// @param layout which columns of it to use
/// @return what loads a table for regression, whose parts are standardized
Loader
MakeTable(const std::string& file, const CsvLayout& layout)
{
    return [file, layout](const std::string& folder, const DataSetOptions& options) {
        const auto all = LoadCsvDataSet(FindDataFile(folder, file), layout);
        const Standardization measured = MeasureFeatures(TakePart(*all, SplitOf(options), true));
        auto part = std::make_shared<DataSet>(TakePart(*all, SplitOf(options), options.train));
        Standardize(*part, measured);
        return part;
    };
}

/// @param generate function that makes all samples from a seed
/// @return what deals out a generated set
Loader
MakeGenerated(const std::function<std::shared_ptr<const DataSet>(uint64_t seed)>& generate)
{
    return [generate](const std::string&, const DataSetOptions& options) {
        return std::make_shared<const DataSet>(
            TakePart(*generate(options.seed), SplitOf(options), options.train));
    };
}

/// @param folder folder of USPS
/// @param options which part
/// @return that part
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
        {"mnist", MakeMnist(false)}, // one half of its test part is of other writers than the other
        {"fashion-mnist", MakeMnist(true)},
        {"cifar-10", MakeCifar(CifarLabels::CIFAR10)},
        {"cifar-100", MakeCifar(CifarLabels::CIFAR100_FINE)},
        {"cifar-100-coarse", MakeCifar(CifarLabels::CIFAR100_COARSE)},
        {"usps", LoadUsps},
        {"california-housing", MakeTable("housing.csv", GetCaliforniaHousingLayout())},
        {"randhie", MakeTable("randhie.csv", GetRandhieLayout())},
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
        {"modulated-signals", MakeGenerated([](uint64_t seed) {
             return GenerateModulatedSignals(ModulatedSignalsOptions(), seed);
         })},
        {"synthetic-writers", MakeGenerated([](uint64_t seed) {
             return GenerateSyntheticWriters(SyntheticWritersOptions(), seed);
         })},
    };
    for (const std::string name : {"balanced", "byclass", "bymerge", "digits", "mnist"})
    {
        loaders["emnist-" + name] = MakeEmnist(name, 0);
    }
    for (const TableRow& row : TABLE)
    {
        if (*row.originals)
        {
            loaders[row.name] = MakeConverted(row.name);
        }
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
            entries.push_back(
                {{row.name, row.folder, SplitNames(row.files), SplitNames(row.originals)},
                 row.packaged,
                 loaders.at(row.name)});
        }
        return entries;
    }();
    return catalog;
}

/// @param name name of a data set
/// @return its entry
/// @throws std::invalid_argument if it is unknown
const CatalogEntry&
FindEntry(const std::string& name)
{
    const auto& catalog = GetCatalog();
    const auto entry = std::find_if(catalog.begin(), catalog.end(), [&](const auto& candidate) {
        return candidate.info.name == name;
    });
    CheckArgument(entry != catalog.end(),
                  "unknown data set '{}'; known are {}, or {}PATH",
                  name,
                  fmt::join(GetDataSetNames(), ", "),
                  DATA_SET_FILE_PREFIX);
    return *entry;
}

void
FailUnconverted(const std::string& name, const std::filesystem::path& folder)
{
    const DataSetInfo& info = FindEntry(name).info;
    const bool isHere =
        std::all_of(info.originals.begin(), info.originals.end(), [&](const std::string& file) {
            return std::filesystem::exists(folder / file.substr(0, file.find('*')));
        });
    throw DataFileError(fmt::format(
        "{}: does not exist; {}: ./collab data convert {}",
        (folder / info.files.front()).string(),
        isHere ? fmt::format("make it of {}, which are there", fmt::join(info.originals, " and "))
               : fmt::format("get {} (./collab data {} says where) and convert them",
                             fmt::join(info.originals, " and "),
                             name),
        name));
}

/// @param name name that may be that of a file
/// @return its path; empty if it is none
std::string
PathOf(const std::string& name)
{
    const std::string prefix = DATA_SET_FILE_PREFIX;
    return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : "";
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
    CheckArgument(options.testFraction > 0 && options.testFraction < 1,
                  "testFraction {}, allowed are values above 0 and below 1",
                  options.testFraction);
    const std::string path = PathOf(name);
    if (!path.empty())
    {
        return LoadDataSetFile((std::filesystem::path(options.folder) / path).string(),
                               options.train,
                               SplitOf(options));
    }
    const CatalogEntry& entry = FindEntry(name);
    try
    {
        return entry.load(options.folder.empty() ? GetDataSetFolder(name) : options.folder,
                          options);
    }
    catch (const MissingDataFileError& error)
    {
        throw DataFileError(fmt::format("{}; ./collab data {} says where to get the files of this "
                                        "set and where they belong",
                                        error.what(),
                                        name));
    }
}

} // namespace ns3::collab
