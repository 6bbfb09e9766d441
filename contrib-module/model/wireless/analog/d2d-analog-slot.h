/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ANALOG_SLOT_H
#define D2D_ANALOG_SLOT_H

#include "d2d-analog-paths.h"

#include "ns3/simple-ref-count.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Numbers of a device that it sends in a slot of a receiver, as long as somebody holds
/// this.
struct D2dAnalogSignal
{
    Ptr<D2dPhy> sender;     //!< radio that sends
    uint32_t receiver = 0;  //!< node of the receiver
    D2dAnalogValues values; //!< already multiplied by the device's weight
    /// Told of the end of a slot in which it was to send, and whether it has in any block
    std::function<void(bool hasSent)> over;
    uint64_t slot = 0; //!< which of the receiver's slots it is for, as its plan says
};

/**
 * @ingroup collab-wireless
 * @brief A slot of analog aggregation on air: see D2dAnalogAir.
 *
 * A radio takes part that is on when the slot begins and, if it is half-duplex, does not transmit
 * then; its own bursts wait until the slot is over. A device that goes off, or whose signal is no
 * longer held, is left out from the block on that it does not finish. What it has sent of that has
 * cost energy.
 */
class D2dAnalogSlot : public SimpleRefCount<D2dAnalogSlot>
{
  public:
    /// @param paths how devices are heard; outlives the use of this
    /// @param receiver who receives
    /// @param plan what it knows of the slot
    /// @param layout how it is divided
    /// @param over told of what it has received
    D2dAnalogSlot(D2dAnalogPaths& paths,
                  Ptr<D2dPhy> receiver,
                  D2dAnalogPlan plan,
                  const D2dAnalogLayout& layout,
                  D2dAnalogCallback over);

    /// @brief Begin, now. Without the receiver the slot is over at once.
    /// @param signals of devices that are ready
    void Begin(const std::vector<std::shared_ptr<const D2dAnalogSignal>>& signals);

  private:
    /// A radio in the slot
    struct Member
    {
        Ptr<D2dPhy> radio;  //!< the radio; null for a taker that is not there
        uint64_t epoch = 0; //!< its epoch at the begin
        std::weak_ptr<const D2dAnalogSignal> signal; //!< what a taker sends
        bool listens = false;                        //!< whether it listens
        bool hasSent = false;                        //!< whether it has sent numbers
        double powerW = 0;                           //!< of its numbers in this block [W]
        D2dAnalogPaths::Path path;                   //!< how it is heard in this block
    };

    /// @param member a radio
    /// @return whether it is and was on
    static bool IsThere(const Member& member);
    /// @brief Let a radio join, if it can.
    /// @param radio the radio
    /// @return it
    static Member Join(const Ptr<D2dPhy>& radio);
    /// @brief Let a radio begin or stop to listen.
    static void Listen(Member& member, bool listens);
    /// @brief Let a radio transmit an analog signal.
    /// @param member a radio, or a taker that is not there
    /// @param powerW its power; 0 for none [W]
    static void Transmit(const Member& member, double powerW);
    /// @param symbols after which to go on
    /// @param next what then
    void After(std::size_t symbols, std::function<void()> next);

    /// @brief The receiver's pilot, by which the takers know when and how.
    void BeginBlock();
    /// @brief Find how takers are heard.
    void EndPilot();
    /// @param taker whose pilot is next; after the last one come the numbers
    void SendPilots(std::size_t taker);
    /// @brief Receive the numbers, and go on.
    void EndBlock();
    /// @brief Add up what has arrived.
    void Receive();
    /// @brief The slot is over.
    void End();

    D2dAnalogPaths& m_paths;      //!< how devices are heard
    Member m_receiver;            //!< who receives
    D2dAnalogPlan m_plan;         //!< what it knows of the slot
    D2dAnalogLayout m_layout;     //!< how the slot is divided
    D2dAnalogCallback m_over;     //!< told of the end
    std::vector<Member> m_takers; //!< as in the plan
    uint32_t m_block = 0;         //!< the present block
    uint64_t m_number = 0;        //!< its number among all of the channel
    D2dAnalogMean m_mean;         //!< what was received
};

} // namespace ns3::collab

#endif /* D2D_ANALOG_SLOT_H */
