/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_RECORDER_H
#define PREDICTION_CONSENSUS_RECORDER_H

#include "prediction-consensus-application.h"
#include "prediction-consensus-theory.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"

#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

struct ConsensusRow;
struct InfluenceRow;
struct TrustRow;

/**
 * @ingroup collab
 * @brief Writes trust, and how the agents come to a consensus.
 *
 * - trust: one row a device, peer and collaborative round;
 * - consensus: one row a round, when all devices that are still there have ended it;
 * - influence: one row a device and collaborative round, at the same time.
 *
 * Consensus and influence are the researcher's view: no agent knows all of W or all predictions. In
 * W, an agent that was off or did not take part in a round trusts only itself, and predictions of
 * another round count like those of this one. Of more than MOST_COMPARED devices, so many at equal
 * distances in their order are compared; of more than MOST_TRACKED devices, W is not assembled.
 */
class PredictionConsensusRecorder
{
  public:
    /// Name of the probe on X*, see PredictionConsensusApplication::AddProbe()
    static constexpr const char* REFERENCE = "reference";
    /// Name of the probe on samples of which what agents know together is measured
    static constexpr const char* GLOBAL = "global";
    /// Most devices of which all pairs are compared
    static constexpr std::size_t MOST_COMPARED = 200;
    /// Most devices of which trust matrices are multiplied
    static constexpr std::size_t MOST_TRACKED = 1000;

    /// @param store where to write; must live as long as this recorder
    /// @param applications the devices' PredictionConsensusApplications; those with a probe
    /// REFERENCE are compared
    /// @param lowQuality places in the container of the devices with bad data, for WriteChecks()
    /// @param global labeled samples of the probe GLOBAL; null if there is none
    PredictionConsensusRecorder(TableStore& store,
                                const ApplicationContainer& applications,
                                const std::set<std::size_t>& lowQuality = {},
                                std::shared_ptr<const DataView> global = nullptr);

    PredictionConsensusRecorder(const PredictionConsensusRecorder&) = delete;
    PredictionConsensusRecorder& operator=(const PredictionConsensusRecorder&) = delete;

    /// @brief Say which conditions of the paper's theory the trust matrices of the run have met.
    /// @param os where to write some lines; nothing if there was no collaborative round
    void WriteChecks(std::ostream& os) const;

  private:
    /// Predictions by place
    using Predictions = std::map<std::size_t, std::shared_ptr<const Matrix<float>>>;

    /// What is known of a round that some device has yet to end
    struct Round
    {
        Predictions predictions;                  //!< on X*
        Predictions global;                       //!< on the samples of GLOBAL
        std::map<std::size_t, TrustRecord> trust; //!< by place
        std::set<std::size_t> ended;              //!< places
    };

    /// In how many collaborative rounds a condition held
    struct Counts
    {
        uint64_t positive = 0;      //!< Theorem 1
        uint64_t selfConfident = 0; //!< section 4.1
        uint64_t columnSums = 0;    //!< Proposition 4 or 8, bad agents receive least
        uint64_t all = 0;           //!< Proposition 4 or 8, all conditions
    };

    /// @param record a row of the trust matrix
    void HandleTrust(const TrustRecord& record);
    /// @param record what an agent says of some samples
    void HandlePrediction(const PredictionRecord& record);
    /// @param record a round that a device has ended
    void HandleRound(const RoundRecord& record);
    /// @param device number of a device that goes on no more
    /// @param finished whether it has done all rounds
    void HandleEnd(uint32_t device, bool finished);
    /// @brief Write the rounds that all devices which are still there have ended.
    void WriteRounds();
    /// @param number of a round
    /// @param round what is known of it
    void WriteRound(uint32_t number, const Round& round);
    /// @param round what is known of it
    /// @return how much the devices disagree at its end; NaN if there are less than two
    PredictionDistance Compare(const Round& round) const;
    /// @brief Measure the trust matrix m_last.
    /// @param round what is known of its round
    /// @param[out] row gets the numbers
    void MeasureTrust(const Round& round, ConsensusRow& row) const;
    /// @param predictions of all devices
    /// @return them by place; none if some are missing, or there are more than MOST_COMPARED
    /// devices
    std::vector<const Matrix<float>*> ListAll(const Predictions& predictions) const;
    /// @return of each device, how much of GLOBAL its row of m_last would label right, of all
    /// devices' predictions at the end of the round before; none without these
    std::vector<double> ScoreEnsembles() const;
    /// @param round with the trust matrix m_last
    /// @return its distance from eq. (4); NaN if predictions of a device are missing in it or in
    /// the round before, or there are more than MOST_COMPARED devices
    UpdateResidual CompareWithUpdate(const Round& round) const;
    /// @param round with trust
    /// @return its trust matrix
    Matrix<double> AssembleTrust(const Round& round) const;
    /// @param w trust matrix of the next collaborative round
    void Count(const Matrix<double>& w);
    /// @param round number of a collaborative round that has been counted
    void WriteInfluence(uint32_t round);

    TableOf<TrustRow> m_trust;                //!< the table trust
    TableOf<ConsensusRow> m_consensus;        //!< the table consensus
    TableOf<InfluenceRow> m_influence;        //!< the table influence
    std::map<uint32_t, std::size_t> m_places; //!< place of each device in the container
    std::set<std::size_t> m_left;             //!< places of the devices that are still there
    std::map<uint32_t, Round> m_rounds;       //!< by number; those not written yet
    std::set<std::size_t> m_lowQuality;       //!< places of the devices with bad data
    bool m_isRegression = false;              //!< whether predictions are values
    ConsensusTracker m_tracker;               //!< of all rounds written
    Matrix<double> m_last;                    //!< trust of the last of them
    std::shared_ptr<const DataView> m_global; //!< samples of GLOBAL, or null
    ConsensusMode m_mode = ConsensusMode::SOFT_LABELS; //!< how predictions are pooled
    Predictions m_before;                              //!< on X*, of the last of them
    Predictions m_globalBefore;                        //!< on GLOBAL, of the last of them
    Counts m_counts;                                   //!< of all rounds written
};

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_RECORDER_H */
