/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-data-set-file.h"

#include "collab-data-file.h"
#include "collab-tensor-file.h"

#include "ns3/collab-error.h"
#include "ns3/collab-number.h"
#include "ns3/collab-standardization.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

constexpr int64_t MOST_CLASSES = 1'000'000;  //!< more are no classes
constexpr uint64_t CHUNK_NUMBERS = 1 << 18;  //!< read at once where samples are left out
constexpr const char* TEST_PREFIX = "test_"; //!< of the tensors of a published test part

/// @param training the training part
/// @param way way in which a file says that it is to be standardized
/// @return mean and deviation
Standardization
Measure(const DataSet& training, const std::string& way)
{
    if (way == "channels")
    {
        return MeasureChannels(training);
    }
    return way == "all" ? MeasureAll(training) : MeasureFeatures(training);
}

/// @param values ascending
/// @return the last of them; -1 if there are none or it is negative
int64_t
GetLast(const std::vector<int64_t>& values)
{
    return values.empty() ? -1 : std::max<int64_t>(values.back(), -1);
}

/// Loads parts of one file.
class DataSetReader
{
  public:
    /// @param path path of the file
    /// @param split way to divide the samples if there is no test part
    DataSetReader(const std::string& path, const TestSplit& split);

    /// @param train whether to load the training part, or else the test part
    /// @return that part, not standardized
    DataSet Load(bool train);

    /// @brief Standardize a part as the file says, by the training part.
    /// @param part either of them
    /// @param train whether it is the training part
    void Standardize(DataSet& part, bool train);

  private:
    /// @param key key of the metadata
    /// @param problem what was found and what was expected
    [[noreturn]] void FailAtMetadata(const std::string& key, const std::string& problem) const;
    /// @param key key of the metadata
    /// @return the number of its text; 0 if there is none
    uint32_t GetCount(const std::string& key) const;
    /// @param key key of the metadata
    /// @param expected what it is to be
    /// @return the list of its text; empty if there is none
    template <typename Value>
    std::vector<Value> GetList(const std::string& key, const char* expected) const;
    /// @param name name of a tensor
    /// @return that tensor
    const TensorEntry& Need(const std::string& name) const;
    /// Refuse tensors of unknown names.
    void CheckNames() const;
    /// @param features features of either part
    /// @return what they are
    FeatureKind GetKind(const TensorEntry& features) const;
    /// @param names names of tensors of whole numbers, of which some may be missing
    /// @return all their different numbers, ascending
    std::vector<int64_t> FindDistinct(const std::vector<std::string>& names);
    /// @param name name of a tensor with something for each sample
    /// @param[in,out] values values of the samples of the part
    template <typename Value>
    void Append(const std::string& name, std::vector<Value>& values);
    /// @param features features of either part, which must be samples like those of the training
    /// part
    void CheckShapes(const TensorEntry& features) const;
    /// @param train whether it is the training part
    /// @param data data that gets kind, shape and features
    void TakeFeatures(bool train, DataSet& data);
    /// @param data data that gets classes and labels, or outputs and targets
    void TakeAnswers(DataSet& data);
    /// @param data data that gets users and their names
    void TakeUsers(DataSet& data);
    /// @param data data that gets vocabulary and vectors
    void TakeVocabulary(DataSet& data);

    TensorFile m_file;               //!< the file
    TestSplit m_split;               //!< if it has no test part
    bool m_isPublished;              //!< whether it has one
    std::string m_prefix;            //!< of the names of tensors of the part
    uint64_t m_samples = 0;          //!< in these tensors
    std::vector<uint32_t> m_indices; //!< those of them that are the part; not used if all are
};

DataSetReader::DataSetReader(const std::string& path, const TestSplit& split)
    : m_file(path),
      m_split(split),
      m_isPublished(m_file.Find(std::string(TEST_PREFIX) + "features") != nullptr)
{
    CheckNames();
}

void
DataSetReader::FailAtMetadata(const std::string& key, const std::string& problem) const
{
    throw DataFileError(fmt::format("{}: metadata \"{}\": {}", m_file.GetPath(), key, problem));
}

uint32_t
DataSetReader::GetCount(const std::string& key) const
{
    const std::string text = m_file.GetMetadata(key);
    if (text.empty())
    {
        return 0;
    }
    const uint32_t count = ParseWholeNumber(text).value_or(0);
    if (count == 0)
    {
        FailAtMetadata(key, fmt::format("found '{}', expected a whole number from 1", text));
    }
    return count;
}

template <typename Value>
std::vector<Value>
DataSetReader::GetList(const std::string& key, const char* expected) const
{
    const std::string text = m_file.GetMetadata(key);
    try
    {
        return text.empty() ? std::vector<Value>()
                            : nlohmann::json::parse(text).get<std::vector<Value>>();
    }
    catch (const nlohmann::json::exception&)
    {
        FailAtMetadata(
            key,
            fmt::format("found '{}', expected a list of {} in JSON", text.substr(0, 40), expected));
    }
}

const TensorEntry&
DataSetReader::Need(const std::string& name) const
{
    const TensorEntry* entry = m_file.Find(name);
    if (!entry)
    {
        m_file.FailAtTensor(name, "not found");
    }
    return *entry;
}

void
DataSetReader::CheckNames() const
{
    const std::vector<std::string> known = {
        "features", "labels", "targets", "users", "token_vectors"};
    for (const TensorEntry& entry : m_file.GetTensors())
    {
        const bool isTest = entry.name.rfind(TEST_PREFIX, 0) == 0;
        const std::string name =
            isTest ? entry.name.substr(std::string(TEST_PREFIX).size()) : entry.name;
        const bool isKnown = std::find(known.begin(), known.end(), name) != known.end();
        if (!isKnown || (isTest && name == known.back()))
        {
            m_file.FailAtTensor(entry.name,
                                fmt::format("found a tensor of this name, expected only {}, and "
                                            "the first four with {} in front",
                                            fmt::join(known, ", "),
                                            TEST_PREFIX));
        }
    }
}

FeatureKind
DataSetReader::GetKind(const TensorEntry& features) const
{
    const std::string given = m_file.GetMetadata("kind");
    const std::string kind = !given.empty()          ? given
                             : features.type == "U8" ? "bytes"
                             : features.IsInteger()  ? "tokens"
                                                     : "numbers";
    const bool fits = (kind == "bytes" && features.type == "U8") ||
                      (kind == "tokens" && features.IsInteger()) || kind == "numbers";
    if (!fits)
    {
        FailAtMetadata("kind",
                       fmt::format("found '{}' with features of dtype {}, expected bytes (of U8), "
                                   "tokens (of whole numbers) or numbers",
                                   kind,
                                   features.type));
    }
    return kind == "bytes"    ? FeatureKind::BYTES
           : kind == "tokens" ? FeatureKind::TOKENS
                              : FeatureKind::NUMBERS;
}

std::vector<int64_t>
DataSetReader::FindDistinct(const std::vector<std::string>& names)
{
    std::vector<int64_t> all;
    for (const std::string& name : names)
    {
        if (const TensorEntry* entry = m_file.Find(name))
        {
            std::vector<int64_t> values(entry->Count());
            m_file.Read(*entry, 0, values.size(), values.data());
            all.insert(all.end(), values.begin(), values.end());
            std::sort(all.begin(), all.end());
            all.erase(std::unique(all.begin(), all.end()), all.end());
        }
    }
    return all;
}

template <typename Value>
void
DataSetReader::Append(const std::string& name, std::vector<Value>& values)
{
    const TensorEntry& entry = Need(name);
    if (entry.sizes.empty() || static_cast<uint64_t>(entry.sizes[0]) != m_samples)
    {
        m_file.FailAtTensor(name,
                            fmt::format("found shape ({}), expected {} rows, one a sample",
                                        fmt::join(entry.sizes, ", "),
                                        m_samples));
    }
    const uint64_t row = entry.Count() / m_samples;
    if (m_indices.size() == m_samples)
    {
        values.resize(entry.Count());
        m_file.Read(entry, 0, values.size(), values.data());
        return;
    }
    values.resize(m_indices.size() * row);
    const uint64_t most = std::max<uint64_t>(CHUNK_NUMBERS / std::max<uint64_t>(row, 1), 1);
    std::vector<Value> rows;
    uint64_t first = 0; // that rows hold
    uint64_t end = 0;
    Value* to = values.data();
    for (const uint32_t index : m_indices)
    {
        if (index >= end)
        {
            first = index;
            end = std::min(m_samples, first + most);
            rows.resize((end - first) * row);
            m_file.Read(entry, first * row, rows.size(), rows.data());
        }
        to = std::copy_n(rows.data() + (index - first) * row, row, to);
    }
}

void
DataSetReader::CheckShapes(const TensorEntry& features) const
{
    const auto& sizes = features.sizes;
    const bool isEmpty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
    if (sizes.size() < 2 || isEmpty || sizes[0] > std::numeric_limits<int32_t>::max())
    {
        m_file.FailAtTensor(
            features.name,
            fmt::format("found shape ({}), expected some samples x shape of a sample",
                        fmt::join(sizes, ", ")));
    }
    const TensorEntry& train = Need("features");
    const bool isAlike = sizes.size() == train.sizes.size() && features.type == train.type &&
                         std::equal(sizes.begin() + 1, sizes.end(), train.sizes.begin() + 1);
    if (!isAlike)
    {
        m_file.FailAtTensor(
            features.name,
            fmt::format("found shape ({}) of {}, expected samples as those of features, ({}) of {}",
                        fmt::join(sizes, ", "),
                        features.type,
                        fmt::join(train.sizes, ", "),
                        train.type));
    }
}

void
DataSetReader::TakeFeatures(bool train, DataSet& data)
{
    const TensorEntry& entry = Need(m_prefix + "features");
    CheckShapes(entry);
    data.kind = GetKind(entry);
    data.sampleShape.assign(entry.sizes.begin() + 1, entry.sizes.end());
    const auto count = static_cast<uint32_t>(entry.sizes[0]);
    m_samples = count;
    m_indices = m_isPublished ? std::vector<uint32_t>(count) : m_split.Take(count, train);
    if (m_indices.empty())
    {
        m_file.FailAtTensor(
            entry.name,
            fmt::format("found {} samples, of which none is in the {} part with testFraction {}",
                        count,
                        train ? "training" : "test",
                        m_split.fraction));
    }
    switch (data.kind)
    {
    case FeatureKind::BYTES:
        Append(entry.name, data.features);
        break;
    case FeatureKind::NUMBERS:
        Append(entry.name, data.numbers);
        break;
    case FeatureKind::TOKENS:
        Append(entry.name, data.tokens);
        break;
    }
}

void
DataSetReader::TakeAnswers(DataSet& data)
{
    const TensorEntry* targets = m_file.Find(m_prefix + "targets");
    if (targets)
    {
        if (m_file.Find(m_prefix + "labels"))
        {
            m_file.FailAtTensor(targets->name, "found beside labels, expected one of them");
        }
        Append(targets->name, data.targets);
        data.outputs = static_cast<uint32_t>(data.targets.size() / m_indices.size());
        return;
    }
    Append(m_prefix + "labels", data.labels);
    if (data.labels.size() != m_indices.size())
    {
        m_file.FailAtTensor(m_prefix + "labels", "found more than one label a sample");
    }
    data.classes = GetCount("classes");
    if (data.classes == 0)
    {
        data.classes = static_cast<uint32_t>(GetList<std::string>("class_names", "texts").size());
    }
    const std::vector<int64_t> distinct = FindDistinct({"labels", "test_labels"});
    const int64_t greatest = GetLast(distinct);
    const int64_t most = data.classes > 0 ? int64_t{data.classes} : MOST_CLASSES;
    if (greatest >= most)
    {
        m_file.FailAtTensor(m_prefix + "labels",
                            fmt::format("found label {}, expected 0 to {}", greatest, most - 1));
    }
    const std::string gap = data.classes > 0 ? "" : FindLabelGap(distinct.size(), greatest);
    if (!gap.empty())
    {
        m_file.FailAtTensor(m_prefix + "labels", gap + ", or the metadata \"classes\"");
    }
    data.classes = data.classes > 0 ? data.classes : std::max<uint32_t>(greatest + 1, 2);
}

void
DataSetReader::TakeUsers(DataSet& data)
{
    if (!m_file.Find(m_prefix + "users"))
    {
        return;
    }
    std::vector<int64_t> users;
    Append(m_prefix + "users", users);
    data.userNames = GetList<std::string>("user_names", "texts");
    if (data.userNames.empty())
    {
        const int64_t greatest = GetLast(FindDistinct({"users", "test_users"}));
        const auto size = static_cast<int64_t>(m_file.GetSize()); // each takes at least a byte
        for (int64_t user = 0; user <= std::min(greatest, size); ++user)
        {
            data.userNames.push_back(fmt::format("{}", user));
        }
    }
    const auto isUser = [&data](int64_t user) {
        return user >= 0 && user < static_cast<int64_t>(data.userNames.size());
    };
    const auto wrong = std::find_if_not(users.begin(), users.end(), isUser);
    if (users.size() != m_indices.size() || wrong != users.end())
    {
        m_file.FailAtTensor(
            m_prefix + "users",
            fmt::format("found {}, expected one of {} users for each sample",
                        wrong == users.end() ? "several columns" : fmt::format("user {}", *wrong),
                        data.userNames.size()));
    }
    data.users.assign(users.begin(), users.end());
}

void
DataSetReader::TakeVocabulary(DataSet& data)
{
    data.vocabulary = data.kind == FeatureKind::TOKENS ? GetCount("vocabulary") : 0;
    if (data.kind == FeatureKind::TOKENS && data.vocabulary == 0)
    {
        FailAtMetadata("vocabulary", "not found, expected the number of tokens");
    }
    const TensorEntry* vectors = m_file.Find("token_vectors");
    if (!vectors)
    {
        return;
    }
    if (vectors->sizes.size() != 2)
    {
        m_file.FailAtTensor("token_vectors",
                            fmt::format("found shape ({}), expected tokens x dimension",
                                        fmt::join(vectors->sizes, ", ")));
    }
    auto matrix = std::make_shared<Matrix<float>>();
    matrix->rows = static_cast<std::size_t>(vectors->sizes[0]);
    matrix->columns = static_cast<std::size_t>(vectors->sizes[1]);
    matrix->values.resize(vectors->Count());
    m_file.Read(*vectors, 0, vectors->Count(), matrix->values.data());
    data.tokenVectors = std::move(matrix);
}

DataSet
DataSetReader::Load(bool train)
{
    DataSet data;
    const std::string name = m_file.GetMetadata("name");
    data.name =
        fmt::format("{} {}",
                    name.empty() ? std::filesystem::path(m_file.GetPath()).stem().string() : name,
                    train ? "train" : "test");
    m_prefix = m_isPublished && !train ? TEST_PREFIX : "";
    TakeFeatures(train, data);
    TakeAnswers(data);
    TakeUsers(data);
    TakeVocabulary(data);
    for (const auto& [key, values] :
         {std::pair("offset", &data.offset), std::pair("scale", &data.scale)})
    {
        const auto given = GetList<float>(key, "numbers");
        *values = given.empty() ? *values : given;
    }
    data.Validate();
    return data;
}

void
DataSetReader::Standardize(DataSet& part, bool train)
{
    const std::string way = m_file.GetMetadata("standardize");
    if (way.empty() || way == "none")
    {
        return;
    }
    const bool isBytes = part.kind == FeatureKind::BYTES;
    if (isBytes ? way != "channels"
                : part.kind != FeatureKind::NUMBERS || (way != "features" && way != "all"))
    {
        FailAtMetadata("standardize",
                       fmt::format("found '{}' with {}, expected none, features or all for "
                                   "numbers, none or channels for bytes",
                                   way,
                                   isBytes ? "bytes" : ToString(part.kind)));
    }
    const Standardization measured = train ? Measure(part, way) : Measure(Load(true), way);
    collab::Standardize(part, measured);
}

/// @param path path of a file
/// @param split way to divide the samples if there is no test part
/// @return what reads it
/// @throws DataFileError if it is none; of one by another name that says how to make it one
std::unique_ptr<DataSetReader>
Open(const std::string& path, const TestSplit& split)
{
    try
    {
        return std::make_unique<DataSetReader>(path, split);
    }
    catch (const DataFileError& error)
    {
        std::error_code unreadable;
        const bool isOther = std::filesystem::path(path).extension() != ".safetensors" &&
                             std::filesystem::exists(path, unreadable);
        throw DataFileError(
            isOther
                ? fmt::format("{}: is no data set file; ./collab data convert {} --out "
                              "FILE.safetensors makes one of tables (CSV), arrays and images ({})",
                              path,
                              path,
                              error.what())
                : error.what());
    }
}

} // namespace

std::shared_ptr<const DataSet>
LoadDataSetFile(const std::string& path, bool train, const TestSplit& split)
{
    const std::unique_ptr<DataSetReader> opened = Open(path, split);
    DataSetReader& reader = *opened;
    try
    {
        auto data = std::make_shared<DataSet>(reader.Load(train));
        reader.Standardize(*data, train);
        return data;
    }
    catch (const std::invalid_argument& error) // of checks that know nothing of files
    {
        throw DataFileError(fmt::format("{}: {}", path, error.what()));
    }
}

} // namespace ns3::collab
