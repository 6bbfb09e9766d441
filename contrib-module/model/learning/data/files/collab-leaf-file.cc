/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-leaf-file.h"

#include "collab-data-file.h"

#include "ns3/collab-error.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace ns3
{
namespace collab
{

namespace
{

constexpr std::size_t IMAGE_PIXELS = 28 * 28; //!< of FEMNIST
constexpr std::size_t TWEET_WORDS = 25;       //!< of SENTIMENT140
constexpr int POSITIVE_TWEET = 4;             //!< label of the original table, beside 1
constexpr std::size_t TWEET_TEXT = 4;         //!< place of the text: id, time, query, user, text
constexpr std::size_t SPOKEN_CHARACTERS = 80; //!< of SHAKESPEARE

/// Takes what belongs to samples out of the events of a parser of JSON.
class LeafReader : public nlohmann::json_sax<nlohmann::json>
{
  public:
    /**
     * @param task which data set
     * @param data to which samples are appended
     * @param takeTweet gets the text of every tweet
     */
    LeafReader(LeafTask task, DataSet& data, std::function<void(const std::string&)> takeTweet)
        : m_task(task),
          m_data(data),
          m_takeTweet(std::move(takeTweet))
    {
    }

    /**
     * @brief Read one file.
     * @param path of the file
     */
    void ReadFile(const std::string& path);

    bool null() override;
    bool boolean(bool value) override;
    bool number_integer(number_integer_t value) override;
    bool number_unsigned(number_unsigned_t value) override;
    bool number_float(number_float_t value, const string_t& text) override;
    bool string(string_t& value) override;
    bool binary(binary_t& value) override;
    bool start_object(std::size_t elements) override;
    bool key(string_t& value) override;
    bool end_object() override;
    bool start_array(std::size_t elements) override;
    bool end_array() override;
    bool parse_error(std::size_t position,
                     const std::string& token,
                     const nlohmann::detail::exception& error) override;

  private:
    /// Where in the file an event is.
    enum class Place : uint8_t
    {
        USER_NAMES,  //!< elements of "users"
        USER_COUNTS, //!< elements of "num_samples"
        SAMPLES,     //!< elements of "x" of a user
        SAMPLE,      //!< elements of an element of "x"
        LABELS,      //!< elements of "y" of a user
        ELSEWHERE,   //!< not of interest
    };

    /// @return where a value that comes now is
    Place FindPlace() const;

    /// @param user name of a user whose samples begin
    void BeginUser(const std::string& user);

    /// Check the samples of the user whose samples end.
    void EndUser();

    /// @param value element of an array
    void TakeNumber(double value);

    /// @param value element of "x" or of an element of it
    void TakeText(const std::string& value);

    /// @param value element of "y"
    void TakeLabelNumber(double value);

    /// @param value element of "y": a character, or a number in quotes as some files of tweets have
    void TakeLabelText(const std::string& value);

    /// @return the labels that are allowed
    std::string DescribeLabels() const;

    /// @param value class of a sample
    void TakeLabel(int64_t value);

    /// Check and finish an element of "x" that was an array.
    void EndSample();

    /// Compare what the file says about its users with what it held.
    void CheckUsers() const;

    /// @param problem what was found and what was expected
    [[noreturn]] void Fail(const std::string& problem) const;

    LeafTask m_task;                                     //!< which data set
    DataSet& m_data;                                     //!< to which samples are appended
    std::function<void(const std::string&)> m_takeTweet; //!< gets the text of every tweet
    std::map<std::string, uint32_t> m_userIndices;       //!< of all users of all files
    std::string m_path;                                  //!< of the present file
    std::size_t m_depth = 0;                             //!< number of open objects and arrays
    std::string m_section;                               //!< last key of the whole file's object
    std::string m_user;                                  //!< last key of "user_data"
    bool m_inUser = false; //!< between the key of a user and the end of the object behind it
    std::string m_field;   //!< last key of a user
    std::vector<std::string> m_names;           //!< elements of "users"
    std::vector<double> m_counts;               //!< elements of "num_samples"
    std::map<std::string, std::size_t> m_found; //!< samples of each user of this file
    std::size_t m_samples = 0;                  //!< elements of "x" of this user
    std::size_t m_labels = 0;                   //!< elements of "y" of this user
    std::size_t m_elements = 0;                 //!< of the present element of "x"
};

void
LeafReader::ReadFile(const std::string& path)
{
    m_path = path;
    m_depth = 0;
    m_section.clear();
    m_user.clear();
    m_inUser = false;
    m_field.clear();
    m_names.clear();
    m_counts.clear();
    m_found.clear();
    DataFile file(path);
    std::istream stream(file.GetBuffer());
    try
    {
        nlohmann::json::sax_parse(stream, this);
    }
    catch (const std::ios_base::failure& error)
    {
        Fail(fmt::format("found damaged data ({}), expected more JSON", error.what()));
    }
    CheckUsers();
}

LeafReader::Place
LeafReader::FindPlace() const
{
    if (m_depth == 2 && m_section == "users")
    {
        return Place::USER_NAMES;
    }
    if (m_depth == 2 && m_section == "num_samples")
    {
        return Place::USER_COUNTS;
    }
    if (m_section == "user_data" && m_field == "y" && m_depth == 4)
    {
        return Place::LABELS;
    }
    if (m_section == "user_data" && m_field == "x" && m_depth >= 4)
    {
        return m_depth == 4 ? Place::SAMPLES : Place::SAMPLE;
    }
    return Place::ELSEWHERE;
}

void
LeafReader::BeginUser(const std::string& user)
{
    m_user = user;
    m_inUser = true;
    m_field.clear();
    m_samples = 0;
    m_labels = 0;
    const auto index = static_cast<uint32_t>(m_userIndices.size());
    if (m_userIndices.emplace(user, index).second)
    {
        m_data.userNames.push_back(user);
    }
    if (!m_found.emplace(user, 0).second)
    {
        Fail("found the same user twice in one file");
    }
}

void
LeafReader::EndUser()
{
    if (m_samples != m_labels)
    {
        Fail(fmt::format(
            "found {} samples (x) and {} labels (y), expected equally many", m_samples, m_labels));
    }
    m_found[m_user] = m_samples;
    m_data.users.insert(m_data.users.end(), m_samples, m_userIndices.at(m_user));
    m_inUser = false;
    m_field.clear();
}

void
LeafReader::TakeNumber(double value)
{
    switch (FindPlace())
    {
    case Place::USER_COUNTS:
        m_counts.push_back(value);
        break;
    case Place::LABELS:
        TakeLabelNumber(value);
        break;
    case Place::SAMPLE:
        if (m_task != LeafTask::FEMNIST)
        {
            if (m_elements == TWEET_TEXT)
            {
                Fail(fmt::format("sample {}: found a number, expected a text", m_samples));
            }
            ++m_elements;
            break;
        }
        if (m_depth != 5 || !(value >= 0 && value <= 1) || m_elements == IMAGE_PIXELS)
        {
            Fail(fmt::format("sample {}: found pixel {} of value {}, expected {} from 0 to 1",
                             m_samples,
                             m_elements,
                             value,
                             IMAGE_PIXELS));
        }
        m_data.features.push_back(static_cast<uint8_t>(std::lround(value * 255)));
        ++m_elements;
        break;
    case Place::SAMPLES:
        Fail(fmt::format("sample {}: found a number, expected an array or a text", m_samples));
    case Place::USER_NAMES:
    case Place::ELSEWHERE:
        break;
    }
}

void
LeafReader::TakeText(const std::string& value)
{
    switch (FindPlace())
    {
    case Place::USER_NAMES:
        m_names.push_back(value);
        break;
    case Place::LABELS:
        TakeLabelText(value);
        break;
    case Place::SAMPLES:
        if (m_task != LeafTask::SHAKESPEARE || value.size() != SPOKEN_CHARACTERS)
        {
            Fail(fmt::format("sample {}: found a text of {} bytes, expected {}",
                             m_samples,
                             value.size(),
                             m_task == LeafTask::SHAKESPEARE
                                 ? fmt::format("{} characters", SPOKEN_CHARACTERS)
                                 : "an array"));
        }
        std::transform(
            value.begin(), value.end(), std::back_inserter(m_data.tokens), EncodeCharacter);
        ++m_samples;
        break;
    case Place::SAMPLE:
        if (m_task == LeafTask::SENTIMENT140 && m_depth == 5 && m_elements == TWEET_TEXT)
        {
            m_takeTweet(value);
        }
        else if (m_task != LeafTask::SENTIMENT140)
        {
            Fail(fmt::format("sample {}: found the text '{}' in an array, expected numbers",
                             m_samples,
                             Shortened(value)));
        }
        ++m_elements;
        break;
    case Place::USER_COUNTS:
    case Place::ELSEWHERE:
        break;
    }
}

void
LeafReader::TakeLabelNumber(double value)
{
    if (m_task == LeafTask::SENTIMENT140 && value == POSITIVE_TWEET)
    {
        TakeLabel(1);
        return;
    }
    if (m_task == LeafTask::SHAKESPEARE || !(value >= 0) || !(value < m_data.classes) ||
        value != std::floor(value))
    {
        Fail(fmt::format("found label {}, expected {}", value, DescribeLabels()));
    }
    TakeLabel(static_cast<int64_t>(value));
}

void
LeafReader::TakeLabelText(const std::string& value)
{
    if (m_task == LeafTask::SENTIMENT140 && value.size() == 1 && value.front() >= '0' &&
        value.front() <= '9')
    {
        TakeLabelNumber(value.front() - '0');
        return;
    }
    if (m_task != LeafTask::SHAKESPEARE || value.size() != 1)
    {
        Fail(fmt::format("found label '{}', expected {}", Shortened(value), DescribeLabels()));
    }
    TakeLabel(EncodeCharacter(value.front()));
}

std::string
LeafReader::DescribeLabels() const
{
    switch (m_task)
    {
    case LeafTask::SHAKESPEARE:
        return "one character";
    case LeafTask::SENTIMENT140:
        return fmt::format("0, 1 or {}", POSITIVE_TWEET);
    default:
        return fmt::format("a number from 0 to {}", m_data.classes - 1);
    }
}

void
LeafReader::TakeLabel(int64_t value)
{
    m_data.labels.push_back(value);
    ++m_labels;
}

void
LeafReader::EndSample()
{
    const bool image = m_task == LeafTask::FEMNIST;
    if (image ? m_elements != IMAGE_PIXELS : m_elements <= TWEET_TEXT)
    {
        Fail(fmt::format("sample {}: found {} elements, expected {}",
                         m_samples,
                         m_elements,
                         image ? fmt::format("{} pixels", IMAGE_PIXELS)
                               : "id, time, query, user and text"));
    }
    ++m_samples;
}

void
LeafReader::CheckUsers() const
{
    if (m_names.size() != m_counts.size() || m_names.size() != m_found.size())
    {
        throw DataFileError(
            fmt::format("{}: found {} users, {} numbers of samples and the data of {}, expected "
                        "equally many",
                        m_path,
                        m_names.size(),
                        m_counts.size(),
                        m_found.size()));
    }
    for (std::size_t i = 0; i < m_names.size(); ++i)
    {
        const auto found = m_found.find(m_names[i]);
        if (found == m_found.end() || static_cast<double>(found->second) != m_counts[i])
        {
            throw DataFileError(fmt::format("{}: user '{}': found {} samples, expected {}",
                                            m_path,
                                            Shortened(m_names[i]),
                                            found == m_found.end() ? 0 : found->second,
                                            m_counts[i]));
        }
    }
}

void
LeafReader::Fail(const std::string& problem) const
{
    throw DataFileError(fmt::format("{}: user '{}': {}", m_path, Shortened(m_user), problem));
}

bool
LeafReader::null()
{
    if (FindPlace() != Place::ELSEWHERE)
    {
        Fail("found null in place of data");
    }
    return true;
}

bool
LeafReader::boolean(bool)
{
    return null();
}

bool
LeafReader::number_integer(number_integer_t value)
{
    TakeNumber(static_cast<double>(value));
    return true;
}

bool
LeafReader::number_unsigned(number_unsigned_t value)
{
    TakeNumber(static_cast<double>(value));
    return true;
}

bool
LeafReader::number_float(number_float_t value, const string_t&)
{
    TakeNumber(value);
    return true;
}

bool
LeafReader::string(string_t& value)
{
    TakeText(value);
    return true;
}

bool
LeafReader::binary(binary_t&)
{
    return null();
}

bool
LeafReader::start_object(std::size_t)
{
    if (FindPlace() != Place::ELSEWHERE)
    {
        Fail("found an object in place of data");
    }
    ++m_depth;
    return true;
}

bool
LeafReader::key(string_t& value)
{
    if (m_depth == 1)
    {
        m_section = value;
    }
    else if (m_depth == 2 && m_section == "user_data")
    {
        BeginUser(value);
    }
    else if (m_depth == 3 && m_inUser)
    {
        m_field = value;
    }
    return true;
}

bool
LeafReader::end_object()
{
    if (m_depth == 3 && m_inUser)
    {
        EndUser();
    }
    --m_depth;
    return true;
}

bool
LeafReader::start_array(std::size_t)
{
    const Place place = FindPlace();
    const bool sample = place == Place::SAMPLES && m_task != LeafTask::SHAKESPEARE;
    if (!sample && place != Place::ELSEWHERE)
    {
        Fail("found an array in place of data");
    }
    ++m_depth;
    m_elements = 0;
    return true;
}

bool
LeafReader::end_array()
{
    --m_depth;
    if (FindPlace() == Place::SAMPLES)
    {
        EndSample();
    }
    return true;
}

bool
LeafReader::parse_error(std::size_t position,
                        const std::string&,
                        const nlohmann::detail::exception& error)
{
    throw DataFileError(fmt::format(
        "{}: byte {}: found no valid JSON: {}", m_path, position, Shortened(error.what())));
}

/**
 * @param folder where to look
 * @return paths of the files *.json in it, by name
 */
std::vector<std::string>
FindFiles(const std::string& folder)
{
    std::vector<std::string> paths;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
    {
        if (entry.path().extension() == ".json")
        {
            paths.push_back(entry.path().string());
        }
    }
    if (paths.empty())
    {
        throw DataFileError(
            fmt::format("{}: no files *.json in this folder, expected at least one", folder));
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

/**
 * @param folder with the files
 * @param task which data set
 * @param data gets the samples
 * @param takeTweet gets the text of every tweet
 */
void
ReadFolder(const std::string& folder,
           LeafTask task,
           DataSet& data,
           const std::function<void(const std::string&)>& takeTweet)
{
    LeafReader reader(task, data, takeTweet);
    for (const std::string& path : FindFiles(folder))
    {
        reader.ReadFile(path);
    }
    if (data.labels.empty())
    {
        throw DataFileError(fmt::format("{}: found no samples in the files *.json", folder));
    }
}

/**
 * @param task which data set
 * @return name, shape and classes, without samples
 */
DataSet
DescribeTask(LeafTask task)
{
    DataSet data;
    switch (task)
    {
    case LeafTask::FEMNIST:
        data.name = "femnist";
        data.sampleShape = {1, 28, 28};
        data.classes = 62;
        break;
    case LeafTask::SENTIMENT140:
        data.name = "sentiment140";
        data.kind = FeatureKind::TOKENS;
        data.sampleShape = {TWEET_WORDS};
        data.classes = 2;
        break;
    case LeafTask::SHAKESPEARE:
        data.name = "shakespeare";
        data.kind = FeatureKind::TOKENS;
        data.sampleShape = {SPOKEN_CHARACTERS};
        data.classes = CHARACTER_COUNT;
        data.vocabulary = CHARACTER_COUNT;
        break;
    }
    return data;
}

} // namespace

std::shared_ptr<DataSet>
LoadLeafDataSet(const std::string& folder, LeafTask task, const Vocabulary& vocabulary)
{
    auto data = std::make_shared<DataSet>(DescribeTask(task));
    if (task == LeafTask::SENTIMENT140)
    {
        data->vocabulary = vocabulary.Size();
    }
    ReadFolder(folder, task, *data, [&](const std::string& tweet) {
        const auto tokens = EncodeWords(tweet, vocabulary, TWEET_WORDS);
        data->tokens.insert(data->tokens.end(), tokens.begin(), tokens.end());
    });
    data->Validate();
    return data;
}

Vocabulary
MakeLeafVocabulary(const std::string& folder, uint32_t mostWords)
{
    std::map<std::string, uint64_t> counts;
    DataSet data = DescribeTask(LeafTask::SENTIMENT140);
    ReadFolder(folder, LeafTask::SENTIMENT140, data, [&](const std::string& tweet) {
        for (const std::string& word : SplitWords(tweet))
        {
            ++counts[word];
        }
    });
    std::vector<std::pair<std::string, uint64_t>> ordered(counts.begin(), counts.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& left, const auto& right) {
        return left.second > right.second;
    });
    Vocabulary vocabulary;
    for (std::size_t i = 0; i < std::min<std::size_t>(mostWords, ordered.size()); ++i)
    {
        vocabulary.Add(ordered[i].first);
    }
    return vocabulary;
}

} // namespace collab
} // namespace ns3
