/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SETTINGS_H
#define COMMITTEE_SETTINGS_H

#include "committee-score.h"

#include "ns3/collab-learning-application.h"
#include "ns3/committee-host.h"
#include "ns3/committee-misbehavior.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a client uploads.
enum class GradientMode
{
    LAST,        //!< the gradient of its last local step, at the weights before that step
    PRINTED,     //!< g(w_tau), at the weights after all local steps, as the paper prints it
    ACCUMULATED, //!< (w - w') / eta over all its local steps
};

/// @ingroup collab
/// @brief How a client uploads.
enum class UploadMode
{
    UNICAST,   //!< to one member after the other, as the paper counts
    BROADCAST, //!< to all members by one transmission
};

/// @ingroup collab
/// @brief What a device of the committee mechanism is told before it starts: attributes, the
/// federation, and accomplices; and how long things take by that.
class CommitteeSettings : public LearningApplication
{
  public:
    /// @brief Tell what all devices know beforehand.
    /// @param devices all devices, ascending
    /// @param seed of what is pseudo-random and shared
    /// @param keys of all devices
    void
    SetFederation(std::vector<uint32_t> devices, uint64_t seed, std::shared_ptr<const KeyRing> keys)
    {
        m_devices = std::move(devices);
        m_seed = seed;
        m_keys = std::move(keys);
    }

    /// @brief Let the device plan with others; needed if there is a Misbehavior.
    /// @param conspiracy of all Byzantine devices
    void
    SetConspiracy(std::shared_ptr<Conspiracy> conspiracy)
    {
        m_conspiracy = std::move(conspiracy);
    }

    /// @return the longest time from the begin of a round to its end
    Time
    GetLongestRound() const
    {
        return NanoSeconds(MakeOptions().GetLongestRoundNs());
    }

    /// @return attribute Patience, or what is computed in its place
    Time
    GetPatience() const
    {
        return NanoSeconds(MakeOptions().GetPatienceNs());
    }

    /**
     * @brief How long this device computes in a round, at most: it trains, scores and aggregates.
     *
     * By the present settings, the learner, and the node's Processor. A device that does nothing
     * meanwhile waits for no longer than that for this one, besides time on air.
     *
     * @return that time
     */
    Time GetComputingDuration() const;
    /// @return how much of it the device aggregates, at most
    Time GetAggregatingDuration() const;
    /// @param senders devices, each of which has a gradient or a model to send at the same time
    /// @return how long it takes until each has sent it once
    Time GetModelAirtime(uint32_t senders) const;

  protected:
    /// Purposes of seeds that are drawn from the shared one
    enum Purpose : uint64_t
    {
        FIRST_COMMITTEE = 1,
        ATTACK = 3,
        BEHAVIOR = 4,
        DELAYS = 5,
        DISTURBANCE = 6,
    };

    void DoDispose() override;

    /// @param type of the application
    /// @return the type, with all attributes
    static TypeId AddSettings(TypeId type);
    /// @param purpose what is drawn
    /// @param number of the round, or of the device
    /// @return a seed of its own
    uint64_t MakeSeed(uint64_t purpose, uint64_t number) const;
    /// @return what the node needs to know, but for the first model
    NodeOptions MakeOptions() const;
    /// @return the training of a round
    TrainTask MakeTask() const;
    /// @return number of elements that a model has on the wire
    uint64_t
    CountElements() const
    {
        return GetLearner()->GetWeights()->size() * GetLearner()->GetMultiplicity();
    }

    uint32_t m_committeeSize;       //!< attribute CommitteeSize
    uint32_t m_trainingClients;     //!< attribute TrainingClients
    double m_alpha;                 //!< attribute Alpha
    AlphaBase m_alphaOf;            //!< attribute AlphaOf
    SelectionStrategy m_selection;  //!< attribute Selection
    ElectionStrategy m_election;    //!< attribute Election
    ScoreCombination m_combination; //!< attribute Combination
    QuorumRule m_rule;              //!< attribute QuorumRule
    bool m_primaryVotes;            //!< attribute PrimaryVotes
    uint32_t m_maxAttempts;         //!< attribute MaxAttempts
    Time m_gradientTimeout;         //!< attribute GradientTimeout
    Time m_scoreTimeout;            //!< attribute ScoreTimeout
    Time m_attemptTimeout;          //!< attribute AttemptTimeout
    Time m_modelTimeout;            //!< attribute ModelTimeout
    Time m_patience;                //!< attribute Patience
    uint32_t m_localSteps;          //!< attribute LocalSteps
    double m_localRate;             //!< attribute LocalLearningRate
    double m_globalRate;            //!< attribute GlobalLearningRate
    double m_mostWeight;            //!< attribute MaxSampleWeight
    GradientMode m_gradientMode;    //!< attribute GradientMode
    UploadMode m_upload;            //!< attribute Upload
    std::string m_misbehaviorNames; //!< attribute Misbehavior
    Misbehavior m_misbehavior;      //!< made of it
    bool m_attackedScores;          //!< attribute AttackedScores

    std::vector<uint32_t> m_devices;          //!< all devices
    uint64_t m_seed = 0;                      //!< of what is shared
    std::shared_ptr<const KeyRing> m_keys;    //!< of all devices
    std::shared_ptr<Conspiracy> m_conspiracy; //!< of Byzantine devices

  private:
    /// @param specification attribute Misbehavior; UserError if it is none
    void SetMisbehavior(std::string specification);
    /// @return attribute Misbehavior
    std::string
    GetMisbehavior() const
    {
        return m_misbehaviorNames;
    }
};

} // namespace ns3::collab

#endif /* COMMITTEE_SETTINGS_H */
