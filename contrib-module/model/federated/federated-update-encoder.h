/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_UPDATE_ENCODER_H
#define FEDERATED_UPDATE_ENCODER_H

#include "federated-messages.h"

#include "ns3/collab-compression.h"
#include "ns3/collab-differential-privacy.h"
#include "ns3/collab-learner.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Local differential privacy of the changes that a device uploads.
struct UpdatePrivacy
{
    double clip = 1;     //!< greatest l2 norm of a change; positive
    double sigma = 1;    //!< standard deviation of the noise in each element; positive
    double delta = 1e-5; //!< at which epsilon is told; above 0, below 1
};

/// @param text such as "clip=1,sigma=0.5"; keys are the names of the members, clip and sigma must
/// be there
/// @return the options
/// @throws std::invalid_argument that names what is not allowed, and what is
UpdatePrivacy ReadUpdatePrivacy(const std::string& text);

/**
 * @ingroup collab
 * @brief Makes changes of a model what a device uploads: private, then compressed, perhaps with
 * what earlier compressions have lost.
 *
 * One thread at a time may use one; it belongs to a device.
 */
class UpdateEncoder
{
  public:
    /// @param compressor of changes
    /// @param feedsBack whether what compression loses is added to the next change: ErrorFeedback
    /// @param privacy of changes; none for none
    /// @param noiseSeed of its noise: nothing that is sent may tell it
    /// @throws std::invalid_argument if losses would grow without bound
    UpdateEncoder(std::shared_ptr<const Compressor> compressor,
                  bool feedsBack,
                  std::optional<UpdatePrivacy> privacy,
                  uint64_t noiseSeed);

    /// @param change of the model; it goes as it is if it is not finite or stands for more numbers
    /// @param seed of what is random in the compression, which may be sent; another one for each
    /// change
    /// @param multiplicity how many numbers each element stands for
    /// @return what is sent
    EncodedVector Encode(const FlatVector& change, uint64_t seed, uint32_t multiplicity);

    /// @return privacy spent by all changes so far; infinite without UpdatePrivacy, and after a
    /// change that went as it is
    double GetEpsilon() const;

  private:
    std::shared_ptr<const Compressor> m_compressor; //!< of changes
    std::optional<ErrorFeedback> m_feedback;        //!< of what is lost
    std::optional<GaussianLocalPrivacy> m_privacy;  //!< of changes
    uint64_t m_noiseSeed;                           //!< of the next noise
    bool m_isExposed = false;                       //!< whether a change went as it is
};

} // namespace ns3::collab

#endif /* FEDERATED_UPDATE_ENCODER_H */
