/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_RECORDER_H
#define BELIEF_CONSENSUS_RECORDER_H

#include "belief-consensus-user-application.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A number of the theory of belief consensus, for the table theory.
struct BeliefTheoryRow
{
    std::string quantity; //!< its name
    int64_t user = -1;    //!< which user it is of; -1: of all
    int64_t other = -1;   //!< which other user or hypothesis it is about; -1: none
    double value = 0;     //!< the number; NaN if there is none
    std::string unit;     //!< of the number
    std::string meaning;  //!< what it says

    /// @return the table theory
    static TableColumns<BeliefTheoryRow>
    GetTable()
    {
        using Row = BeliefTheoryRow;
        return {"theory",
                "a number that is known before the run, or of the weights that were in force in it",
                {{"quantity", "", "its name", &Row::quantity},
                 {"user", "", "user that it is of; -1: of all", &Row::user},
                 {"other", "", "hypothesis that it is about; -1: none", &Row::other},
                 {"value", "", "the number; NaN if there is none", &Row::value},
                 {"unit", "", "unit of the number", &Row::unit},
                 {"meaning", "", "what it says", &Row::meaning}}};
    }
};

struct BeliefRow;
struct BeliefWeightRow;
struct NetworkRow;

/**
 * @ingroup collab
 * @brief Writes what users believe, and with which weights they have pooled.
 *
 * - network: one row an instant and metric, when all honest users that are still there have ended
 *   the instant: the researcher's view, which no user has;
 * - weights: one row an instant, user and member of its pool;
 * - beliefs: one row an instant, user and parameter;
 * - theory: what is known beforehand, and what follows from the weights in force.
 */
class BeliefConsensusRecorder
{
  public:
    /// @param store where to write; must live as long as this recorder
    /// @param applications BeliefUserApplications
    /// @param weightsInterval instants from one that is written to the table weights to the next,
    /// counted as those of the attributes BeliefInterval and EvaluationInterval are; 0 for none
    BeliefConsensusRecorder(TableStore& store,
                            const ApplicationContainer& applications,
                            uint32_t weightsInterval);

    BeliefConsensusRecorder(const BeliefConsensusRecorder&) = delete;
    BeliefConsensusRecorder& operator=(const BeliefConsensusRecorder&) = delete;

    /// @param rows of the table theory
    void WriteTheory(const std::vector<BeliefTheoryRow>& rows);

  private:
    /// What is known of one metric in an instant that some user has yet to end
    struct Spread
    {
        uint32_t users = 0;  //!< those that have a value
        double sum = 0;      //!< over them
        double least = 0;    //!< of them
        double greatest = 0; //!< of them
    };

    /// What is known of an instant that some user has yet to end
    struct Instant
    {
        std::set<uint32_t> ended;    //!< devices
        Time end;                    //!< of the latest one
        std::vector<Spread> metrics; //!< in the order of the model's metrics
    };

    /// @param record an instant that a user has ended
    void HandleRound(const RoundRecord& record);
    /// @param device a user that goes on no more
    /// @param finished whether it has done all instants
    void HandleEnd(uint32_t device, bool finished);
    /// @param record effective weights
    void HandleWeights(const BeliefWeightsRecord& record);
    /// @param record parameters of a belief
    void HandleBelief(const BeliefRecord& record);
    /// @brief Write the instants that all users which are still there have ended.
    void WriteInstants();

    TableOf<NetworkRow> m_network;      //!< the table network
    TableOf<BeliefWeightRow> m_weights; //!< the table weights
    TableOf<BeliefRow> m_beliefs;       //!< the table beliefs
    TableOf<BeliefTheoryRow> m_theory;  //!< the table theory

    uint32_t m_weightsInterval;            //!< instants between rows of weights
    std::set<uint32_t> m_left;             //!< honest users that are still there
    std::vector<std::string> m_metrics;    //!< names of the models' metrics
    std::map<uint32_t, Instant> m_unended; //!< instants by number
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_RECORDER_H */
