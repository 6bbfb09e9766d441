/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-svhn-file.h"

#include "ns3/collab-error.h"

#include <fmt/format.h>

#ifdef COLLAB_HAVE_MATIO
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/ranges.h>
#include <matio.h>
#endif

namespace ns3
{
namespace collab
{

#ifdef COLLAB_HAVE_MATIO

namespace
{

/// Closes a file of matio.
struct MatCloser
{
    /// @param file to close
    void
    operator()(mat_t* file) const
    {
        Mat_Close(file);
    }
};

/// Frees a variable of matio.
struct VariableFreer
{
    /// @param variable to free
    void
    operator()(matvar_t* variable) const
    {
        Mat_VarFree(variable);
    }
};

using MatFile = std::unique_ptr<mat_t, MatCloser>;            //!< an open file
using MatVariable = std::unique_ptr<matvar_t, VariableFreer>; //!< a variable of it

/// More than deflate can compress by: a variable that says it is larger lies.
constexpr double GREATEST_COMPRESSION = 1100;

/**
 * @param path of the file
 * @param name of a variable
 * @param problem what was found and what was expected
 */
[[noreturn]] void
Fail(const std::string& path, const char* name, const std::string& problem)
{
    throw DataFileError(fmt::format("{}: variable {}: {}", path, name, problem));
}

/**
 * @param variable of the file
 * @return its dimensions
 */
std::vector<std::size_t>
DimensionsOf(const matvar_t& variable)
{
    return {variable.dims, variable.dims + variable.rank};
}

/**
 * @param file to read from
 * @param path of the file
 * @param name of a variable
 * @return the variable with its data, a full array of real numbers
 * @throws DataFileError if it is missing or anything else
 */
MatVariable
ReadVariable(mat_t* file, const std::string& path, const char* name)
{
    Mat_Rewind(file);
    MatVariable variable(Mat_VarReadInfo(file, name));
    if (!variable)
    {
        Fail(path, name, "not found, expected the variables X and y");
    }
    if (variable->rank < 1 || !variable->dims || variable->isComplex ||
        variable->class_type < MAT_C_DOUBLE || variable->class_type > MAT_C_UINT64)
    {
        Fail(path, name, "found something else than an array of real numbers");
    }
    double elements = 1;
    for (std::size_t dimension : DimensionsOf(*variable))
    {
        elements *= static_cast<double>(dimension);
    }
    const auto most = GREATEST_COMPRESSION * static_cast<double>(std::filesystem::file_size(path));
    if (elements > most)
    {
        Fail(path,
             name,
             fmt::format("found dimensions {}, more than the file can hold",
                         fmt::join(DimensionsOf(*variable), " x ")));
    }
    if (Mat_VarReadDataAll(file, variable.get()) != 0 || !variable->data ||
        static_cast<double>(variable->nbytes) < elements)
    {
        Fail(path, name, "found damaged or truncated data");
    }
    return variable;
}

/**
 * @param path of the file
 * @param images X: height x width x colors x samples, the first index running fastest
 * @param data gets shape and features
 */
void
TakeImages(const std::string& path, const matvar_t& images, DataSet& data)
{
    const auto dimensions = DimensionsOf(images);
    const bool image = images.class_type == MAT_C_UINT8 && dimensions.size() == 4 &&
                       std::find(dimensions.begin(), dimensions.end(), 0) == dimensions.end() &&
                       dimensions[2] == 3;
    if (!image)
    {
        Fail(path,
             "X",
             fmt::format("found dimensions {} of class {}, expected height x width x 3 x samples "
                         "of uint8 (class {})",
                         fmt::join(dimensions, " x "),
                         static_cast<int>(images.class_type),
                         static_cast<int>(MAT_C_UINT8)));
    }
    const std::size_t height = dimensions[0];
    const std::size_t width = dimensions[1];
    data.sampleShape = {3, static_cast<int64_t>(height), static_cast<int64_t>(width)};
    data.features.resize(images.nbytes);
    const auto* from = static_cast<const uint8_t*>(images.data);
    const std::size_t planes = images.nbytes / (height * width);
    for (std::size_t plane = 0; plane < planes; ++plane)
    {
        uint8_t* to = data.features.data() + plane * height * width;
        for (std::size_t column = 0; column < width; ++column)
        {
            for (std::size_t row = 0; row < height; ++row)
            {
                to[row * width + column] = *from++;
            }
        }
    }
}

/**
 * @param labels y
 * @param index of an element
 * @return its value, or NaN if it is of an unusual class
 */
double
ElementOf(const matvar_t& labels, std::size_t index)
{
    switch (labels.class_type)
    {
    case MAT_C_UINT8:
        return static_cast<const uint8_t*>(labels.data)[index];
    case MAT_C_DOUBLE:
        return static_cast<const double*>(labels.data)[index];
    default:
        return NAN;
    }
}

/**
 * @param path of the file
 * @param labels y
 * @param data gets the labels
 */
void
TakeLabels(const std::string& path, const matvar_t& labels, DataSet& data)
{
    const std::size_t size = labels.nbytes / static_cast<std::size_t>(labels.data_size);
    const std::size_t samples = data.features.size() / data.SampleSize();
    if (size != samples)
    {
        Fail(path,
             "y",
             fmt::format("found {} labels, expected {} as there are images", size, samples));
    }
    for (std::size_t i = 0; i < size; ++i)
    {
        const double label = ElementOf(labels, i);
        if (!(label >= 1 && label <= 10 && label == std::floor(label)))
        {
            Fail(path,
                 "y",
                 fmt::format(
                     "found label {} of sample {}, expected 1 to 10 of uint8 or double", label, i));
        }
        data.labels.push_back(static_cast<int64_t>(label) % 10);
    }
}

} // namespace

std::shared_ptr<const DataSet>
LoadSvhnDataSet(const std::string& path)
{
    MatFile file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!file)
    {
        throw DataFileError(fmt::format("{}: cannot be opened as a MATLAB file", path));
    }
    auto data = std::make_shared<DataSet>();
    data->name = fmt::format("svhn {}", std::filesystem::path(path).stem().string());
    data->classes = 10;
    data->offset = {0.4377F, 0.4438F, 0.4728F};
    data->scale = {0.1980F, 0.2010F, 0.1970F};
    TakeImages(path, *ReadVariable(file.get(), path, "X"), *data);
    TakeLabels(path, *ReadVariable(file.get(), path, "y"), *data);
    return data;
}

#else

std::shared_ptr<const DataSet>
LoadSvhnDataSet(const std::string& path)
{
    throw DataFileError(fmt::format("{}: this build cannot read MATLAB files: install matio "
                                    "(Debian package libmatio-dev) and configure anew",
                                    path));
}

#endif

} // namespace collab
} // namespace ns3
