/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_SOFT_LABELS_H
#define PREDICTION_CONSENSUS_SOFT_LABELS_H

#include "ns3/collab-matrix.h"
#include "ns3/collab-message.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief An agent's class probabilities on X*, as they travel.
 *
 * On the wire: samples x classes IEEE 754 single-precision numbers, little endian, row by row.
 * Every agent knows X* and so the shape.
 */
class SoftLabelPayload : public Payload
{
  public:
    /**
     * @param probabilities class probabilities, samples x classes
     */
    explicit SoftLabelPayload(Matrix<float> probabilities);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param samples number of samples of X*
     * @param classes number of classes
     * @return the payload
     * @throws PayloadError if the size is not that of samples x classes numbers
     */
    static std::shared_ptr<const SoftLabelPayload> Parse(const uint8_t* bytes,
                                                         std::size_t size,
                                                         std::size_t samples,
                                                         std::size_t classes);

    /**
     * @brief Decide whether a peer's labels can be believed to be labels.
     *
     * @param samples number of samples of X*
     * @param classes number of classes
     * @throws PayloadError if the shape differs, a number is not a probability, or a row does not
     * add up to 1 within 0.001
     */
    void Check(std::size_t samples, std::size_t classes) const;

    /// @return class probabilities, samples x classes
    const Matrix<float>& GetProbabilities() const;

  private:
    Matrix<float> m_probabilities; //!< class probabilities, samples x classes
};

} // namespace collab
} // namespace ns3

#endif /* PREDICTION_CONSENSUS_SOFT_LABELS_H */
