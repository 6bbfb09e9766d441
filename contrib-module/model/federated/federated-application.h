/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_APPLICATION_H
#define FEDERATED_APPLICATION_H

#include "federated-messages.h"

#include "ns3/collab-learning-application.h"
#include "ns3/federated-algorithm.h"

#include <memory>
#include <string>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How devices send their updates.
enum class FederatedUplink
{
    DIGITAL, //!< each by a message of its own
    ANALOG,  //!< all at once, so that the server gets their mean: see D2dAnalogAir
};

/**
 * @ingroup collab
 * @brief What the server and the devices of a federated algorithm have in common.
 *
 * Both have to be given the same algorithm: it is agreed on before the run.
 */
class FederatedApplication : public LearningApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    FederatedApplication();

    /// @param dimension number of weights
    /// @param multiplicity how many numbers each of them stands for
    /// @return a global model as all expect it
    FederatedModel ExpectModel(std::size_t dimension, uint32_t multiplicity) const;
    /// @param dimension number of weights
    /// @param multiplicity how many numbers each of them stands for
    /// @return an upload as all expect it, of any numbers
    FederatedUpload ExpectUpload(std::size_t dimension, uint32_t multiplicity) const;

    /// @return whether the attribute Uplink says so
    bool IsAnalog() const;
    /// @brief Stop the program if the attribute Uplink does not go with others.
    /// @param numbers that an update has
    /// @param trained how many of them are trained; others are state
    void CheckUplink(std::size_t numbers, std::size_t trained) const;

    /// @return attributes Algorithm to StalenessWeight
    FederatedOptions GetOptions() const;
    /// @return what this one's vectors are encoded with: attribute Compression
    std::shared_ptr<const Compressor> GetCompressor() const;

  private:
    /// @param dimension number of weights
    /// @param multiplicity how many numbers each of them stands for
    /// @return vectors as all expect them
    EncodedPair ExpectVectors(std::size_t dimension, uint32_t multiplicity) const;
    /// @param type of the application
    /// @return it, with the attributes Algorithm to StalenessWeight
    static TypeId AddAlgorithm(TypeId type);
    /// @param specification attribute Compression; UserError if it is none
    void SetCompression(std::string specification);
    /// @return attribute Compression
    std::string GetCompression() const;

    FederatedUplink m_uplink;          //!< attribute Uplink
    FederatedAlgorithm m_algorithm;    //!< attribute Algorithm
    double m_mu;                       //!< attribute Mu
    double m_alpha;                    //!< attribute Alpha
    double m_serverRate;               //!< attribute ServerRate
    double m_serverMomentum;           //!< attribute ServerMomentum
    double m_localMomentum;            //!< attribute LocalMomentum
    StalenessWeight m_stalenessWeight; //!< attribute StalenessWeight
    std::string m_compression;         //!< attribute Compression

    std::shared_ptr<const Compressor> m_compressor; //!< made of it
};

} // namespace ns3::collab

#endif /* FEDERATED_APPLICATION_H */
