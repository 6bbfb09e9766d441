/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/test-files.h"
#include "support/test-data.h"

#include "ns3/collab-error.h"
#include "ns3/collab-leaf-file.h"
#include "ns3/collab-text-tokens.h"

#include <gmock/gmock.h>

namespace
{

using namespace ns3::collab;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string SETS = GetTestData("sets/"); //!< made by make-data-sets.py

class LeafFileTest : public TestFiles
{
  protected:
    /**
     * @param task which data set
     * @param content of its only file
     * @return the text of the error
     */
    std::string
    ErrorOf(LeafTask task, const std::string& content) const
    {
        Write("data.json", content);
        try
        {
            LoadLeafDataSet(Folder(), task);
        }
        catch (const DataFileError& error)
        {
            return error.what();
        }
        return "no error";
    }
};

TEST(TextTokensTest, SplitsWordsAsLeafDoes)
{
    EXPECT_THAT(
        SplitWords("The cat, the DOG! isn't #1_a\tcaf\xc3\xa9?"),
        ElementsAre("the", "cat", ",", "the", "dog", "!", "isn't", "1_a", "caf\xc3\xa9", "?"));
    EXPECT_THAT(SplitWords("a!!b"), ElementsAre("a", "!", "!", "b"));
    EXPECT_TRUE(SplitWords("  @# ").empty());
}

TEST(TextTokensTest, FillsUpInFrontAndCutsTheEnd)
{
    Vocabulary vocabulary;
    EXPECT_TRUE(vocabulary.Add("one"));
    EXPECT_TRUE(vocabulary.Add("two"));
    EXPECT_FALSE(vocabulary.Add("one"));
    EXPECT_EQ(vocabulary.Size(), 4U);
    EXPECT_THAT(EncodeWords("two ONE three", vocabulary, 5), ElementsAre(0, 0, 3, 2, 1));
    EXPECT_THAT(EncodeWords("two one three", vocabulary, 2), ElementsAre(3, 2));
    EXPECT_THAT(EncodeWords("", vocabulary, 2), ElementsAre(0, 0));
}

TEST(TextTokensTest, CharactersAreThoseOfLeaf)
{
    EXPECT_EQ(EncodeCharacter('\n'), 0);
    EXPECT_EQ(EncodeCharacter(' '), 1);
    EXPECT_EQ(EncodeCharacter('0'), 11);
    EXPECT_EQ(EncodeCharacter('A'), 25);
    EXPECT_EQ(EncodeCharacter('a'), 53);
    EXPECT_EQ(EncodeCharacter('}'), 79);
    EXPECT_EQ(EncodeCharacter('\t'), 1);
    EXPECT_EQ(EncodeCharacter('\x80'), 1);
}

TEST_F(LeafFileTest, FemnistHasWriters)
{
    const auto data = LoadLeafDataSet(SETS + "femnist/train", LeafTask::FEMNIST);
    EXPECT_EQ(data->classes, 62U);
    EXPECT_THAT(data->labels, ElementsAre(0, 61, 35, 36));
    EXPECT_THAT(data->users, ElementsAre(0, 0, 1, 2));
    EXPECT_THAT(data->userNames, ElementsAre("f0001_41", "f0002_10", "f0003_02"));
    for (std::size_t sample = 0; sample < 4; ++sample)
    {
        for (std::size_t place = 0; place < 784; ++place)
        {
            ASSERT_EQ(data->features[sample * 784 + place], (31 * sample + place) % 256);
        }
    }
}

TEST_F(LeafFileTest, ShakespeareHasRoles)
{
    const auto data = LoadLeafDataSet(SETS + "shakespeare/train", LeafTask::SHAKESPEARE);
    EXPECT_EQ(data->vocabulary, 80U);
    EXPECT_EQ(data->classes, 80U);
    EXPECT_THAT(data->sampleShape, ElementsAre(80));
    EXPECT_THAT(data->userNames, ElementsAre("RICHARD_III"));
    EXPECT_EQ(data->tokens[0], EncodeCharacter('N'));
    EXPECT_EQ(data->tokens[35], EncodeCharacter('\n'));
    EXPECT_EQ(data->tokens[80], EncodeCharacter('s')); // the second begins 5 later
    // What follows the first 80 characters is the label of the first, and in the second sample.
    EXPECT_EQ(data->labels[0], data->tokens[80 + 75]);
    EXPECT_EQ(data->labels[1], EncodeCharacter(' '));
}

TEST_F(LeafFileTest, Sentiment140HasWords)
{
    Vocabulary words;
    words.Add("the");
    words.Add("dog");
    const auto data = LoadLeafDataSet(SETS + "sentiment140/train", LeafTask::SENTIMENT140, words);
    EXPECT_EQ(data->vocabulary, 4U);
    EXPECT_THAT(data->labels, ElementsAre(0, 1, 1));
    EXPECT_THAT(data->userNames, ElementsAre("ann", "bob"));
    EXPECT_THAT(std::vector<int32_t>(data->tokens.begin() + 17, data->tokens.begin() + 25),
                ElementsAre(0, 0, 2, 1, 1, 2, 3, 1)); // the cat , the dog !
    EXPECT_EQ(std::count(data->tokens.begin() + 50, data->tokens.end(), 1), 25);
}

TEST_F(LeafFileTest, VocabularyIsByFrequencyThenAlphabet)
{
    const Vocabulary words = MakeLeafVocabulary(SETS + "sentiment140/train", 4);
    EXPECT_EQ(words.Size(), 6U);
    EXPECT_EQ(words.Find("the"), 2); // three times; all others once
    EXPECT_EQ(words.Find("!"), 3);
    EXPECT_EQ(words.Find(","), 4);
    EXPECT_EQ(words.Find("1"), 5);
    EXPECT_EQ(words.Find("cat"), Vocabulary::UNKNOWN);
}

TEST_F(LeafFileTest, KeysComeInAnyOrderAndUsersAgain)
{
    const std::string character = R"(["a"])";
    const std::string text = "[\"" + std::string(80, 'b') + "\"]";
    const std::string user = R"({"y": )" + character + R"(, "z": {"x": [1]}, "x": )" + text + "}";
    const std::string content =
        R"({"user_data": {"u": )" + user +
        R"(}, "more": [{"x": 1}, null], "num_samples": [1], "users": ["u"]})";
    Write("b.json", content);
    Write("a.json", content);
    const auto data = LoadLeafDataSet(Folder(), LeafTask::SHAKESPEARE);
    EXPECT_EQ(data->Size(), 2U);
    EXPECT_THAT(data->users, ElementsAre(0, 0));
}

TEST_F(LeafFileTest, RefusesWhatDoesNotBelong)
{
    const auto expect = [&](LeafTask task, const std::string& user, const std::string& problem) {
        const std::string content =
            R"({"users": ["u"], "num_samples": [1], "user_data": {"u": )" + user + "}}";
        EXPECT_THAT(ErrorOf(task, content),
                    AllOf(HasSubstr("data.json"), HasSubstr("user 'u'"), HasSubstr(problem)));
    };
    const std::string said = "\"" + std::string(80, 'b') + "\"";
    expect(LeafTask::SHAKESPEARE, R"({"x": ["short"], "y": ["a"]})", "text of 5 bytes");
    expect(LeafTask::SHAKESPEARE, R"({"x": [], "y": ["a"]})", "0 samples (x) and 1 labels (y)");
    expect(LeafTask::SHAKESPEARE, R"({"x": [)" + said + R"(], "y": ["ab"]})", "label 'ab'");
    expect(
        LeafTask::SHAKESPEARE, R"({"x": [)" + said + R"(], "y": [1]})", "expected one character");
    expect(LeafTask::SHAKESPEARE, R"({"x": [1], "y": ["a"]})", "found a number");
    expect(LeafTask::SHAKESPEARE, R"({"x": [[1]], "y": ["a"]})", "array in place of data");
    expect(LeafTask::SHAKESPEARE, R"({"x": [null], "y": ["a"]})", "null in place of data");
    expect(LeafTask::SHAKESPEARE, R"({"x": [{}], "y": ["a"]})", "object in place of data");
    expect(LeafTask::SHAKESPEARE, R"({"x": [], "y": []})", "found 0 samples, expected 1");
    expect(LeafTask::FEMNIST, R"({"x": [[0.5]], "y": [1]})", "found 1 elements, expected 784");
    expect(LeafTask::FEMNIST, R"({"x": [[1.5]], "y": [1]})", "pixel 0 of value 1.5");
    expect(LeafTask::FEMNIST, R"({"x": [["a"]], "y": [1]})", "found the text 'a'");
    expect(LeafTask::FEMNIST, R"({"y": [62]})", "label 62, expected a number from 0 to 61");
    expect(LeafTask::FEMNIST, R"({"y": ["4"]})", "label '4', expected a number from 0 to 61");
    expect(LeafTask::SENTIMENT140, R"({"y": ["2"]})", "label 2, expected 0, 1 or 4");
    expect(LeafTask::SENTIMENT140, R"({"y": ["a"]})", "label 'a', expected 0, 1 or 4");
    expect(LeafTask::FEMNIST, R"({"y": [-1]})", "label -1");
    expect(LeafTask::FEMNIST, R"({"y": ["a"]})", "expected a number");
    expect(LeafTask::SENTIMENT140, R"({"x": [["1", "2"]], "y": [1]})", "found 2 elements");
    expect(LeafTask::SENTIMENT140, R"({"x": [[1, "", "", "", 5]], "y": [1]})", "expected a text");
    expect(LeafTask::SENTIMENT140, R"({"x": ["text"], "y": [1]})", "expected an array");
}

TEST_F(LeafFileTest, RefusesFilesThatContradictThemselves)
{
    const std::string sample = R"({"x": [")" + std::string(80, 'b') + R"("], "y": ["a"]})";
    const auto error = [&](const std::string& content) {
        return ErrorOf(LeafTask::SHAKESPEARE, content);
    };
    EXPECT_THAT(error(R"({"users": ["u", "v"], "num_samples": [1, 1], "user_data": {"u": )" +
                      sample + "}}"),
                HasSubstr("2 users, 2 numbers of samples and the data of 1"));
    EXPECT_THAT(
        error(R"({"users": ["v"], "num_samples": [1], "user_data": {"u": )" + sample + "}}"),
        HasSubstr("user 'v': found 0 samples, expected 1"));
    EXPECT_THAT(
        error(R"({"users": ["u"], "num_samples": [2], "user_data": {"u": )" + sample + "}}"),
        HasSubstr("user 'u': found 1 samples, expected 2"));
    EXPECT_THAT(error(R"({"users": ["u", "u"], "num_samples": [1, 1], "user_data": {"u": )" +
                      sample + R"(, "u": )" + sample + "}}"),
                HasSubstr("twice"));
    EXPECT_THAT(error(""), HasSubstr("no valid JSON"));
    EXPECT_THAT(error("{}"), HasSubstr("no samples"));
    EXPECT_THAT(error(R"({"user_data": [{"x": 1}, {"y": 2}], "users": [], "num_samples": []})"),
                HasSubstr("no samples"));
}

TEST_F(LeafFileTest, RefusesCutFiles)
{
    const std::string content = [] {
        std::ifstream file(SETS + "shakespeare/train/all_data_0_train_9.json");
        return std::string(std::istreambuf_iterator<char>(file), {});
    }();
    for (std::size_t size = 0; size < content.size(); ++size)
    {
        EXPECT_THAT(ErrorOf(LeafTask::SHAKESPEARE, content.substr(0, size)),
                    AllOf(HasSubstr("data.json: byte"), HasSubstr("no valid JSON")));
    }
    EXPECT_THAT(ErrorOf(LeafTask::SHAKESPEARE, Gzip(content).substr(0, 100)),
                HasSubstr("data.json"));
}

TEST_F(LeafFileTest, RefusesAFolderWithoutFiles)
{
    EXPECT_THROW(LoadLeafDataSet(Folder(), LeafTask::FEMNIST), DataFileError);
    EXPECT_THROW(LoadLeafDataSet(Folder() + "/none", LeafTask::FEMNIST), DataFileError);
}

} // namespace
