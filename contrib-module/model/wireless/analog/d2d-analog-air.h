/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ANALOG_AIR_H
#define D2D_ANALOG_AIR_H

#include "d2d-analog-slot.h"

#include "ns3/object.h"

#include <deque>
#include <memory>
#include <vector>

namespace ns3::collab
{

class D2dChannel;

/**
 * @ingroup collab-wireless
 * @brief Analog aggregation on a D2dChannel: devices send their numbers at once on one band, and
 * the receiver gets the faded, noisy sum.
 *
 * Over-the-air computation as in G. Zhu, Y. Wang and K. Huang, "Broadband analog aggregation for
 * low-latency federated edge learning", IEEE Trans. Wireless Commun. 19(1), 2020; what is a
 * subcarrier there is a block of symbols here. With mean received power W_k of device k at its
 * TxPower P and fading g_k of mean 1, a device inverts the channel where g_k is at least the
 * threshold, and else is silent in the block (truncated channel inversion): a symbol
 * s = v_2i + j v_2i+1 is sent with |a s|^2 P / (W_k g_k) watts, so that a s arrives. All have one
 * a, the greatest with which nobody needs more than P in the mean of a block. The receiver reads
 *
 *     y_i = a sum_k (1 + e_k) exp(j phi_k) s_k,i + z_i
 *
 * and divides by a and by the weights of those that it has heard. e_k and phi_k are what is wrong
 * with a device's knowledge of its channel, normal and new in each block (T. Sery and K. Cohen, "On
 * analog gradient descent learning over multiple access fading channels", IEEE Trans. Signal
 * Process. 68, 2020, have such phases); z_i is the noise of the band.
 *
 * Each block begins with pilots: one of the receiver, from which devices learn their channels,
 * taken to be reciprocal, and the instant; then one of each taker that is not silent, at TxPower,
 * one after the other, by which the receiver learns who sends: see HearsAnalogPilot(). The fading
 * is that when the takers' pilots begin, of the channel's outage model.
 *
 * The band is one more beside the subchannels of OFDMA, of the receiver's Bandwidth. It carries one
 * slot at a time: others wait, in the order in which they were asked for.
 */
class D2dAnalogAir : public Object, private D2dAnalogSettings
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();
    /// @param channel a channel
    /// @return its analog aggregation, which is made when it is first asked for
    /// @throws UserError if its devices cannot send at once: it has another Access than OFDMA
    /// without Subchannels, others share the band, or its outage model knows no fading
    static Ptr<D2dAnalogAir> Of(Ptr<D2dChannel> channel);

    /// @param sender a device
    /// @param receiver another one
    /// @param values that it would send
    /// @return greatest a for which it need not send with more than TxPower; 0 if it does not reach
    /// the receiver, and the greatest float if it has nothing but zeros to send [sqrt(W)]
    float GetLimit(const D2dPhy& sender,
                   const D2dPhy& receiver,
                   const std::vector<float>& values) const;
    /// @param values numbers of each vector
    /// @param takers devices that send
    /// @return how the slot is divided
    D2dAnalogLayout GetLayout(std::size_t values, std::size_t takers) const;
    /// @param receiver who would receive a slot
    /// @param layout how it is divided
    /// @throws UserError if a block of it takes longer than fading lasts
    void CheckLayout(const D2dPhy& receiver, const D2dAnalogLayout& layout) const;
    /// @param signal what a device sends in the next slot of the receiver, as its plan says
    /// @return what to hold until that is over
    std::shared_ptr<const D2dAnalogSignal> Send(D2dAnalogSignal signal);
    /// @brief Begin a slot as soon as the band is free.
    /// @param receiver who receives it
    /// @param plan what it knows of it
    /// @param over told of what it has received, or nothing, if it was not on all the time, or
    /// transmitting when the slot began and half-duplex
    /// @throws UserError as CheckLayout()
    void Receive(Ptr<D2dPhy> receiver, D2dAnalogPlan plan, D2dAnalogCallback over);

  protected:
    void DoDispose() override;

  private:
    /// @tparam T type of an attribute
    /// @param member what of the settings it is
    /// @return the same, as a member of this
    template <class T>
    static T D2dAnalogAir::*
    Own(T D2dAnalogSettings::*member)
    {
        return member;
    }

    /// A slot that waits for the band
    struct Request
    {
        Ptr<D2dPhy> receiver;   //!< who receives it
        D2dAnalogPlan plan;     //!< what it knows of it
        D2dAnalogCallback over; //!< told of the end
    };

    /// @param request whose slot begins
    /// @return signals for it, which wait no longer
    std::vector<std::shared_ptr<const D2dAnalogSignal>> Gather(const Request& request);
    /// @brief Begin the next slot, if the band is free.
    void BeginNext();

    std::unique_ptr<D2dAnalogPaths> m_paths;                     //!< how devices are heard
    std::vector<std::weak_ptr<const D2dAnalogSignal>> m_waiting; //!< see Send()
    std::deque<Request> m_requests;                              //!< slots that wait
    bool m_isBusy = false;                                       //!< whether a slot is on air
};

} // namespace ns3::collab

#endif /* D2D_ANALOG_AIR_H */
