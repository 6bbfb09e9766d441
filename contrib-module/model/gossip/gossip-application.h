/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_APPLICATION_H
#define GOSSIP_APPLICATION_H

#include "gossip-merge.h"
#include "gossip-payloads.h"

#include "ns3/collab-application.h"
#include "ns3/collab-columns.h"
#include "ns3/collab-delivery.h"
#include "ns3/collab-evaluations.h"
#include "ns3/collab-learner.h"
#include "ns3/collab-random.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief A model or a part of one that a device wanted of another, for traces.
struct GossipExchange
{
    uint32_t round = 0;    //!< of the device
    uint32_t device = 0;   //!< who wanted it
    uint32_t peer = 0;     //!< from whom
    uint32_t part = 0;     //!< version of a whole model, number of a segment, or 0 for a mask
    bool received = false; //!< whether it came in time
    Time time;             //!< when that was known
    std::string timeout;   //!< attribute whose time was over before it came; empty if none was

    /// @return the table exchanges
    static TableColumns<GossipExchange>
    GetTable()
    {
        return {
            "exchanges",
            "a model or a part of one that a device wanted of another",
            {{"round", "", "number of the round, from 0", &GossipExchange::round},
             {"device", "", "who wanted it", &GossipExchange::device},
             {"peer",
              "",
              "from whom; gossipfl, without the pairs in time: the coordinator",
              &GossipExchange::peer},
             {"part",
              "",
              "braintorrent: version of the model, 0 if it was not told; segmented: number of the "
              "segment; gossipfl: 0",
              &GossipExchange::part},
             {"received", "", "1 if it came in time, or 0", &GossipExchange::received},
             {"time_s", "s", "when that was known", &GossipExchange::time}}};
    }
};

/**
 * @ingroup collab
 * @brief What devices that learn by gossip, without a server, have in common.
 *
 * A round of a device ends after a bounded time, whatever is lost and whoever is gone; see the
 * subclasses. Whom to speak with is drawn by pseudo-random functions of a seed that all share, or
 * told in messages. Nothing is authenticated: these algorithms trust their peers, and only what is
 * malformed is refused.
 */
class GossipApplication : public CollaborationApplication
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Say what the device learns with, at any time before it starts.
     *
     * @param learner the device's model and data; all devices begin with the same weights
     * @param samples number of its samples, by which its model is weighed
     */
    void SetLearner(std::shared_ptr<Learner> learner, uint32_t samples);
    /**
     * @brief Tell what all devices know beforehand.
     *
     * @param devices all devices, ascending
     * @param seed of what is pseudo-random and shared
     */
    void SetFederation(std::vector<uint32_t> devices, uint64_t seed);
    /**
     * @brief Measure the model on some labelled samples whenever it has changed.
     *
     * Measuring takes no simulated time and no energy: it is the researcher's, not the device's.
     *
     * @param name suffix of the metrics "accuracy_NAME" and "loss_NAME"
     * @param labelled samples with the labels to judge by
     */
    void AddEvaluation(const std::string& name, std::shared_ptr<const DataView> labelled);

    /// @return the present model, null without a learner; not while a job runs
    FlatVector GetModel() const;
    /**
     * @param round a round
     * @return how long the training takes in all that the device has begun in that round or before
     * and not ended; 0 if there is none
     */
    Time GetTrainingDuration(uint32_t round) const;

    std::vector<Metric> GetMetrics() const override;

    /**
     * TracedCallback signature for exchanges.
     *
     * @param exchange what was wanted and whether it came
     */
    typedef void (*ExchangeTracedCallback)(const GossipExchange& exchange);

  protected:
    GossipApplication();

    void DoDispose() override;
    void DoStart() override;

    /**
     * @brief Send a message, numbers before what waits in the queue, until it is heard.
     * @param delivery what to send; told that it is finished as long as the device answers
     */
    void Deliver(Delivery delivery);
    /**
     * @brief Send a small message to all before what waits in the queue.
     *
     * @param kind of the message
     * @param round of the protocol
     * @param numbers what it says
     * @param untilHeard whether, if sending is reliable, it is also sent to each device in range
     * that has not acknowledged it: one whose radio transmits misses all attempts of a broadcast
     */
    void Announce(uint16_t kind,
                  uint32_t round,
                  std::vector<uint32_t> numbers,
                  bool untilHeard = false);
    /**
     * @brief Take part in messages with numbers.
     *
     * @param kind of the messages
     * @param name of the kind
     * @param receiver gets them; a PayloadError that it throws rejects the message
     */
    void RegisterNumbers(
        uint16_t kind,
        const std::string& name,
        std::function<void(const Message&, const std::vector<uint32_t>&)> receiver);
    /**
     * @brief Take part in messages with weights.
     *
     * @param kind of the messages
     * @param name of the kind
     * @param receiver gets them; a PayloadError that it throws rejects the message
     */
    void RegisterWeights(
        uint16_t kind,
        const std::string& name,
        std::function<void(const Message&, const std::shared_ptr<const GossipWeightsPayload>&)>
            receiver);

    /**
     * @brief Phase "train": train on the own samples, and measure.
     * @param done called then
     */
    void Train(std::function<void()> done);
    /**
     * @brief Phase "merge": replace the model, and measure.
     *
     * @param flops of the work with all numbers that weights stand for
     * @param work makes the new weights on a host thread; if one is not finite, as when the own
     * training has diverged, the model stays as it is
     * @param done called then
     */
    void Merge(uint64_t flops,
               std::function<std::vector<float>()> work,
               std::function<void()> done);
    /// @brief End the present round with what was measured last.
    void FinishRound();
    /**
     * @brief Count and trace a model or part that was wanted.
     *
     * @param peer from whom
     * @param part version or segment
     * @param received whether it came
     * @param timeout attribute whose time was over before it came; empty if none was
     */
    void NoteExchange(uint32_t peer, uint32_t part, bool received, const std::string& timeout = "");

    /// @return whether a job runs
    bool IsBusy() const;
    /// @return whether the device still answers: it runs, or has done all rounds
    bool IsAnswering() const;
    /// @return all devices but this one
    const std::vector<uint32_t>& GetPeers() const;
    /// @return all devices, ascending
    const std::vector<uint32_t>& GetDevices() const;
    /// @return seed that all share
    uint64_t GetSharedSeed() const;
    /// @return number of the device's samples
    uint32_t GetSamples() const;
    /// @return attribute MaxSamples
    uint32_t GetMaxSamples() const;
    /// @return number of weights of the model
    std::size_t GetDimension() const;
    /// @return how many numbers each weight stands for
    uint32_t GetMultiplicity() const;
    /// @return numbers that all weights stand for
    std::size_t GetNumbers() const;
    /**
     * @param numbers some of those that all weights stand for
     * @return as many weights as stand for so many numbers, about where they are
     */
    GossipSegment GetWeightsOf(const GossipSegment& numbers) const;
    /**
     * @param payload weights of this device, or part of them
     * @param number version or segment
     * @param count numbers that they stand for
     * @return them as they travel
     */
    std::shared_ptr<const GossipWeightsPayload> MakeWeights(FlatVector payload,
                                                            uint32_t number,
                                                            std::size_t count) const;

  private:
    /**
     * @brief Run a job, measure what the learner then is, and go on.
     *
     * @param flops of the job
     * @param work on a host thread
     * @param done called then
     */
    void RunMeasured(uint64_t flops, std::function<void()> work, std::function<void()> done);
    uint32_t m_localEpochs;  //!< attribute LocalEpochs
    uint32_t m_localSteps;   //!< attribute LocalSteps
    double m_learningRate;   //!< attribute LearningRate
    bool m_resetsOptimizer;  //!< attribute ResetsOptimizer
    LossPolicy m_lossPolicy; //!< attribute LossPolicy
    uint32_t m_retries;      //!< attribute Retries
    Time m_retryDelay;       //!< attribute RetryDelay
    uint32_t m_maxSamples;   //!< attribute MaxSamples

    std::shared_ptr<Learner> m_learner;           //!< the model and its data
    uint32_t m_samples = 0;                       //!< number of its samples
    std::size_t m_dimension = 0;                  //!< number of weights of the model
    std::vector<uint32_t> m_devices;              //!< all devices, ascending
    std::vector<uint32_t> m_peers;                //!< all but this one
    uint64_t m_seed = 0;                          //!< of what is pseudo-random and shared
    RandomGenerator m_generator;                  //!< of delays before retries
    std::unique_ptr<DeliveryRepeater> m_repeater; //!< sends to one device
    Evaluations m_evaluations;                    //!< what to measure on
    std::shared_ptr<std::vector<Score>> m_scores; //!< of the model now
    double m_loss = std::numeric_limits<double>::quiet_NaN(); //!< of the training in this round
    uint32_t m_merged = 0;                   //!< models or parts merged in this round
    uint32_t m_missing = 0;                  //!< that did not come in this round
    bool m_busy = false;                     //!< whether a job runs
    std::optional<uint32_t> m_trainingRound; //!< of the training that runs
    Time m_trainingDuration;                 //!< of that

    TracedCallback<const GossipExchange&> m_exchangeTrace; //!< trace source Exchange
};

} // namespace collab
} // namespace ns3

#endif /* GOSSIP_APPLICATION_H */
