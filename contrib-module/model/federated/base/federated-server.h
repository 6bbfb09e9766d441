/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_SERVER_H
#define FEDERATED_SERVER_H

#include "federated-algorithm.h"

namespace ns3::collab
{

/// @ingroup collab
/// @brief The mathematics of the server: a model, and what is remembered from round to round.
class FederatedServer
{
  public:
    /// @param options which algorithm
    /// @param model initial weights x
    /// @param trained number of trained numbers; what follows is state, which is only averaged
    /// @param devices N, number of all devices
    /// @param rule how changes are aggregated
    /// @throws std::invalid_argument if a constant is not allowed
    FederatedServer(const FederatedOptions& options,
                    FlatVector model,
                    std::size_t trained,
                    std::size_t devices,
                    std::shared_ptr<const AggregationRule> rule);

    /**
     * @brief Make the next model, as the algorithm does it: by default x += A, the aggregated
     * changes weighted by numbers of samples.
     *
     * Rules that clip nothing are translation-equivariant: to aggregate changes is to aggregate
     * models.
     *
     * @param updates of the devices that took part; of one length
     * @throws std::invalid_argument if the rule does not work with so few, or a number is not
     * finite; model and memory stay as they were
     */
    void Step(std::vector<FederatedUpdate> updates);

    /// @param model weights in the place of the present model, of its length
    void SetModel(FlatVector model);
    /// @return the present model x
    FlatVector GetModel() const;
    /// @return SCAFFOLD: the server's control variate c; null otherwise
    FlatVector GetControl() const;

    /// @param updates number of devices that took part
    /// @return floating-point operations of Step() with the rule "mean"; other rules are booked as
    /// that
    uint64_t CountFlops(std::size_t updates) const;

  private:
    std::unique_ptr<FederatedStrategy> m_strategy; //!< the algorithm
    FlatVector m_model;                            //!< x
    std::size_t m_trained;                         //!< number of trained numbers
    std::size_t m_devices;                         //!< N
    std::shared_ptr<const AggregationRule> m_rule; //!< how changes are aggregated
    std::vector<float> m_last;                     //!< aggregated last, if the rule wants that
};

} // namespace ns3::collab

#endif /* FEDERATED_SERVER_H */
