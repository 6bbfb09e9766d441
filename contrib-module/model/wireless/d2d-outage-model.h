/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_OUTAGE_MODEL_H
#define D2D_OUTAGE_MODEL_H

#include "ns3/object.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Probability that a link loses one fragment.
 *
 * A subclass is the error model of all links of a D2dChannel. It sees the mean received power, the
 * noise power and the spectral efficiency of the sender, and none of the fragment's length: fading
 * is constant over a fragment and independent from one fragment to the next (block fading).
 */
class D2dOutageModel : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param rssW mean received signal strength W [W]; 0 if nothing arrives
     * @param noiseW noise power sigma^2 in the sender's band [W]; positive
     * @param spectralEfficiency rate r of the sender [bit/s/Hz]; positive
     * @return probability of losing a fragment, in [0, 1]
     */
    double GetOutageProbability(double rssW, double noiseW, double spectralEfficiency) const;

  private:
    /**
     * @param rssW mean received signal strength [W]; positive
     * @param noiseW noise power [W]; positive
     * @param spectralEfficiency rate [bit/s/Hz]; positive
     * @return probability of losing a fragment, in [0, 1]
     */
    virtual double DoGetOutageProbability(double rssW,
                                          double noiseW,
                                          double spectralEfficiency) const = 0;
};

/**
 * @ingroup collab
 * @brief Outage of a Rayleigh-fading link: P = 1 - exp(-(2^r - 1) sigma^2 / W).
 *
 * Eq. (18) of Wagle et al., "Multi-Agent Reinforcement Learning for Graph Discovery in D2D-Enabled
 * Federated Learning": the received power is exponential with mean W, and the fragment is lost if
 * the capacity log2(1 + SNR) stays under r.
 */
class D2dRayleighOutageModel : public D2dOutageModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    double DoGetOutageProbability(double rssW,
                                  double noiseW,
                                  double spectralEfficiency) const override;
};

/**
 * @ingroup collab
 * @brief The same outage probability on every link that is in range.
 */
class D2dFixedOutageModel : public D2dOutageModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    double DoGetOutageProbability(double rssW,
                                  double noiseW,
                                  double spectralEfficiency) const override;

    double m_probability; //!< attribute Probability
};

} // namespace collab
} // namespace ns3

#endif /* D2D_OUTAGE_MODEL_H */
