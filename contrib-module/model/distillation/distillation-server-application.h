/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_SERVER_APPLICATION_H
#define DISTILLATION_SERVER_APPLICATION_H

#include "distillation-application.h"

#include "ns3/distillation-label-cache.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The server of federated distillation, which has no model.
 *
 * After the devices' PretrainingRounds a round has two phases:
 * - "collect": wait until predictions of all devices are here or RoundDeadline has passed;
 * - "pool": make labels of samples that have none which is still valid, and broadcast them, with
 *   the valid ones of samples that some device has sent predictions of: it has missed them.
 */
class DistillationServerApplication : public DistillationApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    DistillationServerApplication();

    using DistillationApplication::SetShape;

    /// @param clients the devices, ascending
    void SetClients(std::vector<uint32_t> clients);

    /// @return how long the server computes in a round, at most
    Time GetComputingDuration() const;

    std::vector<Metric> GetMetrics() const override;

  protected:
    void DoStart() override;
    Process Round() override;

  private:
    /// What is measured in a round
    struct Metrics
    {
        std::size_t heard = 0;  //!< devices whose predictions were there in time
        std::size_t pooled = 0; //!< samples whose labels are new

        /// @return what they are
        static Columns<Metrics> GetColumns();
    };

    /// @param heard what the devices have sent
    /// @return labels for them
    ProcessOf<LabeledRows> Pool(const Inbox<DevicePredictions>::Bodies& heard);

    std::vector<uint32_t> m_clients;   //!< the devices
    std::optional<LabelCache> m_cache; //!< labels so far
    Metrics m_metrics;                 //!< of this round
};

} // namespace ns3::collab

#endif /* DISTILLATION_SERVER_APPLICATION_H */
