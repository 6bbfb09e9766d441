/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_NEIGHBOR_APPLICATION_H
#define GOSSIP_NEIGHBOR_APPLICATION_H

#include "gossip-averaging-application.h"
#include "gossip-averaging-messages.h"

#include <memory>
#include <string>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What algorithms have in common in which devices broadcast encoded vectors to all their
/// neighbors, and mix them with the weights of Metropolis and Hastings.
class NeighborGossipApplication : public AveragingGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param specification attribute Compression; UserError if it is none
    void SetCompression(std::string specification);
    /// @return attribute Compression
    std::string GetCompression() const;

  protected:
    void DoStart() override;

    /// @return what vectors are encoded with
    const std::shared_ptr<const Compressor>& GetCompressor() const;
    /// @tparam T a message
    /// @return one of the shape that all know
    template <typename T>
    T
    ExpectVector() const
    {
        T expected;
        expected.vector = EncodedVector::Expect(m_dimension, GetLearner()->GetMultiplicity());
        return expected;
    }
    /// @return seed of what is random in encoding, of this device and round
    uint64_t GetEncodingSeed() const;

  private:
    std::string m_compression;                      //!< attribute Compression
    std::shared_ptr<const Compressor> m_compressor; //!< what it says
};

} // namespace ns3::collab

#endif /* GOSSIP_NEIGHBOR_APPLICATION_H */
