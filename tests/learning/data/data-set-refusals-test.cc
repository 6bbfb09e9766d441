/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a user is told whose data set is missing, of another format, or has strange labels

#include "learning/test-files.h"
#include "support/refusals.h"

#include "ns3/collab-csv-data-set.h"
#include "ns3/collab-data-set-catalog.h"
#include "ns3/collab-error.h"
#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-safetensors-file.h"

#include <fstream>
#include <gmock/gmock.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3::collab;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace
{

class DataSetRefusalsTest : public TestFiles
{
  protected:
    /// @param name of a data set
    /// @param folder where to look for it
    /// @return why it cannot be loaded; empty if it can
    static std::string
    FindError(const std::string& name, const std::string& folder = "")
    {
        DataSetOptions options;
        options.folder = folder;
        try
        {
            LoadDataSet(name, options)->Validate();
        }
        catch (const DataFileError& error)
        {
            EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
            return error.what();
        }
        return "";
    }

    /// @param labels whole numbers, one a sample
    /// @param metadata of the file besides
    /// @return what a file of such samples is as a data set
    std::string
    WriteLabels(const std::vector<int32_t>& labels, const std::string& metadata = "") const
    {
        const auto size = labels.size() * sizeof(int32_t);
        std::string header = R"({"__metadata__": {)" + metadata +
                             R"(}, "features": {"dtype": "F32",)"
                             R"("shape": [)" +
                             std::to_string(labels.size()) + R"(, 1], "data_offsets": [0, )" +
                             std::to_string(size) + R"(]}, "labels": {"dtype": "I32", "shape": [)" +
                             std::to_string(labels.size()) + R"(], "data_offsets": [)" +
                             std::to_string(size) + ", " + std::to_string(2 * size) + "]}}";
        const uint64_t length = header.size();
        return "file:" + Write("any.safetensors",
                               std::string(reinterpret_cast<const char*>(&length), sizeof(length)) +
                                   header + std::string(size, '\0') +
                                   std::string(reinterpret_cast<const char*>(labels.data()), size));
    }
};

TEST_F(DataSetRefusalsTest, AMissingSetNamesTheCommandThatSaysWhereToGetIt)
{
    for (const std::string name :
         {"cifar-10", "cifar-100", "mnist", "usps", "emnist-letters", "california-housing"})
    {
        EXPECT_THAT(FindError(name, Folder()),
                    AllOf(HasSubstr(Folder()), HasSubstr("./collab data " + name + " says")));
    }
}

TEST_F(DataSetRefusalsTest, AFileOfAnotherFormatNamesTheConversion)
{
    for (const std::string name : {"table.csv", "array.npy", "nothing", "long.txt"})
    {
        const std::string path = Write(name, name == "nothing" ? "" : "x,y\n1,2\n1,3\n1,4\n");
        EXPECT_THAT(FindError("file:" + path),
                    AllOf(testing::StartsWith(path + ": is no data set file"),
                          HasSubstr("./collab data convert " + path)));
    }
    EXPECT_THAT(FindError("file:" + Folder()), HasSubstr("./collab data convert"));
    EXPECT_THAT(FindError("file:" + Folder() + "/none.csv"), Not(HasSubstr("convert")));
    EXPECT_THAT(FindError("file:" + Write("cut.safetensors", "x")), Not(HasSubstr("convert")));
}

TEST_F(DataSetRefusalsTest, LabelsWithFewOfManyNumbersAreNoClasses)
{
    const std::string answer =
        "found 3 different labels, the greatest of which is 999999: a model would have 1000000 "
        "outputs; expected labels without such gaps, as 0 to 2";
    EXPECT_THAT(FindError(WriteLabels({0, 1, 999999, 1})),
                AllOf(HasSubstr("any.safetensors: tensor \"labels\": " + answer),
                      HasSubstr("or the metadata \"classes\"")));
    EXPECT_EQ(FindError(WriteLabels({0, 1, 999999}, R"("classes": "1000000")")), "");
    EXPECT_EQ(FindError(WriteLabels({0, 1, 999})), "");
    EXPECT_THAT(FindError(WriteLabels({0, 1, 1000})), HasSubstr("1001 outputs"));
    std::vector<int32_t> many(20);
    std::iota(many.begin(), many.end(), 0);
    many.back() = 1999;
    EXPECT_EQ(FindError(WriteLabels(many)), "");
    many.back() = 2000;
    EXPECT_THAT(FindError(WriteLabels(many)), HasSubstr("found 20 different labels"));

    CsvLayout layout;
    layout.label = "y";
    const std::string path = Write("labels.csv", "x,y\n1,0\n1,1\n1,999999\n");
    EXPECT_THAT([&]() { LoadCsvDataSet(path, layout); },
                testing::ThrowsMessage<DataFileError>(path + ": " + answer));
}

TEST(DataSetOptionsTest, ARefusalNamesTheOptionAndItsValue)
{
    PolynomialOptions options;
    options.noise = -1.5;
    EXPECT_EQ(tests::ErrorOf([&] { GeneratePolynomial(options, 1); }),
              "noise -1.5, allowed are finite values from 0");
}

} // namespace
