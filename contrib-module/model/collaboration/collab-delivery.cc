/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-delivery.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

/// What a repeater and the messages on their way share
struct DeliveryRepeater::State : std::enable_shared_from_this<State>
{
    /// @param delivery what to send
    void
    Send(Delivery delivery)
    {
        SendOptions sending(GetPolicy(delivery),
                            [state = weak_from_this(), delivery](const DeliveryReport& report) {
                                if (const auto alive = state.lock())
                                {
                                    alive->HandleReport(delivery, report);
                                }
                            });
        sending.priority = delivery.priority;
        sending.deadline = delivery.deadline;
        transport->Send(delivery.receiver, delivery.content, sending);
    }

    /// @param delivery what to send
    /// @return what is done about its loss
    LossPolicy
    GetPolicy(const Delivery& delivery) const
    {
        return AdaptPolicy(options.policy, *delivery.content.payload);
    }

    /// @brief The network is done with a message.
    /// @param delivery what was sent
    /// @param report what is known of its fate
    void
    HandleReport(Delivery delivery, const DeliveryReport& report)
    {
        const auto& heard = report.acknowledged;
        const bool isThere =
            GetPolicy(delivery) != LossPolicy::RELIABLE ||
            std::find(heard.begin(), heard.end(), delivery.receiver) != heard.end();
        if (isThere || !IsWanted(delivery) || delivery.retries == options.retries)
        {
            Finish(delivery, isThere);
            return;
        }
        constexpr uint32_t MOST_DOUBLINGS = 10;
        const double greatest =
            2 * options.delay.GetSeconds() *
            static_cast<double>(1U << std::min(delivery.retries, MOST_DOUBLINGS));
        ++delivery.retries;
        Simulator::Schedule(Seconds(options.draw(std::max(greatest, 1e-9))),
                            [state = weak_from_this(), delivery]() {
                                if (const auto alive = state.lock())
                                {
                                    alive->SendAgain(delivery);
                                }
                            });
    }

    /// @param delivery what has waited for its retry, which may have taken long
    void
    SendAgain(const Delivery& delivery)
    {
        if (IsWanted(delivery))
        {
            Send(delivery);
        }
        else
        {
            Finish(delivery, false);
        }
    }

    /// @param delivery what has not been acknowledged yet
    /// @return whether it is to be sent again
    bool
    IsWanted(const Delivery& delivery) const
    {
        return options.isAlive(delivery) && Simulator::Now() < delivery.deadline &&
               (!delivery.wanted || delivery.wanted());
    }

    /// @param delivery what is not sent any more
    /// @param isThere see Delivery
    static void
    Finish(const Delivery& delivery, bool isThere)
    {
        if (delivery.finished)
        {
            delivery.finished(isThere);
        }
    }

    Ptr<Transport> transport; //!< of the device
    Options options;          //!< how often and when to send again
};

DeliveryRepeater::DeliveryRepeater(Ptr<Transport> transport, Options options)
    : m_state(std::make_shared<State>())
{
    m_state->transport = transport;
    m_state->options = std::move(options);
}

DeliveryRepeater::~DeliveryRepeater() = default;

void
DeliveryRepeater::Send(Delivery delivery)
{
    m_state->Send(std::move(delivery));
}

} // namespace ns3::collab
