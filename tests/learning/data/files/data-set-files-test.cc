/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "learning/test-files.h"
#include "support/test-data.h"

#include "ns3/collab-cifar-file.h"
#include "ns3/collab-csv-data-set.h"
#include "ns3/collab-data-file.h"
#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"
#include "ns3/collab-libsvm-file.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>

namespace data_set_files_test
{

using namespace ns3::collab;
using namespace tests;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string SETS = GetTestData("sets/"); //!< made by make-data-sets.py

/// @return bytes of a file
std::string
BytesOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// @return the byte at a place of an image of make-data-sets.py
uint8_t
Pixel(std::size_t sample, std::size_t place)
{
    return static_cast<uint8_t>((31 * sample + 7 * place + place / 32) % 256);
}

/// Expect a color image of a data set by its number in the formula.
void
ExpectColorImage(const DataSet& data, std::size_t sample, std::size_t image)
{
    for (std::size_t place = 0; place < 3072; ++place)
    {
        ASSERT_EQ(data.features[sample * 3072 + place], Pixel(image, place)) << "place " << place;
    }
}

class DataSetFilesTest : public TestFiles
{
  protected:
    /// Expect that a file cut anywhere, or with a byte changed, is refused or still read.
    void
    ExpectNoSurprise(const std::string& bytes,
                     const std::function<void(const std::string&)>& load,
                     std::size_t step)
    {
        for (std::size_t size = 0; size < bytes.size(); size += step)
        {
            std::string changed = bytes;
            changed[size] = static_cast<char>(changed[size] ^ 0x55);
            for (const std::string& content : {bytes.substr(0, size), changed})
            {
                try
                {
                    load(Write("surprise", content));
                }
                catch (const DataFileError& error)
                {
                    EXPECT_THAT(error.what(), HasSubstr("surprise"));
                }
            }
        }
    }
};

// --- Files ---------------------------------------------------------------------------------------

TEST_F(DataSetFilesTest, LinesEndInAnyWayAndAreCounted)
{
    DataFile file(Write("lines", "one\r\ntwo\n\nfour"));
    std::string line;
    for (const char* expected : {"one", "two", "", "four"})
    {
        ASSERT_TRUE(file.ReadLine(line));
        EXPECT_EQ(line, expected);
    }
    EXPECT_EQ(file.GetLine(), 4U);
    EXPECT_FALSE(file.ReadLine(line));
    EXPECT_EQ(file.GetLine(), 4U);
}

TEST_F(DataSetFilesTest, NumbersAreWholeTexts)
{
    EXPECT_EQ(ParseNumber("-1.5e3"), -1500.0);
    EXPECT_EQ(ParseNumber("+2"), 2.0);
    for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "one", "+", "1e"})
    {
        EXPECT_EQ(ParseNumber(text), std::nullopt) << text;
        EXPECT_EQ(ParseWholeNumber(text), std::nullopt) << text;
    }
    EXPECT_EQ(ParseWholeNumber("4294967295"), 4294967295U);
    for (const char* text : {"4294967296", "-1", "+2", "1.5", "nan"})
    {
        EXPECT_EQ(ParseWholeNumber(text), std::nullopt) << text;
    }
    EXPECT_EQ(Shortened("a\tb\x80"), "a?b?");
    EXPECT_EQ(Shortened(std::string(50, 'x')), std::string(40, 'x') + "...");
}

TEST_F(DataSetFilesTest, FindsThePlainFileFirst)
{
    Write("b.bz2", "");
    EXPECT_THAT(FindDataFile(Folder(), "b"), testing::EndsWith("/b.bz2"));
    Write("b.gz", "");
    EXPECT_THAT(FindDataFile(Folder(), "b"), testing::EndsWith("/b.gz"));
    Write("b", "");
    EXPECT_THAT(FindDataFile(Folder(), "b"), testing::EndsWith("/b"));
    EXPECT_THAT(ErrorOf<DataFileError>([&] { FindDataFile(Folder(), "c"); }),
                HasSubstr(Folder() + "/c"));
}

// --- IDX, as EMNIST has it
// ------------------------------------------------------------------------

TEST_F(DataSetFilesTest, EmnistImagesAreTransposed)
{
    IdxLayout layout;
    layout.name = "letters";
    layout.images = "emnist-letters-train-images-idx3-ubyte";
    layout.labels = "emnist-letters-train-labels-idx1-ubyte";
    layout.transposed = true;
    layout.firstLabel = 1;
    const auto data = LoadIdxDataSet(SETS + "emnist-letters", layout);
    data->Validate();
    EXPECT_THAT(data->sampleShape, ElementsAre(1, 3, 2));
    EXPECT_THAT(data->labels, ElementsAre(0, 25));
    EXPECT_EQ(data->classes, 26U);
    EXPECT_THAT(data->features, ElementsAre(0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121));
    layout.firstLabel = 2;
    EXPECT_THAT(ErrorOf<DataFileError>([&] { LoadIdxDataSet(SETS + "emnist-letters", layout); }),
                AllOf(HasSubstr("byte 8"), HasSubstr("label 1, expected at least 2")));
}

// --- CIFAR ---------------------------------------------------------------------------------------

TEST_F(DataSetFilesTest, Cifar10)
{
    const auto train = LoadCifarDataSet(SETS + "cifar-10", CifarLabels::CIFAR10, true);
    train->Validate();
    EXPECT_THAT(train->sampleShape, ElementsAre(3, 32, 32));
    EXPECT_THAT(train->labels, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_EQ(train->offset.size(), 3U);
    ExpectColorImage(*train, 7, 7);
    const auto test = LoadCifarDataSet(SETS + "cifar-10", CifarLabels::CIFAR10, false);
    EXPECT_THAT(test->labels, ElementsAre(0, 1));
    ExpectColorImage(*test, 1, 11);
    EXPECT_EQ(test->classes, 10U);
}

TEST_F(DataSetFilesTest, Cifar100HasFineAndCoarseLabels)
{
    const auto fine = LoadCifarDataSet(SETS + "cifar-100", CifarLabels::CIFAR100_FINE, true);
    EXPECT_THAT(fine->labels, ElementsAre(99, 7));
    EXPECT_EQ(fine->classes, 100U);
    ExpectColorImage(*fine, 1, 0);
    const auto coarse = LoadCifarDataSet(SETS + "cifar-100", CifarLabels::CIFAR100_COARSE, false);
    EXPECT_THAT(coarse->labels, ElementsAre(19, 7));
    EXPECT_EQ(coarse->classes, 20U);
    ExpectColorImage(*coarse, 0, 1);
}

TEST_F(DataSetFilesTest, CifarRefusesDamagedFiles)
{
    const auto error = [&](const std::string& bytes) {
        Write("test_batch.bin", bytes);
        return ErrorOf<DataFileError>(
            [&] { LoadCifarDataSet(Folder(), CifarLabels::CIFAR10, false); });
    };
    const std::string good = BytesOf(SETS + "cifar-10/test_batch.bin");
    EXPECT_EQ(error(good), "");
    EXPECT_THAT(error(""), AllOf(HasSubstr("test_batch.bin: byte 0"), HasSubstr("3073 bytes")));
    EXPECT_THAT(error(good.substr(0, 4000)),
                AllOf(HasSubstr("byte 4000"), HasSubstr("from byte 3073")));
    std::string wrong = good;
    wrong[3073] = 10;
    EXPECT_THAT(error(wrong),
                AllOf(HasSubstr("byte 3073"), HasSubstr("label 10, expected 0 to 9")));
    EXPECT_THAT(
        ErrorOf<DataFileError>([&] { LoadCifarDataSet(Folder(), CifarLabels::CIFAR10, true); }),
        HasSubstr("data_batch_1.bin"));
}

// --- LIBSVM --------------------------------------------------------------------------------------

TEST_F(DataSetFilesTest, Usps)
{
    const auto train = LoadLibsvmDataSet(SETS + "usps/usps.bz2", GetUspsLayout());
    train->Validate();
    EXPECT_THAT(train->labels, ElementsAre(6, 9, 0));
    EXPECT_EQ(train->numbers.size(), 768U);
    EXPECT_EQ(train->numbers[0], -1);
    EXPECT_EQ(train->numbers[1], -0.5);
    EXPECT_EQ(train->numbers[255], 1);
    EXPECT_EQ(train->numbers[258], 0.25);
    EXPECT_EQ(std::count(train->numbers.begin(), train->numbers.end(), 0.0F), 764);
    const auto test = LoadLibsvmDataSet(SETS + "usps/usps.t", GetUspsLayout());
    EXPECT_THAT(test->labels, ElementsAre(1, 2));
    EXPECT_EQ(test->numbers[15], 0.125);
    EXPECT_EQ(test->numbers[256 + 16], -0.75);
}

TEST_F(DataSetFilesTest, LibsvmNamesTheLine)
{
    const auto expect = [&](const std::string& text, const std::string& problem) {
        const std::string path = Write("bad.txt", text);
        EXPECT_THAT(ErrorOf<DataFileError>([&] { LoadLibsvmDataSet(path, GetUspsLayout()); }),
                    AllOf(HasSubstr("bad.txt: line "), HasSubstr(problem)));
    };
    expect("", "no samples");
    expect("# nothing\n", "no samples");
    expect("1 1:1\n0 1:1\n", "line 2: found label '0', expected a whole number from 1 to 10");
    expect("11 1:1\n", "label '11'");
    expect("1.5 1:1\n", "label '1.5'");
    expect("nan 1:1\n", "label 'nan'");
    expect("x 1:1\n", "label 'x'");
    expect("1 257:1\n", "index '257', expected a whole number from 1 to 256");
    expect("1 0:1\n", "index '0'");
    expect("1 5:1 5:2\n", "index '5', expected a whole number from 6");
    expect("1 1.5:1\n", "index '1.5'");
    expect("1 1:\n", "'1:', expected index:value");
    expect("1 1\n", "'1', expected index:value");
    expect("1 1:inf\n", "'1:inf'");
    expect("1 1:1e39\n", "'1:1e39'");
    expect(BytesOf(SETS + "usps/usps.bz2").substr(0, 40), "");
}

TEST_F(DataSetFilesTest, LibsvmTakesSignsAsClasses)
{
    LibsvmLayout layout;
    layout.sampleShape = {2};
    layout.classes = 2;
    layout.isSigned = true;
    const auto data =
        LoadLibsvmDataSet(Write("signs", "+1 1:1\n-1 2:1\n1 2:0.5\n-1.0 1:2\n"), layout);
    data->Validate();
    EXPECT_THAT(data->labels, ElementsAre(1, 0, 1, 0));
    EXPECT_THAT(ErrorOf<DataFileError>(
                    [&] { LoadLibsvmDataSet(Write("signs", "-1 1:1\n0 1:1\n"), layout); }),
                HasSubstr("line 2: found label '0', expected -1 or +1"));
    layout.classes = 3;
    EXPECT_THROW(LoadLibsvmDataSet(Folder() + "/signs", layout), std::invalid_argument);
}

TEST_F(DataSetFilesTest, LibsvmCutOrDamagedAnywhere)
{
    const auto load = [](const std::string& path) { LoadLibsvmDataSet(path, GetUspsLayout()); };
    ExpectNoSurprise(BytesOf(SETS + "usps/usps.bz2"), load, 1);
    ExpectNoSurprise(BytesOf(SETS + "usps/usps.t"), load, 1);
}

// --- CSV -----------------------------------------------------------------------------------------

TEST_F(DataSetFilesTest, CaliforniaHousing)
{
    const auto data =
        LoadCsvDataSet(SETS + "california-housing/housing.csv", GetCaliforniaHousingLayout());
    data->Validate();
    EXPECT_THAT(data->sampleShape, ElementsAre(8));
    EXPECT_EQ(data->Size(), 11U); // of 12, one is incomplete
    EXPECT_FLOAT_EQ(data->targets[0], 1);
    EXPECT_FLOAT_EQ(data->targets[4], 2); // the sixth district
    EXPECT_FLOAT_EQ(data->numbers[0], -122.0F);
    EXPECT_FLOAT_EQ(data->numbers[8 * 4 + 4], 175); // its bedrooms
    EXPECT_FLOAT_EQ(data->numbers[8 * 10 + 7], 4.75F);
}

TEST_F(DataSetFilesTest, Randhie)
{
    const auto data = LoadCsvDataSet(SETS + "randhie/randhie.csv", GetRandhieLayout());
    data->Validate();
    EXPECT_THAT(data->sampleShape, ElementsAre(9));
    EXPECT_EQ(data->Size(), 240U);
    EXPECT_FLOAT_EQ(data->targets[1], 0);
    EXPECT_FLOAT_EQ(data->targets[11], std::log(31.0F)); // of 30 visits
    EXPECT_FLOAT_EQ(data->numbers[9 * 11], 4.61512F);
    EXPECT_FLOAT_EQ(data->numbers[9 * 11 + 5], 7.75F); // chronic diseases
    EXPECT_FLOAT_EQ(data->numbers[9 * 11 + 8], 1);     // whose health is poor
}

TEST_F(DataSetFilesTest, CsvTakesQuotesAndNamesTheLine)
{
    CsvLayout layout;
    layout.targets = {"y"};
    const auto error = [&](const std::string& text) {
        const std::string path = Write("table.csv", text);
        return ErrorOf<DataFileError>([&] { LoadCsvDataSet(path, layout); });
    };
    layout.isCount = true;
    EXPECT_THAT(error("x,y\n1,2\n1,-1\n"), HasSubstr("found '-1' in column 2, expected a count"));
    layout.isCount = false;
    const auto data =
        LoadCsvDataSet(Write("good.csv", "\"a\", y ,b\r\n\"1\",2, 3\n\n4,5,6"), layout);
    EXPECT_THAT(data->numbers, ElementsAre(1, 3, 4, 6));
    EXPECT_THAT(data->targets, ElementsAre(2, 5));
    EXPECT_THAT(error(""), HasSubstr("expected 'y' once"));
    EXPECT_THAT(error("a,b\n"), HasSubstr("found columns 'a,b', expected 'y' once"));
    EXPECT_THAT(error("y,y\n1,2\n"), HasSubstr("expected 'y' once"));
    EXPECT_THAT(error("y\n1\n"), HasSubstr("no column beside the target"));
    EXPECT_THAT(error("a,y\n"), HasSubstr("no rows"));
    EXPECT_THAT(error("a,y\n1,2\n3\n"), HasSubstr("line 3: found 1 cells, expected 2"));
    EXPECT_THAT(error("a,y\n1,2,3\n"), HasSubstr("line 2: found 3 cells"));
    EXPECT_THAT(error("a,y\n1,\n"), HasSubstr("found '' in column 2"));
    EXPECT_THAT(error("a,y\nnan,1\n"), HasSubstr("found 'nan' in column 1"));
    layout.ignored = {"c"};
    EXPECT_THAT(error("a,y\n1,2\n"), HasSubstr("expected 'c' once"));
}

TEST_F(DataSetFilesTest, CsvHasSeveralTargetsAndAByteOrderMark)
{
    CsvLayout layout;
    layout.targets = {"y", "z"};
    const auto data = LoadCsvDataSet(Write("two.csv", "\xEF\xBB\xBFz,x,y\n1,2,3\n4,5,6\n"), layout);
    data->Validate();
    EXPECT_EQ(data->outputs, 2U);
    EXPECT_THAT(data->numbers, ElementsAre(2, 5));
    EXPECT_THAT(data->targets, ElementsAre(1, 3, 4, 6)); // in the order of the columns
    layout.targets.clear();
    EXPECT_THROW(LoadCsvDataSet(Folder() + "/two.csv", layout), std::invalid_argument);
    layout.targets = {"y"};
    layout.label = "z";
    EXPECT_THROW(LoadCsvDataSet(Folder() + "/two.csv", layout), std::invalid_argument);
}

TEST_F(DataSetFilesTest, CsvMakesAFeatureOfEachWord)
{
    CsvLayout layout;
    layout.label = "kind";
    layout.categories = {"color"};
    const auto data = LoadCsvDataSet(
        Write("words.csv", "a,color,kind\n1,red,dog\n2,\"blue, light\",cat\n3,red,cow\n"), layout);
    data->Validate();
    EXPECT_THAT(data->sampleShape, ElementsAre(3)); // a, blue, red
    EXPECT_THAT(data->numbers, ElementsAre(1, 0, 1, 2, 1, 0, 3, 0, 1));
    EXPECT_EQ(data->classes, 3U);
    EXPECT_THAT(data->labels, ElementsAre(2, 0, 1)); // cat, cow, dog
    EXPECT_THAT(ErrorOf<DataFileError>(
                    [&] { LoadCsvDataSet(Write("words.csv", "a,color,kind\n1,,dog\n"), layout); }),
                HasSubstr("line 2: found '' in column 2, expected a word"));
}

TEST_F(DataSetFilesTest, CsvKeepsWholeNumbersAsClasses)
{
    CsvLayout layout;
    layout.label = "y";
    const auto labels = [&](const std::string& cells) {
        const auto data = LoadCsvDataSet(Write("labels.csv", "x,y\n" + cells), layout);
        data->Validate();
        return std::make_pair(data->classes, data->labels);
    };
    using Labels = std::vector<int64_t>;
    EXPECT_EQ(labels("1,10\n1,2\n1,0\n"), std::make_pair(11U, (Labels{10, 2, 0})));
    EXPECT_EQ(labels("1,1.0\n1,0\n"), std::make_pair(2U, (Labels{1, 0})));
    EXPECT_EQ(labels("1,1\n1,-1\n1,1\n"), std::make_pair(2U, (Labels{1, 0, 1})));
    EXPECT_EQ(labels("1,10\n1,-9\n1,-10\n"), std::make_pair(3U, (Labels{2, 1, 0})));
    EXPECT_EQ(labels("1,only\n"), std::make_pair(2U, (Labels{0})));
}

} // namespace data_set_files_test
