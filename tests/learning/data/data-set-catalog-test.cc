/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "learning/test-files.h"
#include "support/test-data.h"

#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-data-set.h"
#include "ns3/collab-error.h"
#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-standardization.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

namespace data_set_catalog_test
{

using namespace ns3::collab;
using namespace tests;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string SETS = GetTestData("sets"); //!< made by make-data-sets.py

// --- Generated sets ------------------------------------------------------------------------------

TEST(GeneratedDataSetTest, GaussianClassesHaveTheirMoments)
{
    GaussianClassesOptions options;
    options.samplesPerClass = 10000;
    options.deviation = 0.5;
    const auto data = GenerateGaussianClasses(options, 3);
    EXPECT_EQ(data->classes, 4U);
    EXPECT_EQ(data->Size(), 40000U);
    for (std::size_t label = 0; label < 4; ++label)
    {
        for (std::size_t axis = 0; axis < 2; ++axis)
        {
            std::vector<double> values;
            for (std::size_t i = 0; i < 10000; ++i)
            {
                values.push_back(data->numbers[2 * (label * 10000 + i) + axis]);
            }
            EXPECT_NEAR(Moments(values).mean, options.means[label][axis], 4 * 0.5 / 100);
            EXPECT_NEAR(Moments(values).deviation, 0.5, 4 * 0.5 / 141);
        }
        EXPECT_EQ(data->labels[label * 10000 + 5000], static_cast<int64_t>(label));
    }
    EXPECT_EQ(data->numbers, GenerateGaussianClasses(options, 3)->numbers);
    EXPECT_NE(data->numbers, GenerateGaussianClasses(options, 4)->numbers);
}

TEST(GeneratedDataSetTest, CubicRegressionIsThatOfThePaper)
{
    PolynomialOptions options;
    options.samplesPerUser = 10000;
    const auto data = GeneratePolynomial(options, 1);
    EXPECT_EQ(data->outputs, 1U);
    EXPECT_EQ(data->userNames.size(), 3U);
    double noise = 0;
    std::vector<double> sums(3, 0);
    for (std::size_t i = 0; i < data->Size(); ++i)
    {
        const double x = data->numbers[i];
        const double rest = data->targets[i] - (0.5 * x * x * x + 0.3 * x * x - 5 * x + 4);
        noise += rest * rest / static_cast<double>(data->Size());
        sums[data->users[i]] += x / 10000;
    }
    EXPECT_NEAR(noise, 1, 4 * std::sqrt(2.0 / 30000));
    EXPECT_THAT(sums, testing::Pointwise(testing::DoubleNear(0.04), std::vector<double>{-2, 0, 2}));
}

TEST(GeneratedDataSetTest, PolynomialGridHasItsEnds)
{
    const auto data = MakePolynomialGrid({4, -5, 0.3, 0.5}, -4, 4, 50);
    EXPECT_EQ(data->Size(), 50U);
    EXPECT_FLOAT_EQ(data->numbers.front(), -4);
    EXPECT_FLOAT_EQ(data->numbers[1], -4 + 8.0F / 49);
    EXPECT_FLOAT_EQ(data->numbers.back(), 4);
    EXPECT_FLOAT_EQ(data->targets.front(), 0.5F * -64 + 0.3F * 16 + 20 + 4);
    EXPECT_THROW(MakePolynomialGrid({1}, 1, 1, 50), std::invalid_argument);
    EXPECT_THROW(MakePolynomialGrid({1}, 0, 1, 1), std::invalid_argument);
}

TEST(GeneratedDataSetTest, LinearRegressionHoldsInputsAtZero)
{
    LinearRegressionOptions options;
    options.samplesPerUser = 10000;
    const auto data = GenerateLinearRegression(options, 1);
    double noise = 0;
    double greatest = 0;
    for (std::size_t i = 0; i < data->Size(); ++i)
    {
        const double x1 = data->numbers[2 * i];
        const double x2 = data->numbers[2 * i + 1];
        EXPECT_EQ(data->users[i] == 0 ? x2 : x1, 0);
        greatest = std::max(greatest, std::abs(x2));
        const double rest = data->targets[i] - (-0.3 + 0.5 * x1 + 0.8 * x2);
        noise += rest * rest / static_cast<double>(data->Size());
    }
    EXPECT_NEAR(noise, 0.64, 4 * 0.64 * std::sqrt(2.0 / 20000));
    EXPECT_LE(greatest, 1.5);
    EXPECT_GT(greatest, 1.49);
}

TEST(GeneratedDataSetTest, WritersHaveAHandEach)
{
    SyntheticWritersOptions options;
    options.writers = 30;
    options.noise = 0;
    const auto data = GenerateSyntheticWriters(options, 5);
    data->Validate();
    EXPECT_THAT(data->sampleShape, ElementsAre(1, 28, 28));
    EXPECT_EQ(data->userNames.size(), 30U);
    std::map<uint32_t, int> sizes;
    for (uint32_t user : data->users)
    {
        ++sizes[user];
    }
    EXPECT_EQ(sizes.size(), 30U);
    for (const auto& [user, size] : sizes)
    {
        EXPECT_GE(size, 20);
        EXPECT_LE(size, 60);
    }
    EXPECT_EQ(std::set<int64_t>(data->labels.begin(), data->labels.end()).size(), 10U);
    // Images of one class are nearer to each other within a writer than between writers.
    double within = 0;
    double between = 0;
    int pairsWithin = 0;
    int pairsBetween = 0;
    for (std::size_t i = 0; i < data->Size(); i += 3)
    {
        for (std::size_t j = i + 1; j < data->Size(); ++j)
        {
            if (data->labels[i] != data->labels[j])
            {
                continue;
            }
            double distance = 0;
            for (std::size_t pixel = 0; pixel < 784; ++pixel)
            {
                distance +=
                    std::abs(data->features[i * 784 + pixel] - data->features[j * 784 + pixel]);
            }
            const bool same = data->users[i] == data->users[j];
            (same ? within : between) += distance;
            ++(same ? pairsWithin : pairsBetween);
        }
    }
    EXPECT_LT(within / pairsWithin, 0.7 * between / pairsBetween);
}

TEST(GeneratedDataSetTest, RefusesOptions)
{
    GaussianClassesOptions classes;
    classes.means = {{0, 0}, {1}};
    EXPECT_THROW(GenerateGaussianClasses(classes, 1), std::invalid_argument);
    classes.means = {{0}};
    EXPECT_THROW(GenerateGaussianClasses(classes, 1), std::invalid_argument);
    PolynomialOptions polynomial;
    polynomial.noise = -1;
    EXPECT_THROW(GeneratePolynomial(polynomial, 1), std::invalid_argument);
    polynomial.noise = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(GeneratePolynomial(polynomial, 1), std::invalid_argument);
    LinearRegressionOptions linear;
    linear.ranges = {{1}};
    EXPECT_THROW(GenerateLinearRegression(linear, 1), std::invalid_argument);
    SyntheticWritersOptions writers;
    writers.leastSamples = 61;
    EXPECT_THROW(GenerateSyntheticWriters(writers, 1), std::invalid_argument);
    writers = {};
    writers.classes = 1;
    EXPECT_THROW(GenerateSyntheticWriters(writers, 1), std::invalid_argument);
    writers = {};
    writers.scale = 1;
    EXPECT_THROW(GenerateSyntheticWriters(writers, 1), std::invalid_argument);
}

// --- Standardization -----------------------------------------------------------------------------

TEST(StandardizationTest, MeasuresColumnsAndAppliesThem)
{
    DataSet data;
    data.kind = FeatureKind::NUMBERS;
    data.sampleShape = {2};
    data.numbers = {1, 7, 3, 7, 5, 7};
    const Standardization measured = MeasureFeatures(data);
    EXPECT_THAT(measured.mean, ElementsAre(3, 7));
    EXPECT_THAT(measured.deviation,
                ElementsAre(testing::FloatEq(std::sqrt(8.0F / 3)), 1)); // the second is constant
    Standardize(data, {{1, 2}, {2, 5}});
    EXPECT_THAT(data.numbers, ElementsAre(0, 1, 1, 1, 2, 1));
    EXPECT_THROW(Standardize(data, {{1}, {2}}), std::invalid_argument);
    EXPECT_THROW(Standardize(data, {{1, 1}, {2, 0}}), std::invalid_argument);
    EXPECT_THROW(MeasureChannels(data), std::invalid_argument);
}

TEST(StandardizationTest, MeasuresChannelsOfBytes)
{
    DataSet data;
    data.sampleShape = {2, 1, 2};
    data.features = {0, 255, 51, 51, 0, 255, 51, 51};
    data.labels = {0, 1};
    data.classes = 2;
    const Standardization measured = MeasureChannels(data);
    EXPECT_THAT(measured.mean, ElementsAre(0.5F, 0.2F));
    EXPECT_THAT(measured.deviation, ElementsAre(0.5F, 1));
    Standardize(data, measured);
    data.Validate();
    EXPECT_EQ(data.offset, measured.mean);
    EXPECT_EQ(data.scale, measured.deviation);
}

// --- Catalog -------------------------------------------------------------------------------------

TEST(DataSetCatalogTest, LoadsEveryKnownSet)
{
    const std::set<std::string> notHere = {"mnist",
                                           "emnist-balanced",
                                           "emnist-byclass",
                                           "emnist-bymerge",
                                           "emnist-digits",
                                           "emnist-mnist"};
    setenv("COLLAB_DATA", SETS.c_str(), 1);
    for (const DataSetInfo& info : GetDataSets())
    {
        SCOPED_TRACE(info.name);
        DataSetOptions options;
        options.testFraction = 0.5; // some have few samples
        try
        {
            const auto train = LoadDataSet(info.name, options);
            options.train = false;
            const auto test = LoadDataSet(info.name, options);
            train->Validate();
            test->Validate();
            EXPECT_GT(train->Size(), 0U);
            EXPECT_EQ(train->sampleShape, test->sampleShape);
        }
        catch (const DataFileError& error)
        {
            EXPECT_TRUE(notHere.count(info.name) == 1 || info.name == "fashion-mnist")
                << error.what();
        }
    }
    unsetenv("COLLAB_DATA");
}

TEST(DataSetCatalogTest, NamesWhatIsKnown)
{
    EXPECT_THAT(GetDataSetNames(), Contains("cifar-10"));
    EXPECT_THAT(ErrorOf([] { LoadDataSet("cifar10"); }),
                AllOf(HasSubstr("unknown data set 'cifar10'"),
                      HasSubstr("cifar-10, "),
                      HasSubstr("synthetic-writers"),
                      HasSubstr("or file:PATH")));
    EXPECT_THROW(GetDataSetFolder("cifar10"), std::invalid_argument);
    DataSetOptions options;
    options.testFraction = 1;
    EXPECT_THROW(LoadDataSet("gaussian-classes", options), std::invalid_argument);
}

TEST(DataSetCatalogTest, PartsAreDisjointAndFollowTheSeed)
{
    DataSetOptions options;
    options.folder = SETS + "/radioml-2016.10a";
    options.testFraction = 0.5;
    const auto train = LoadDataSet("radioml-2016.10a", options);
    options.train = false;
    const auto test = LoadDataSet("radioml-2016.10a", options);
    EXPECT_EQ(train->Size() + test->Size(), 6U);
    std::set<float> first;
    for (const auto& part : {train, test})
    {
        for (std::size_t i = 0; i < part->Size(); ++i)
        {
            first.insert(part->numbers[i * 256]);
        }
    }
    EXPECT_EQ(first.size(), 6U);
    EXPECT_EQ(LoadDataSet("radioml-2016.10a", options)->numbers, test->numbers);
    options.seed = 3;
    EXPECT_NE(LoadDataSet("radioml-2016.10a", options)->numbers, test->numbers);
}

TEST(DataSetCatalogTest, TweetsHaveTheVectorsOfTheirWords)
{
    DataSetOptions options;
    options.folder = SETS + "/sentiment140";
    const auto train = LoadDataSet("sentiment140", options);
    ASSERT_TRUE(train->tokenVectors);
    EXPECT_EQ(train->tokenVectors->rows, train->vocabulary);
    EXPECT_EQ(train->tokenVectors->columns, 3U);
    EXPECT_EQ(MakeEmptyLike(*train).tokenVectors, train->tokenVectors);
}

TEST(DataSetCatalogTest, SaysHowOriginalFilesAreConverted)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "collab-unconverted";
    DataSetOptions options;
    options.folder = folder.string();
    const auto load = [&options] { LoadDataSet("shakespeare", options); };
    std::filesystem::create_directories(folder / "train");
    EXPECT_THAT(ErrorOf<DataFileError>(load),
                AllOf(HasSubstr((folder / "shakespeare.safetensors").string()),
                      HasSubstr("does not exist; get train/*.json and test/*.json (./collab data "
                                "shakespeare says where) and convert them: ./collab data convert "
                                "shakespeare")));
    std::filesystem::create_directories(folder / "test");
    ExpectRefused<DataFileError>("does not exist; make it of train/*.json and test/*.json, which "
                                 "are there: ./collab data convert shakespeare",
                                 load);
    std::filesystem::remove_all(folder);
}

TEST(DataSetCatalogTest, FilesOfTheUserAreRelativeToTheFolder)
{
    DataSetOptions options;
    options.train = false;
    const auto whole = LoadDataSet("file:" + SETS + "/svhn/svhn.safetensors", options);
    options.folder = SETS + "/svhn";
    EXPECT_EQ(LoadDataSet("file:svhn.safetensors", options)->features, whole->features);
    EXPECT_EQ(LoadDataSet("svhn", options)->labels, whole->labels);
    EXPECT_THROW(LoadDataSet("file:none.safetensors", options), DataFileError);
    EXPECT_THROW(LoadDataSet("file:", options), std::invalid_argument);
}

TEST(DataSetCatalogTest, HousingIsStandardizedByItsTrainingPart)
{
    DataSetOptions options;
    options.folder = SETS + "/california-housing";
    options.testFraction = 0.3;
    const auto train = LoadDataSet("california-housing", options);
    options.train = false;
    const auto test = LoadDataSet("california-housing", options);
    EXPECT_EQ(train->Size() + test->Size(), 11U);
    const Standardization measured = MeasureFeatures(*train);
    EXPECT_THAT(measured.mean, Each(testing::FloatNear(0, 1e-4F)));
    EXPECT_THAT(measured.deviation, Each(testing::FloatNear(1, 1e-4F)));
    EXPECT_GT(std::abs(MeasureFeatures(*test).mean[2]), 0.01);
}

TEST(DataSetCatalogTest, CopiesSamplesWithAllTheirFields)
{
    DataSet data;
    data.kind = FeatureKind::NUMBERS;
    data.sampleShape = {2};
    data.outputs = 2;
    data.numbers = {1, 2, 3, 4, 5, 6};
    data.targets = {10, 20, 30, 40, 50, 60};
    data.users = {0, 1, 0};
    data.userNames = {"a", "b"};
    DataSet copy = MakeEmptyLike(data);
    AppendSamples(data, {2, 1}, copy);
    copy.Validate();
    EXPECT_THAT(copy.numbers, ElementsAre(5, 6, 3, 4));
    EXPECT_THAT(copy.targets, ElementsAre(50, 60, 30, 40));
    EXPECT_THAT(copy.users, ElementsAre(0, 1));
    EXPECT_THROW(AppendSamples(data, {3}, copy), std::invalid_argument);
}

TEST(DataSetCatalogTest, CopiedSamplesTakeNoMoreMemoryThanTheyNeed)
{
    const auto data = MakeDataSet(FeatureKind::NUMBERS, {3}, 1025, 2, [](auto, auto) { return 1; });
    DataSet copy = MakeEmptyLike(*data);
    AppendSamples(*data, Range(1025), copy);
    EXPECT_EQ(copy.numbers.capacity(), copy.numbers.size());
    EXPECT_EQ(copy.labels.capacity(), copy.labels.size());
}

TEST(DataSetCatalogTest, TellsTheFilesOfTheTable)
{
    EXPECT_EQ(GetDataSets().size(), 24U);
    std::map<std::string, DataSetInfo> sets;
    for (const DataSetInfo& info : GetDataSets())
    {
        sets[info.name] = info;
    }
    EXPECT_EQ(sets.at("usps").files, (std::vector<std::string>{"usps.bz2", "usps.t.bz2"}));
    EXPECT_EQ(sets.at("cifar-100-coarse").folder, "cifar-100");
    EXPECT_EQ(sets.at("emnist-letters").files.size(), 4U);
    EXPECT_EQ(sets.at("femnist").files, (std::vector<std::string>{"femnist.safetensors"}));
    EXPECT_EQ(sets.at("femnist").originals,
              (std::vector<std::string>{"train/*.json", "test/*.json"}));
    EXPECT_TRUE(sets.at("usps").originals.empty());
    EXPECT_EQ(sets.at("gaussian-classes").folder, "");
    EXPECT_TRUE(sets.at("gaussian-classes").files.empty());
    EXPECT_EQ(GetDataSetNames().front(), "california-housing");
    EXPECT_EQ(GetDataSetNames().back(), "synthetic-writers");
}

} // namespace data_set_catalog_test
