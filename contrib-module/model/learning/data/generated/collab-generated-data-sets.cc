/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-generated-data-sets.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace ns3::collab
{

namespace
{

/// @param name name of an option
/// @param value value of it
/// @throws std::invalid_argument if it is negative or not finite
void
RequireDeviation(const char* name, double value)
{
    CheckArgument(
        std::isfinite(value) && value >= 0, "{} {}, allowed are finite values from 0", name, value);
}

/// @param generator generator to draw with
/// @param deviation standard deviation; 0 draws nothing but 0
/// @return a number around 0
double
DrawNormal(RandomGenerator& generator, double deviation)
{
    return deviation * boost::random::normal_distribution<double>()(generator);
}

/// @param generator generator to draw with
/// @param bound greatest absolute value
/// @return a number, uniform between -bound and bound
double
DrawUniform(RandomGenerator& generator, double bound)
{
    return bound * boost::random::uniform_real_distribution<double>(-1, 1)(generator);
}

/// @param name name of the data set
/// @param inputs numbers of a sample
/// @return an empty data set for regression with one output
std::shared_ptr<DataSet>
StartRegression(const std::string& name, std::size_t inputs)
{
    auto data = std::make_shared<DataSet>();
    data->name = name;
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {static_cast<int64_t>(inputs)};
    data->outputs = 1;
    return data;
}

/// @param coefficients coefficients of powers 0, 1, ...
/// @param x argument
/// @return value of the polynomial
double
EvaluatePolynomial(const std::vector<double>& coefficients, double x)
{
    double value = 0;
    for (auto power = coefficients.rbegin(); power != coefficients.rend(); ++power)
    {
        value = value * x + *power;
    }
    return value;
}

/// A point of the plane; an image spans -1 to 1.
struct Point
{
    double x = 0; //!< to the right
    double y = 0; //!< downwards
};

/// An affine map and a pen.
struct Hand
{
    std::array<double, 4> matrix{1, 0, 0, 1}; //!< row by row
    Point shift;                              //!< after the matrix
    double pen = 0.1;                         //!< standard deviation of a line's darkness
};

/// @param options bounds of what writers differ by
/// @param part part of these bounds
/// @param generator generator to draw with
/// @return a hand
Hand
DrawHand(const SyntheticWritersOptions& options, double part, RandomGenerator& generator)
{
    const double angle = DrawUniform(generator, part * options.rotation) * std::acos(-1.0) / 180;
    const double width = 1 + DrawUniform(generator, part * options.scale);
    const double height = 1 + DrawUniform(generator, part * options.scale);
    const double slant = DrawUniform(generator, part * options.slant);
    Hand hand;
    hand.matrix = {std::cos(angle) * width,
                   std::cos(angle) * slant * width - std::sin(angle) * height,
                   std::sin(angle) * width,
                   std::sin(angle) * slant * width + std::cos(angle) * height};
    hand.shift.x = DrawUniform(generator, 2 * part * options.shift);
    hand.shift.y = DrawUniform(generator, 2 * part * options.shift);
    hand.pen = 0.1 * (1 + DrawUniform(generator, part / 2));
    return hand;
}

/// @param hand hand that moves it
/// @param point where something is
/// @return where it goes
Point
Move(const Hand& hand, const Point& point)
{
    return {hand.matrix[0] * point.x + hand.matrix[1] * point.y + hand.shift.x,
            hand.matrix[2] * point.x + hand.matrix[3] * point.y + hand.shift.y};
}

/// @param generator generator to draw with
/// @return corners of the line that makes a character
std::vector<Point>
DrawCharacter(RandomGenerator& generator)
{
    std::vector<Point> corners(5);
    for (Point& corner : corners)
    {
        corner.x = DrawUniform(generator, 0.6);
        corner.y = DrawUniform(generator, 0.6);
    }
    return corners;
}

/// @param point anywhere
/// @param from one end of a straight line
/// @param to its other end
/// @return square of the distance from the point to the line
double
SquaredDistance(const Point& point, const Point& from, const Point& to)
{
    const Point line{to.x - from.x, to.y - from.y};
    const Point way{point.x - from.x, point.y - from.y};
    const double length = line.x * line.x + line.y * line.y;
    const double along = length > 0 ? (way.x * line.x + way.y * line.y) / length : 0;
    const double part = std::min(1.0, std::max(0.0, along));
    const double x = way.x - part * line.x;
    const double y = way.y - part * line.y;
    return x * x + y * y;
}

/// @param corners corners of a line, already moved
/// @param pen standard deviation of its darkness
/// @param options side and noise of the image
/// @param generator generator to draw noise with
/// @param pixels pixels to which the image is appended: 0 is paper, 255 the middle of the line
void
Paint(const std::vector<Point>& corners,
      double pen,
      const SyntheticWritersOptions& options,
      RandomGenerator& generator,
      std::vector<uint8_t>& pixels)
{
    for (uint32_t row = 0; row < options.side; ++row)
    {
        for (uint32_t column = 0; column < options.side; ++column)
        {
            const Point pixel{(2.0 * column + 1) / options.side - 1,
                              (2.0 * row + 1) / options.side - 1};
            double nearest = SquaredDistance(pixel, corners[0], corners[1]);
            for (std::size_t i = 2; i < corners.size(); ++i)
            {
                nearest = std::min(nearest, SquaredDistance(pixel, corners[i - 1], corners[i]));
            }
            const double ink = 255 * std::exp(-nearest / (2 * pen * pen));
            const double value = ink + DrawNormal(generator, options.noise);
            pixels.push_back(static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 255.0))));
        }
    }
}

/// @param options options to check
/// @throws std::invalid_argument if one is not allowed
void
CheckWriters(const SyntheticWritersOptions& options)
{
    CheckArgument(options.classes >= 2 && options.classes <= 1000,
                  "classes {}, allowed are 2 to 1000",
                  options.classes);
    CheckArgument(options.writers >= 1, "writers 0, allowed are values from 1");
    CheckArgument(
        options.leastSamples >= 1 && options.leastSamples <= options.greatestSamples,
        "leastSamples {} and greatestSamples {}, allowed are values from 1, in this order",
        options.leastSamples,
        options.greatestSamples);
    CheckArgument(
        options.side >= 8 && options.side <= 256, "side {}, allowed are 8 to 256", options.side);
    RequireDeviation("rotation", options.rotation);
    RequireDeviation("slant", options.slant);
    RequireDeviation("shift", options.shift);
    RequireDeviation("noise", options.noise);
    CheckArgument(options.scale >= 0 && options.scale < 1,
                  "scale {}, allowed are values from 0 to below 1",
                  options.scale);
    CheckArgument(options.variation >= 0 && options.variation <= 1,
                  "variation {}, allowed are values from 0 to 1",
                  options.variation);
}

/// @brief Append the samples of one writer.
/// @param options options of characters and writers
/// @param characters corners of each class's line
/// @param generator generator of this writer
/// @param data data to append to
void
AppendWriter(const SyntheticWritersOptions& options,
             const std::vector<std::vector<Point>>& characters,
             RandomGenerator& generator,
             DataSet& data)
{
    const Hand writer = DrawHand(options, 1, generator);
    boost::random::uniform_int_distribution<uint32_t> drawSize(options.leastSamples,
                                                               options.greatestSamples);
    boost::random::uniform_int_distribution<uint32_t> drawClass(0, options.classes - 1);
    const uint32_t size = drawSize(generator);
    for (uint32_t sample = 0; sample < size; ++sample)
    {
        const uint32_t label = drawClass(generator);
        const Hand change = DrawHand(options, options.variation, generator);
        std::vector<Point> corners = characters[label];
        for (Point& corner : corners)
        {
            corner = Move(writer, Move(change, corner));
        }
        Paint(corners, writer.pen * change.pen / 0.1, options, generator, data.features);
        data.labels.push_back(label);
        data.users.push_back(static_cast<uint32_t>(data.userNames.size() - 1));
    }
}

} // namespace

std::shared_ptr<const DataSet>
GenerateGaussianClasses(const GaussianClassesOptions& options, uint64_t seed)
{
    CheckArgument(options.means.size() >= 2 && !options.means.front().empty(),
                  "{} means, allowed are at least 2, of at least 1 dimension",
                  options.means.size());
    CheckArgument(options.samplesPerClass >= 1, "samplesPerClass 0, allowed are values from 1");
    CheckArgument(std::isfinite(options.deviation) && options.deviation > 0,
                  "deviation {}, allowed are positive finite values",
                  options.deviation);
    auto data = std::make_shared<DataSet>();
    data->name = "gaussian-classes";
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {static_cast<int64_t>(options.means.front().size())};
    data->classes = static_cast<uint32_t>(options.means.size());
    RandomGenerator generator(seed);
    for (std::size_t label = 0; label < options.means.size(); ++label)
    {
        const auto& mean = options.means[label];
        CheckArgument(mean.size() == options.means.front().size(),
                      "mean {} has {} dimensions, the first one has {}",
                      label,
                      mean.size(),
                      options.means.front().size());
        for (uint32_t sample = 0; sample < options.samplesPerClass; ++sample)
        {
            for (double center : mean)
            {
                data->numbers.push_back(
                    static_cast<float>(center + DrawNormal(generator, options.deviation)));
            }
            data->labels.push_back(static_cast<int64_t>(label));
        }
    }
    data->Validate();
    return data;
}

std::shared_ptr<const DataSet>
GeneratePolynomial(const PolynomialOptions& options, uint64_t seed)
{
    CheckArgument(!options.coefficients.empty() && !options.centers.empty(),
                  "{} coefficients and {} centers, allowed is at least 1 of each",
                  options.coefficients.size(),
                  options.centers.size());
    CheckArgument(options.samplesPerUser >= 1, "samplesPerUser 0, allowed are values from 1");
    RequireDeviation("spread", options.spread);
    RequireDeviation("noise", options.noise);
    const auto data = StartRegression("polynomial", 1);
    RandomGenerator generator(seed);
    for (std::size_t user = 0; user < options.centers.size(); ++user)
    {
        data->userNames.push_back(fmt::format("user {}", user));
        for (uint32_t sample = 0; sample < options.samplesPerUser; ++sample)
        {
            const double x = options.centers[user] + DrawNormal(generator, options.spread);
            const double y =
                EvaluatePolynomial(options.coefficients, x) + DrawNormal(generator, options.noise);
            data->numbers.push_back(static_cast<float>(x));
            data->targets.push_back(static_cast<float>(y));
            data->users.push_back(static_cast<uint32_t>(user));
        }
    }
    data->Validate();
    return data;
}

std::shared_ptr<const DataSet>
MakePolynomialGrid(const std::vector<double>& coefficients,
                   double from,
                   double to,
                   uint32_t samples)
{
    CheckArgument(samples >= 2 && from < to && !coefficients.empty(),
                  "{} samples from {} to {} of {} coefficients, allowed are at least 2 samples "
                  "from less to more of at least 1",
                  samples,
                  from,
                  to,
                  coefficients.size());
    const auto data = StartRegression("polynomial grid", 1);
    for (uint32_t i = 0; i < samples; ++i)
    {
        const double x = from + (to - from) * i / (samples - 1);
        data->numbers.push_back(static_cast<float>(x));
        data->targets.push_back(static_cast<float>(EvaluatePolynomial(coefficients, x)));
    }
    data->Validate();
    return data;
}

std::shared_ptr<const DataSet>
GenerateLinearRegression(const LinearRegressionOptions& options, uint64_t seed)
{
    CheckArgument(options.weights.size() >= 2 && !options.ranges.empty(),
                  "{} weights and {} users, allowed are at least 2 and 1",
                  options.weights.size(),
                  options.ranges.size());
    CheckArgument(options.samplesPerUser >= 1, "samplesPerUser 0, allowed are values from 1");
    RequireDeviation("noise", options.noise);
    const std::size_t inputs = options.weights.size() - 1;
    const auto data = StartRegression("linear-regression", inputs);
    RandomGenerator generator(seed);
    for (std::size_t user = 0; user < options.ranges.size(); ++user)
    {
        CheckArgument(options.ranges[user].size() == inputs,
                      "user {} has {} ranges, expected {} as there are inputs",
                      user,
                      options.ranges[user].size(),
                      inputs);
        data->userNames.push_back(fmt::format("user {}", user));
        for (uint32_t sample = 0; sample < options.samplesPerUser; ++sample)
        {
            double target = options.weights[0];
            for (std::size_t input = 0; input < inputs; ++input)
            {
                const double x = DrawUniform(generator, options.ranges[user][input]);
                target += options.weights[input + 1] * x;
                data->numbers.push_back(static_cast<float>(x));
            }
            target += DrawNormal(generator, options.noise);
            data->targets.push_back(static_cast<float>(target));
            data->users.push_back(static_cast<uint32_t>(user));
        }
    }
    data->Validate();
    return data;
}

std::shared_ptr<const DataSet>
GenerateSyntheticWriters(const SyntheticWritersOptions& options, uint64_t seed)
{
    CheckWriters(options);
    auto data = std::make_shared<DataSet>();
    data->name = "synthetic-writers";
    data->isMixed = true; // classes are drawn one by one
    data->sampleShape = {1, options.side, options.side};
    data->classes = options.classes;
    RandomGenerator characterGenerator(options.characterSeed);
    std::vector<std::vector<Point>> characters(options.classes);
    for (std::vector<Point>& character : characters)
    {
        character = DrawCharacter(characterGenerator);
    }
    for (uint32_t writer = 0; writer < options.writers; ++writer)
    {
        RandomGenerator generator(SplitMix64(SplitMix64(seed) ^ writer));
        data->userNames.push_back(fmt::format("writer {}", writer));
        AppendWriter(options, characters, generator, *data);
    }
    return data;
}

} // namespace ns3::collab
