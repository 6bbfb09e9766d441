/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DEVICE_FEATURES_H
#define COLLAB_DEVICE_FEATURES_H

#include "ns3/collab-data-set.h"

#include <ATen/core/Tensor.h>
#include <memory>

namespace ns3::collab
{

/// The features of a data set on a device, as compact as in the data set, shared by all learners
/// that read it there.
class DeviceFeatures
{
  public:
    /// @param data a data set, which stays as it is
    /// @param device device to hold it
    /// @return its features there, copied by the first call; a view of the data set's own on a
    /// processor
    static std::shared_ptr<const DeviceFeatures> Get(const std::shared_ptr<const DataSet>& data,
                                                     const at::Device& device);

    /// @param data a data set
    /// @param device device to hold it
    DeviceFeatures(std::shared_ptr<const DataSet> data, const at::Device& device);

    /// @param indices indices of samples of the data set, int64, on the device
    /// @return what a model reads of these, as SampleReader decodes it without a transform
    at::Tensor Gather(const at::Tensor& indices) const;

  private:
    std::shared_ptr<const DataSet> m_data; //!< whose features these are
    at::Tensor m_features;                 //!< samples x sample shape; uint8, float or int32
    at::Tensor m_offset;                   //!< BYTES: of each channel
    at::Tensor m_scale;                    //!< BYTES: of each channel
};

} // namespace ns3::collab

#endif /* COLLAB_DEVICE_FEATURES_H */
