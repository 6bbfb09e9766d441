/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_OUTAGE_MODEL_H
#define D2D_OUTAGE_MODEL_H

#include "d2d-combining.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What an outage model may know of a fragment at a receiver.
struct D2dSignal
{
    uint32_t transmitter = 0;      //!< node that sends
    uint32_t receiver = 0;         //!< node that receives
    double rssW = 0;               //!< mean received signal strength W [W]; 0 if nothing arrives
    double noiseW = 0;             //!< noise power sigma^2 in the sender's band [W]; positive
    double interferenceW = 0;      //!< power of other senders in that band, as noise [W]
    double spectralEfficiency = 0; //!< rate r of the sender [bit/s/Hz]; positive
    double fadedInterference = 0;  //!< other senders that fade, see D2dDisturbance::faded
    uint32_t fragmentBytes = 0;    //!< its length on the air; 0 if that is not known
};

/**
 * @ingroup collab-wireless
 * @brief Other signals in the band of a fragment at a receiver, as its outage model counts them.
 *
 * See D2dOutageModel::GetInterferenceScale().
 */
struct D2dDisturbance
{
    double powerW = 0; //!< sum of the mean powers of those that add to the noise [W]
    double faded = 0;  //!< product of all 1 + a I_k, less 1, of those that fade

    /// @brief Count one more.
    /// @param interfererW its mean power I_k [W]
    /// @param scale a of the receiver's fragment, or 0
    void
    Add(double interfererW, double scale)
    {
        if (scale > 0)
        {
            faded = AddFaded(faded, scale * interfererW);
        }
        else
        {
            powerW += interfererW;
        }
    }

    /// @param other another one
    /// @return whether both are equal
    bool
    operator==(const D2dDisturbance& other) const
    {
        return powerW == other.powerW && faded == other.faded;
    }

    /// @brief Multiply 1 + faded by 1 + ratio, exact to the last digits where both are small.
    /// @param faded product of the others, less 1
    /// @param ratio a I_k of one more
    /// @return the product of all, less 1; at most 1e300
    static double
    AddFaded(double faded, double ratio)
    {
        const double all = faded + ratio * (1 + faded);
        return all < 1e300 ? all : 1e300;
    }
};

/**
 * @ingroup collab-wireless
 * @brief Probability that a link loses one fragment.
 *
 * A subclass is the error model of all links of a D2dChannel. It sees the mean received power, the
 * power of noise and interference, the spectral efficiency of the sender and the length of the
 * fragment. Fading is constant over a fragment (block fading): the models of fading know nothing of
 * the length. It is independent from one fragment to the next, or, with CoherenceTime, from one
 * interval of that length to the next.
 */
class D2dOutageModel : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param signal a fragment at a receiver
    /// @return probability of losing it, in [0, 1]; 1 if nothing arrives
    double GetOutageProbability(const D2dSignal& signal) const;

    /// @param signal a fragment at a receiver, without interference
    /// @param interferersW mean powers of all other senders in that band [W]
    /// @return the fragment among them, as this model counts them
    D2dSignal AddInterferers(D2dSignal signal, const std::vector<double>& interferersW) const;

    /**
     * @brief Say whether interferers fade.
     *
     * Their mean powers add to the noise if this is 0, as it is by default. Else each signal of
     * mean power I_k divides the probability that the fragment arrives by 1 + a I_k, and the moment
     * that counts for a fragment is that of the greatest product.
     *
     * It is asked for a signal at a receiver: rssW is positive, and interference does not matter.
     * @return a [1/W], or 0
     */
    virtual double
    GetInterferenceScale(const D2dSignal&) const
    {
        return 0;
    }

    /// @return whether the probability depends on the powers and the rate of the signal alone, at
    /// all times, so that it may be kept; false by default
    virtual bool
    IsFunctionOfSignal() const
    {
        return false;
    }

    /**
     * @brief Say what transmissions of a fragment are worth to a receiver that combines them.
     *
     * One alone suffices with the probability 1 - GetOutageProbability().
     *
     * @param signal a fragment at a receiver
     * @return its worth; a mean of 0 if nothing arrives
     * @throws UserError if this model gives a probability alone, and knows nothing of combining
     */
    D2dQuality GetQuality(const D2dSignal& signal) const;
    /// @param signal a fragment at a receiver
    /// @param attempts transmissions of it, alike, each with fading of its own
    /// @return probability that it cannot be decoded of all of them together
    /// @throws UserError if this model gives a probability alone
    double GetCombinedOutage(const D2dSignal& signal, uint32_t attempts) const;

    /// @return for how long links fade as they do; 0 if each fragment fades by itself
    Time
    GetCoherenceTime() const
    {
        return m_coherenceTime;
    }

    /**
     * @brief Find the highest rate that keeps a link's outage at or below a target.
     *
     * The inverse of GetOutageProbability(), which must not fall as the rate grows. The outage
     * probability at the result never exceeds the target, unless the result is `least`; the result
     * falls short of the true highest rate by a fraction of RATE_TOLERANCE of it at most (at rates
     * below 0.001 bit/s/Hz, by as much as 2^r - 1 is rounded).
     *
     * @param signal a fragment at a receiver; its spectralEfficiency does not matter, and there
     * must be no fadedInterference, which is that of one rate
     * @param targetOutage outage probability that is accepted, in [0, 1]
     * @param least lowest rate [bit/s/Hz]; positive
     * @param greatest highest rate [bit/s/Hz]; not under least
     * @return the rate in [least, greatest]; least if even that misses the target
     */
    double GetSpectralEfficiency(D2dSignal signal,
                                 double targetOutage,
                                 double least,
                                 double greatest) const;

    /// How far under the true highest rate GetSpectralEfficiency() may be, as a fraction of it
    static constexpr double RATE_TOLERANCE = 1e-12;

  protected:
    /// @param spectralEfficiency rate r [bit/s/Hz]
    /// @return the signal-to-noise ratio 2^r - 1 at which the capacity log2(1 + SNR) is r
    static double GetSnrThreshold(double spectralEfficiency);

  private:
    /// @param signal a fragment at a receiver; rssW is positive
    /// @return probability of losing it, in [0, 1]
    virtual double DoGetOutageProbability(const D2dSignal& signal) const = 0;

    /// @param signal a fragment at a receiver; rssW is positive
    /// @return what it is worth; nothing, by default, if this model does not know
    virtual std::optional<D2dQuality>
    DoGetQuality(const D2dSignal&) const
    {
        return std::nullopt;
    }

    /**
     * @brief Invert DoGetOutageProbability(); by bisection unless a subclass has a closed form.
     *
     * Only called if the target is met at least and missed at greatest. A result that misses the
     * target by rounding is lowered by the caller.
     *
     * @param signal a fragment at a receiver; rssW is positive
     * @param targetOutage outage probability that is accepted, in [0, 1]
     * @param least lowest rate [bit/s/Hz]
     * @param greatest highest rate [bit/s/Hz]
     * @return the highest rate that meets the target [bit/s/Hz]
     */
    virtual double DoGetSpectralEfficiency(const D2dSignal& signal,
                                           double targetOutage,
                                           double least,
                                           double greatest) const;

    Time m_coherenceTime; //!< attribute CoherenceTime
};

/// @ingroup collab-wireless
/// @brief How signals fade that disturb a Rayleigh-fading link.
enum class D2dInterferenceFading
{
    RAYLEIGH, //!< as the link does, each by itself
    CONSTANT, //!< not at all: their mean powers add to the noise
};

/**
 * @ingroup collab-wireless
 * @brief Outage of a Rayleigh-fading link: P = 1 - exp(-(2^r - 1) sigma^2 / W).
 *
 * Eq. (18) of Wagle et al., "Multi-Agent Reinforcement Learning for Graph Discovery in D2D-Enabled
 * Federated Learning": the received power is exponential with mean W, and the fragment is lost if
 * the capacity log2(1 + SNR) stays under r. The rate of a given outage probability P is
 * r = log2(1 - W ln(1 - P) / sigma^2).
 *
 * Signals of other senders fade as well: with theta = 2^r - 1 and mean powers I_k the fragment
 * arrives with probability exp(-theta sigma^2 / W) prod_k 1 / (1 + theta I_k / W), exactly, since
 * E[exp(-s X)] = 1 / (1 + s I) for exponential X of mean I (F. Baccelli, B. Blaszczyszyn and
 * P. Muhlethaler, "An Aloha protocol for multihop mobile wireless networks", 2006). With
 * InterferenceFading at Constant the mean powers add to the noise instead.
 *
 * Combined transmissions have an Erlang distribution. One that was disturbed by signals that fade
 * counts as one of the same probability that was disturbed by noise alone.
 */
class D2dRayleighOutageModel : public D2dOutageModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    bool
    IsFunctionOfSignal() const override
    {
        return true;
    }
    double GetInterferenceScale(const D2dSignal& signal) const override;

  private:
    double DoGetOutageProbability(const D2dSignal& signal) const override;
    std::optional<D2dQuality> DoGetQuality(const D2dSignal& signal) const override;
    double DoGetSpectralEfficiency(const D2dSignal& signal,
                                   double targetOutage,
                                   double least,
                                   double greatest) const override;

    D2dInterferenceFading m_interferenceFading =
        D2dInterferenceFading::RAYLEIGH; //!< attribute InterferenceFading
};

/// @ingroup collab-wireless
/// @brief The same outage probability on every link that is in range.
class D2dFixedOutageModel : public D2dOutageModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  private:
    double
    DoGetOutageProbability(const D2dSignal&) const override
    {
        return m_probability;
    }

    double m_probability = 0; //!< attribute Probability
};

} // namespace ns3::collab

#endif /* D2D_OUTAGE_MODEL_H */
