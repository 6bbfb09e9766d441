/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-device-features.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>
#include <map>
#include <mutex>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param values one, or one a channel
/// @param sampleShape the channels first
/// @return them as a tensor that broadcasts over samples
at::Tensor
SpreadOver(const std::vector<float>& values, const std::vector<int64_t>& sampleShape)
{
    std::vector<int64_t> sizes(sampleShape.size() + 1, 1);
    sizes[values.size() > 1 ? 1 : 0] = static_cast<int64_t>(values.size());
    return at::tensor(values).reshape(sizes);
}

/// @param data a data set
/// @return its features, not copied
at::Tensor
View(const DataSet& data)
{
    std::vector<int64_t> sizes = data.sampleShape;
    sizes.insert(sizes.begin(), static_cast<int64_t>(data.Size()));
    // LibTorch has no tensor of constants; this one is only read.
    const auto view = [&sizes](const void* values, at::ScalarType type) {
        return at::from_blob(const_cast<void*>(values), sizes, at::TensorOptions(type));
    };
    switch (data.kind)
    {
    case FeatureKind::BYTES:
        return view(data.features.data(), at::kByte);
    case FeatureKind::NUMBERS:
        return view(data.numbers.data(), at::kFloat);
    case FeatureKind::TOKENS:
        break;
    }
    return view(data.tokens.data(), at::kInt);
}

} // namespace

std::shared_ptr<const DeviceFeatures>
DeviceFeatures::Get(const std::shared_ptr<const DataSet>& data, const at::Device& device)
{
    static std::mutex access;
    static std::map<std::pair<const DataSet*, std::string>, std::weak_ptr<const DeviceFeatures>>
        known;
    const std::lock_guard<std::mutex> lock(access);
    auto& place = known[{data.get(), device.str()}];
    auto features = place.lock();
    if (!features)
    {
        features = std::make_shared<const DeviceFeatures>(data, device);
        place = features;
    }
    return features;
}

DeviceFeatures::DeviceFeatures(std::shared_ptr<const DataSet> data, const at::Device& device)
    : m_data(std::move(data)),
      m_features(View(*m_data).to(device))
{
    if (m_data->kind == FeatureKind::BYTES)
    {
        m_data->CheckNormalization();
        m_offset = SpreadOver(m_data->offset, m_data->sampleShape).to(device);
        m_scale = SpreadOver(m_data->scale, m_data->sampleShape).to(device);
    }
}

at::Tensor
DeviceFeatures::Gather(const at::Tensor& indices) const
{
    const at::Tensor rows = m_features.index_select(0, indices);
    switch (m_data->kind)
    {
    case FeatureKind::BYTES:
        return rows.to(at::kFloat).div_(255).sub_(m_offset).div_(m_scale);
    case FeatureKind::NUMBERS:
        return rows;
    case FeatureKind::TOKENS:
        break;
    }
    return rows.to(at::kLong);
}

} // namespace ns3::collab
