/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-hdf5-data-set.h"

#include "ns3/collab-error.h"

#include <fmt/format.h>

#ifdef COLLAB_HAVE_HDF5
#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <utility>
#include <vector>
#endif

namespace ns3
{
namespace collab
{

Hdf5Layout
GetRadiomlLayout()
{
    Hdf5Layout layout;
    layout.name = "radioml-2016.10a";
    layout.filter = "snr";
    return layout;
}

#ifdef COLLAB_HAVE_HDF5

namespace
{

/// More than a filter of HDF5 can compress by: a data set that says it is larger lies.
constexpr double GREATEST_COMPRESSION = 1100;
constexpr int64_t MOST_CLASSES = 1 << 20; //!< a greater label is taken for damage

/// An identifier of HDF5, closed when it goes out of scope.
class Hdf5Handle
{
  public:
    /**
     * @param id from HDF5; negative if what was asked for failed
     * @param close function that closes it
     */
    Hdf5Handle(hid_t id, herr_t (*close)(hid_t))
        : m_id(id),
          m_close(close)
    {
    }

    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;

    ~Hdf5Handle()
    {
        if (m_id >= 0)
        {
            m_close(m_id);
        }
    }

    /// @return the identifier
    hid_t
    Get() const
    {
        return m_id;
    }

  private:
    hid_t m_id;               //!< negative if there is none
    herr_t (*m_close)(hid_t); //!< closes it
};

/// Keeps HDF5 from printing errors by itself.
class Hdf5Silence
{
  public:
    Hdf5Silence()
    {
        H5Eget_auto2(H5E_DEFAULT, &m_function, &m_data);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }

    Hdf5Silence(const Hdf5Silence&) = delete;
    Hdf5Silence& operator=(const Hdf5Silence&) = delete;

    ~Hdf5Silence()
    {
        H5Eset_auto2(H5E_DEFAULT, m_function, m_data);
    }

  private:
    H5E_auto2_t m_function = nullptr; //!< what printed them before
    void* m_data = nullptr;           //!< its argument
};

/**
 * @param path of the file
 * @param name of a data set in it
 * @param problem what was found and what was expected
 */
[[noreturn]] void
Fail(const std::string& path, const std::string& name, const std::string& problem)
{
    throw DataFileError(fmt::format("{}: data set {}: {}", path, name, problem));
}

/**
 * @param path of the file
 * @param name of the data set
 * @param set the data set
 * @return its dimensions
 */
std::vector<hsize_t>
DimensionsOf(const std::string& path, const std::string& name, hid_t set)
{
    const Hdf5Handle space(H5Dget_space(set), H5Sclose);
    const int rank = space.Get() < 0 ? -1 : H5Sget_simple_extent_ndims(space.Get());
    std::vector<hsize_t> dimensions(static_cast<std::size_t>(std::max(rank, 0)));
    if (rank < 1 || H5Sget_simple_extent_dims(space.Get(), dimensions.data(), nullptr) != rank)
    {
        Fail(path, name, "found no array");
    }
    double elements = 1;
    for (hsize_t dimension : dimensions)
    {
        elements *= static_cast<double>(dimension);
    }
    const auto most = GREATEST_COMPRESSION * static_cast<double>(H5Dget_storage_size(set));
    if (elements < 1 || elements > most)
    {
        Fail(path,
             name,
             fmt::format("found dimensions {} of {} stored bytes, expected at least one element "
                         "and no more than are stored",
                         fmt::join(dimensions, " x "),
                         H5Dget_storage_size(set)));
    }
    return dimensions;
}

/**
 * @tparam Value what to read elements as
 * @param file to read from
 * @param path of the file
 * @param name of a data set
 * @param memoryType HDF5's name of Value
 * @param allowed classes of type in the file
 * @return dimensions and elements
 */
template <typename Value>
std::pair<std::vector<hsize_t>, std::vector<Value>>
ReadArray(hid_t file,
          const std::string& path,
          const std::string& name,
          hid_t memoryType,
          const std::vector<H5T_class_t>& allowed)
{
    const Hdf5Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (set.Get() < 0)
    {
        Fail(path, name, "not found");
    }
    const Hdf5Handle type(H5Dget_type(set.Get()), H5Tclose);
    const H5T_class_t found = type.Get() < 0 ? H5T_NO_CLASS : H5Tget_class(type.Get());
    if (std::find(allowed.begin(), allowed.end(), found) == allowed.end())
    {
        Fail(path, name, "found elements that are no numbers of the type that is needed");
    }
    const auto dimensions = DimensionsOf(path, name, set.Get());
    std::size_t size = 1;
    for (hsize_t dimension : dimensions)
    {
        size *= static_cast<std::size_t>(dimension);
    }
    std::vector<Value> values(size);
    if (H5Dread(set.Get(), memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    {
        Fail(path, name, "found damaged or truncated data");
    }
    return {dimensions, std::move(values)};
}

/**
 * @param file to read from
 * @param path of the file
 * @param name of a data set
 * @param samples number of elements that it must have
 * @return its elements
 */
std::vector<int64_t>
ReadIntegers(hid_t file, const std::string& path, const std::string& name, std::size_t samples)
{
    auto [dimensions, values] =
        ReadArray<int64_t>(file, path, name, H5T_NATIVE_INT64, {H5T_INTEGER});
    if (dimensions.size() != 1 || values.size() != samples)
    {
        Fail(path,
             name,
             fmt::format("found dimensions {}, expected {} as there are samples",
                         fmt::join(dimensions, " x "),
                         samples));
    }
    return values;
}

/**
 * @param path of the file
 * @param layout what was read from it
 * @param data with everything but classes
 */
void
CheckContents(const std::string& path, const Hdf5Layout& layout, DataSet& data)
{
    const auto strange = std::find_if_not(
        data.numbers.begin(), data.numbers.end(), [](float value) { return std::isfinite(value); });
    if (strange != data.numbers.end())
    {
        Fail(path,
             layout.samples,
             fmt::format("element {}: found {}, expected a finite number",
                         strange - data.numbers.begin(),
                         *strange));
    }
    const auto wrong = std::find_if_not(data.labels.begin(), data.labels.end(), [](int64_t label) {
        return label >= 0 && label < MOST_CLASSES;
    });
    if (wrong != data.labels.end())
    {
        Fail(path,
             layout.labels,
             fmt::format("element {}: found label {}, expected 0 to {}",
                         wrong - data.labels.begin(),
                         *wrong,
                         MOST_CLASSES - 1));
    }
    data.classes = static_cast<uint32_t>(
        std::max<int64_t>(*std::max_element(data.labels.begin(), data.labels.end()) + 1, 2));
}

/**
 * @param values value of every sample
 * @param least samples with less are left out
 * @param data from which they are removed
 */
void
KeepFrom(const std::vector<int64_t>& values, int64_t least, DataSet& data)
{
    const std::size_t size = data.SampleSize();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (values[i] >= least)
        {
            data.labels[kept] = data.labels[i];
            std::copy_n(data.numbers.begin() + static_cast<std::ptrdiff_t>(i * size),
                        size,
                        data.numbers.begin() + static_cast<std::ptrdiff_t>(kept * size));
            ++kept;
        }
    }
    data.labels.resize(kept);
    data.numbers.resize(kept * size);
}

} // namespace

std::shared_ptr<DataSet>
LoadHdf5DataSet(const std::string& path, const Hdf5Layout& layout)
{
    const Hdf5Silence silence;
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (file.Get() < 0)
    {
        throw DataFileError(fmt::format("{}: cannot be opened as an HDF5 file", path));
    }
    auto [dimensions, numbers] = ReadArray<float>(
        file.Get(), path, layout.samples, H5T_NATIVE_FLOAT, {H5T_FLOAT, H5T_INTEGER});
    if (dimensions.size() < 2)
    {
        Fail(path, layout.samples, "found one dimension, expected samples x shape of a sample");
    }
    auto data = std::make_shared<DataSet>();
    data->name = layout.name;
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape.assign(dimensions.begin() + 1, dimensions.end());
    data->numbers = std::move(numbers);
    data->labels = ReadIntegers(file.Get(), path, layout.labels, dimensions[0]);
    CheckContents(path, layout, *data);
    if (!layout.filter.empty())
    {
        KeepFrom(ReadIntegers(file.Get(), path, layout.filter, dimensions[0]),
                 layout.leastFilter,
                 *data);
    }
    return data;
}

#else

std::shared_ptr<DataSet>
LoadHdf5DataSet(const std::string& path, const Hdf5Layout&)
{
    throw DataFileError(fmt::format("{}: this build cannot read HDF5 files: install HDF5 (Debian "
                                    "package libhdf5-dev) and configure anew",
                                    path));
}

#endif

} // namespace collab
} // namespace ns3
