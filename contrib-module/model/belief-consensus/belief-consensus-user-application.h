/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_USER_APPLICATION_H
#define BELIEF_CONSENSUS_USER_APPLICATION_H

#include "belief-consensus-effective-weights.h"
#include "belief-consensus-messages.h"

#include "ns3/belief-consensus-belief.h"
#include "ns3/collab-application.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Whose belief a user has pooled with which weight, for traces.
struct BeliefWeightsRecord
{
    /// One of those who have a weight in W
    struct Entry
    {
        uint32_t peer = 0;  //!< device; the first one is the user itself
        double weight = 0;  //!< effective W_ij
        std::string source; //!< "self", "fresh", "partial", "stale" or "missing"
    };

    uint32_t round = 0;         //!< the instant, from 0
    uint32_t device = 0;        //!< the user
    Time time;                  //!< when it has pooled
    std::vector<Entry> entries; //!< the user itself, and its neighbors
};

/// @ingroup collab
/// @brief Parameters of a user's private belief, for pictures.
struct BeliefRecord
{
    uint32_t round = 0;                                     //!< the instant, from 0
    uint32_t device = 0;                                    //!< the user
    Time time;                                              //!< of the belief
    std::vector<std::pair<std::string, double>> parameters; //!< see BeliefModel::Describe()
};

/**
 * @ingroup collab
 * @brief What users have in common that learn by beliefs (Lalitha et al., 2018).
 *
 * A user keeps a private belief rho, makes a public one b of it by its own data, (2), and tells b
 * by one transmission: rho never leaves it. What comes is believed if it is a proper belief of the
 * family, and traced and dropped if not (Transport's Reject); a finite lie passes. See the
 * subclasses for when beliefs are pooled.
 *
 * An update or a pool that overflows is undone, with the metric "diverged": a user's own belief
 * is always proper.
 */
class BeliefUserApplication : public CollaborationApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param model the user's data and family of beliefs
    void SetModel(std::shared_ptr<BeliefModel> model);
    /// @brief Tell whom the user listens to, and how much: its row of W, set before the run.
    /// @param devices N(i); not the user itself
    /// @param weights W_ij of each, not negative, with a sum of at most 1: the rest is W_ii. None
    /// if there are devices: then W_ij = g_ij / (1 + sum_l g_il), g = 1 - outage probability as the
    /// radio tells it at the instant
    /// @param listeners who listens to the user, ascending; not the user itself
    void SetNeighbors(std::vector<uint32_t> devices,
                      std::vector<double> weights,
                      std::vector<uint32_t> listeners);

    /// @return rho, for the researcher
    Belief GetBelief() const;
    /// @return whether it tells the truth
    bool IsHonest() const;
    /// @return instants that have ended in which an update or a pool was undone
    uint32_t CountUndone() const;

    /// @brief Assign fixed streams to the random variables of the user.
    /// @param stream first stream index to use
    /// @return number of stream indices used
    virtual int64_t AssignUserStreams(int64_t stream) = 0;

    std::vector<Metric> GetMetrics() const override;

    /// TracedCallback signature for weights.
    /// @param record a user's effective row of W
    typedef void (*WeightsTracedCallback)(const BeliefWeightsRecord& record);
    /// TracedCallback signature for beliefs.
    /// @param record a user's belief
    typedef void (*BeliefTracedCallback)(const BeliefRecord& record);

  protected:
    /// What is measured in an instant
    struct Metrics
    {
        std::vector<double> values; //!< of the model; empty if it is not measured
        bool isUndone = false;      //!< whether an update or a pool was undone
        double selfWeight = 1;      //!< effective W_ii
        Time lag;                   //!< by how much the instant began late
        double influence = 1;       //!< estimate of v
        uint32_t merged = 0;        //!< beliefs merged
        uint32_t outdated = 0;      //!< beliefs that came after a newer one of their sender
    };

    /// What came of merging beliefs
    struct Pooled
    {
        Belief belief;               //!< the pool
        std::vector<double> weights; //!< that were in force
    };

    void DoStart() override;

    /// @brief A neighbor's belief has come, and is proper; of one that has come in part, numbers
    /// that have not are NaN.
    virtual void HandleBelief(const Received<PublicBelief>& message, Belief belief) = 0;
    /// @return what the subclass measures, after the model's metrics
    virtual Columns<Metrics> GetOwnColumns() const = 0;

    /// @brief Do the local update of this instant on a belief, as a job.
    /// @param prior the belief
    /// @param measures whether to measure the result
    /// @return b
    ProcessOf<Belief> Update(Belief prior, bool measures);
    /// @brief Pool beliefs as a job, by the attribute Pooling.
    /// @param beliefs the user's own first; weights sum to 1
    /// @param missing what to do about numbers that have not come: NaN
    /// @param measures whether to measure the result
    /// @return the pool
    ProcessOf<Pooled> Pool(std::vector<WeightedBelief> beliefs,
                           MissingBeliefPolicy missing,
                           bool measures);
    /// @param beliefs number of them, the user's own included
    /// @param missing see Pool()
    /// @return how long Pool() takes at the most
    Time GetPoolDuration(std::size_t beliefs, MissingBeliefPolicy missing) const;
    /// @brief Tell others what the user tells in this instant, if anybody listens: all in range by
    /// a broadcast or, where it is repeated until it is acknowledged, those that listen.
    /// @param deadline at which a message that has not been sent is given up
    void Tell(Time deadline);

    /// @return W_ij of each neighbor now
    std::vector<double> GetWeights() const;
    /// @param entries effective weights: those of the user itself, and of its neighbors
    void TraceWeights(std::vector<BeliefWeightsRecord::Entry> entries);
    /// @return whether the model is to be measured in this instant
    bool IsMeasuring() const;
    /// @brief Report what was measured in this instant, at its end.
    void ReportInstant();

    std::vector<uint32_t> m_devices;  //!< N(i)
    Belief m_belief;                  //!< rho
    std::optional<uint32_t> m_degree; //!< told with beliefs; none: not told
    /// of each user in the belief, told with beliefs to estimate influences; empty: not told
    std::vector<float> m_shares;
    Metrics m_metrics;                //!< of this instant

  private:
    /// What a job has made
    struct Result
    {
        Belief belief;                //!< b, or the pool; proper
        Packed<PublicBelief> message; //!< what to tell, after an update
        std::vector<double> weights;  //!< in force in a pool
        std::vector<double> values;   //!< what was measured, if anything
        bool isUndone = false;        //!< whether what came out was not proper
    };

    /// @return a message of the shape that all know
    PublicBelief MakeShape() const;
    /// @param message of a neighbor
    /// @return the belief, with NaN for numbers that have not come
    /// @throws PayloadError or ImproperBelief if it is none
    Belief ReadBelief(const Received<PublicBelief>& message) const;
    /// @param message of anybody
    void HandleMessage(const Received<PublicBelief>& message);
    /// @return columns of Metrics
    Columns<Metrics> GetColumns() const;
    /// @return whether beliefs are sent in parts
    bool UsesParts() const;
    /// @param beliefs number of them, the user's own included
    /// @param missing what to do about numbers that have not come; SELF if all have
    /// @return floating-point operations of Pool()
    uint64_t CountPoolFlops(std::size_t beliefs, MissingBeliefPolicy missing) const;
    /// @param result of a job
    void TakeResult(const Result& result);
    /// @return FLOAT32 or FLOAT64
    BeliefPrecision GetWirePrecision() const;
    /// @return the model, whatever it is set to
    BeliefModel& CheckModel() const;

    BeliefPrecision m_precision;   //!< attribute Precision
    BeliefPooling m_pooling;       //!< attribute Pooling
    double m_clipRadius;           //!< attribute ClipRadius
    BeliefLie m_lie;               //!< attribute Lie
    double m_lieStrength;          //!< attribute LieStrength
    uint32_t m_evaluationInterval; //!< attribute EvaluationInterval
    uint32_t m_beliefInterval;     //!< attribute BeliefInterval

    std::shared_ptr<BeliefModel> m_model; //!< data and family
    std::vector<double> m_weights;        //!< of each; empty: by the radio's links
    DeviceGroup m_listeners;              //!< who listens
    Packed<PublicBelief> m_message;       //!< what to tell in this instant
    uint32_t m_undone = 0;                //!< instants of which an update or a pool was undone

    TracedCallback<const BeliefWeightsRecord&> m_weightsTrace; //!< trace source Weights
    TracedCallback<const BeliefRecord&> m_beliefTrace;         //!< trace source Belief
};

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_USER_APPLICATION_H */
