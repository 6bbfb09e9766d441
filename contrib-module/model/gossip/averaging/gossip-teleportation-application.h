/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_TELEPORTATION_APPLICATION_H
#define GOSSIP_TELEPORTATION_APPLICATION_H

#include "gossip-averaging-application.h"
#include "gossip-averaging-messages.h"

#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Teleportation (Takezawa, Stich, ICLR 2025), as one device runs it.
 *
 * In a round k = Active devices have a place 0 to k - 1 each. A device with a place takes the model
 * of the device that had it in the round before, phase "fetch"; trains, phase "train"; sends its
 * model to the places at distances 1, 2, 4, ... and waits for those that send to it, phase
 * "exchange"; takes the plain mean, phase "merge"; and sends that to who has its place next. The
 * others wait for their next turn. Who has which place follows from a seed that all share.
 *
 * A device whose model does not come goes on with the last one that it has had, MixTimeout after it
 * has received something else of the round. All rounds up to r end within 2 (r + 1) MixTimeout and
 * as many trainings.
 */
class TeleportationApplication : public AveragingGossipApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

  protected:
    void DoStart() override;
    std::optional<uint32_t> FindPresentRound() const override;
    Process Round() override;

  private:
    /// @param round a round
    /// @return devices by their places in it
    std::vector<uint32_t> DrawPlaces(uint32_t round) const;
    /// @param round a round
    /// @return the device's place in it, if it has one
    std::optional<uint32_t> FindPlace(uint32_t round) const;
    /// @return the first round from the present one on in which the device has a place; GetRounds()
    /// if there is none
    uint32_t FindTurn();
    /// @brief Wait until the device's next turn begins; not at all if there is none.
    Process WaitForTurn();
    /// @brief Phase "fetch": get the model of the device's place.
    /// @param place of it in this round
    Process Fetch(uint32_t place);
    /// @brief Send the model to, and average it with, others that have a place.
    /// @param place of it in this round
    Process Exchange(uint32_t place);
    /// @brief Send the model to the device that has the place in the next round.
    /// @param place of it in this round
    void Teleport(uint32_t place);

    uint32_t m_active;              //!< attribute Active
    std::optional<uint32_t> m_turn; //!< see FindTurn()

    Mail<gossip::Push> m_pushes;       //!< models to be averaged
    Mail<gossip::Teleport> m_arrivals; //!< models to begin with
};

} // namespace ns3::collab

#endif /* GOSSIP_TELEPORTATION_APPLICATION_H */
