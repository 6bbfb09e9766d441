/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_APPLICATION_H
#define FEDERATED_APPLICATION_H

#include "federated-payloads.h"

#include "ns3/collab-application.h"
#include "ns3/federated-algorithm.h"

#include <memory>
#include <string>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief What the server and the devices of a federated algorithm have in common.
 *
 * Both have to be given the same algorithm: it is agreed on before the run.
 */
class FederatedApplication : public CollaborationApplication
{
  public:
    /// Kind of the message with the global model
    static constexpr uint16_t MODEL = 0x0401;
    /// Kind of the message with a device's update
    static constexpr uint16_t UPDATE = 0x0402;
    /// Kind of the message with a device's model for the others of its set
    static constexpr uint16_t SET_MODEL = 0x0403;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param values a vector to be sent; null for none
     * @param compressor what to encode it with
     * @param seed of what is random in that
     * @param multiplicity how many numbers each element stands for; if more than 1, all of them
     * travel as they are
     * @return it as it travels; as it is if an element is not finite, since that cannot be
     * compressed: receivers refuse it
     */
    static EncodedVector Encode(const FlatVector& values,
                                const Compressor& compressor,
                                uint64_t seed,
                                uint32_t multiplicity);

  protected:
    FederatedApplication();

    /**
     * @brief Take part in both kinds of messages.
     *
     * @param dimension number of weights
     * @param multiplicity how many numbers each of them stands for
     * @param model called with each model that arrives
     * @param update called with each update that arrives
     */
    void RegisterKinds(std::size_t dimension,
                       uint32_t multiplicity,
                       Transport::Receiver model,
                       Transport::Receiver update);

    /// @return attributes Algorithm to StalenessWeight
    FederatedOptions GetOptions() const;
    /// @return attribute LossPolicy
    LossPolicy GetLossPolicy() const;
    /// @return what this one's vectors are encoded with: attribute Compression
    std::shared_ptr<const Compressor> GetCompressor() const;

  private:
    /// @param specification attribute Compression; UserError if it is none
    void SetCompression(std::string specification);
    /// @return attribute Compression
    std::string GetCompression() const;

    FederatedAlgorithm m_algorithm;    //!< attribute Algorithm
    double m_mu;                       //!< attribute Mu
    double m_alpha;                    //!< attribute Alpha
    double m_serverRate;               //!< attribute ServerRate
    double m_serverMomentum;           //!< attribute ServerMomentum
    double m_localMomentum;            //!< attribute LocalMomentum
    StalenessWeight m_stalenessWeight; //!< attribute StalenessWeight
    LossPolicy m_lossPolicy;           //!< attribute LossPolicy
    std::string m_compression;         //!< attribute Compression

    std::shared_ptr<const Compressor> m_compressor; //!< made of it
};

} // namespace collab
} // namespace ns3

#endif /* FEDERATED_APPLICATION_H */
