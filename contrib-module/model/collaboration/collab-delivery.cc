/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-delivery.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

/// What a repeater and the messages on their way share
struct DeliveryRepeater::State : std::enable_shared_from_this<State>
{
    /// @param delivery what to send
    void
    Send(Delivery delivery)
    {
        SendOptions sending(options.policy,
                            [state = weak_from_this(), delivery](const DeliveryReport& report) {
                                if (const auto alive = state.lock())
                                {
                                    alive->HandleReport(delivery, report);
                                }
                            });
        sending.priority = delivery.priority;
        sending.deadline = delivery.deadline;
        transport->Send(
            delivery.receiver, delivery.kind, delivery.round, delivery.payload, sending);
    }

    /**
     * @brief The network is done with a message.
     *
     * @param delivery what was sent
     * @param report what is known of its fate
     */
    void
    HandleReport(Delivery delivery, const DeliveryReport& report)
    {
        const auto& heard = report.acknowledged;
        const bool isThere =
            options.policy == LossPolicy::BEST_EFFORT ||
            std::find(heard.begin(), heard.end(), delivery.receiver) != heard.end();
        const bool isWanted = options.isAlive(delivery) && Simulator::Now() < delivery.deadline &&
                              (!delivery.wanted || delivery.wanted());
        if (isThere || !isWanted || delivery.retries == options.retries)
        {
            if (delivery.finished)
            {
                delivery.finished(isThere);
            }
            return;
        }
        constexpr uint32_t MOST_DOUBLINGS = 10;
        const double greatest =
            2 * options.delay.GetSeconds() *
            static_cast<double>(1U << std::min(delivery.retries, MOST_DOUBLINGS));
        ++delivery.retries;
        Simulator::Schedule(Seconds(options.draw(std::max(greatest, 1e-9))),
                            [state = weak_from_this(), delivery]() {
                                const auto alive = state.lock();
                                if (alive && alive->options.isAlive(delivery))
                                {
                                    alive->Send(delivery);
                                }
                            });
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

} // namespace collab
} // namespace ns3
