/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_APPLICATION_H
#define GOSSIP_APPLICATION_H

#include "gossip-merge.h"
#include "gossip-messages.h"

#include "ns3/collab-learning-application.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
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
        return {"exchanges",
                "a model or a part of one that a device wanted of another",
                {{"round", "", "number of the round, from 0", &GossipExchange::round},
                 {"device", "", "who wanted it", &GossipExchange::device},
                 {"peer",
                  "",
                  "from whom; gossipfl, without the pairs in time: the coordinator",
                  &GossipExchange::peer},
                 {"part",
                  "",
                  "braintorrent: version of the model, 0 if it was not told; segmented: number of "
                  "the segment; others: 0",
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
 * malformed is refused. All devices begin with the same weights; a model is weighed by the number
 * of its samples.
 */
class GossipApplication : public LearningApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @brief Tell what all devices know beforehand.
    /// @param devices all devices, ascending
    /// @param seed of what is pseudo-random and shared
    void SetFederation(std::shared_ptr<const std::vector<uint32_t>> devices, uint64_t seed);

    /// @return the present model, null without a learner; not while a job runs
    FlatVector GetModel() const;
    /// @param round a round
    /// @return how long the training takes in all that the device has begun in that round or before
    /// and not ended; 0 if there is none
    Time GetTrainingDuration(uint32_t round) const;

    std::vector<Metric> GetMetrics() const override;

    /// TracedCallback signature for exchanges.
    /// @param exchange what was wanted and whether it came
    typedef void (*ExchangeTracedCallback)(const GossipExchange& exchange);

  protected:
    void DoStart() override;
    void DoResume() override;
    bool IsAnswering() const override; // when all rounds are done, too

    /// @brief Take part in messages of a type that peers send in rounds of this run.
    /// @param handle gets them; a PayloadError that it throws refuses the message
    /// @param expected a message of the shape that all know
    template <typename T>
    void
    OnPeer(std::function<void(const Received<T>&)> handle, T expected = {})
    {
        const std::function<void(const Received<T>&)> checked =
            [this, handle = std::move(handle)](const Received<T>& message) {
                CheckSender(message.sender, message.round);
                // Who has done all rounds still answers, and learns no more
                if (IsRunning() || !std::is_base_of_v<gossip::Weights, T>)
                {
                    handle(message);
                }
            };
        On<T>(checked, std::move(expected));
    }

    /// @brief Phase "train": train on the own samples, and measure.
    Process TrainLocally();
    /// @brief Phase "merge": replace the model, and measure.
    /// @param flops of the work with all numbers that weights stand for
    /// @param work makes the new weights on a host thread; if one is not finite, as when the own
    /// training has diverged, the model stays as it is
    Process Merge(uint64_t flops, std::function<std::vector<float>()> work);
    /// @brief Report no scores until the model changes.
    void ForgetScores();
    /// @brief Report what was measured in the round.
    void ReportRound();
    /// @brief Count and trace a model or part that was wanted.
    /// @param peer from whom
    /// @param part version or segment
    /// @param received whether it came
    /// @param timeout attribute whose time was over before it came; empty if none was
    void NoteExchange(uint32_t peer, uint32_t part, bool received, const std::string& timeout = "");

    /// @return how small messages are sent to all: before what waits in the queue
    SendOptions MakeControlOptions() const;
    /// @param round of the message
    /// @param wanted whether to send it again; empty for yes
    /// @return how small messages are delivered: before what waits in the queue
    static DeliverOptions MakeControlDelivery(uint32_t round,
                                              std::function<bool()> wanted = nullptr);

    /// A version or segment of a peer
    using Source = std::pair<uint32_t, uint32_t>; // peer, number

    /// @brief Ask for all that is awaited, and wait for it.
    /// @param ask makes a message that asks for a version or segment
    /// @param longest how long to wait
    /// @param timeout attribute that says so
    template <typename T>
    Process
    RequestAll(std::function<T(uint32_t)> ask, Time longest, std::string timeout)
    {
        const auto isWanted = [this, phase = GetPhase(), round = GetRound()]() {
            return GetPhase() == phase && GetRound() == round;
        };
        for (const auto& source : m_awaited)
        {
            const auto finished = [this, source, isWanted](bool isThere) {
                if (!isThere && isWanted() && m_awaited.erase(source) > 0)
                {
                    NoteExchange(source.first, source.second, false);
                    CheckWaits();
                }
            };
            Post(source.first,
                 Pack(ask(source.second)),
                 MakeControlDelivery(GetRound(), isWanted),
                 finished);
        }
        co_await WaitUntil([this]() { return m_awaited.empty(); }, longest);
        MissAwaited(timeout);
    }

    /// @brief Count what is awaited: it does not come in time.
    /// @param timeout attribute whose time is over
    void MissAwaited(const std::string& timeout);
    /// @return all devices, ascending
    const std::vector<uint32_t>& GetDevices() const;
    /// @param device any number
    /// @return whether it is one of the others
    bool IsPeer(uint32_t device) const;
    /// @return all devices but this one, ascending
    std::vector<uint32_t> ListPeers() const;
    /// @param round a round
    /// @return a device that is drawn for it, of which all others know
    uint32_t DrawLeader(uint32_t round) const;
    /// @return numbers that all weights stand for
    std::size_t GetNumbers() const;
    /// @param numbers some of those that all weights stand for
    /// @return as many weights as stand for so many numbers, about where they are
    GossipSegment GetWeightsOf(const GossipSegment& numbers) const;
    /// @tparam T a message of weights
    /// @param numbers that all weights of a model, or of the part, stand for
    /// @param weights of this device, or part of them; null if only their shape is known
    /// @return the message
    template <typename T>
    T
    MakeWeights(std::size_t numbers, FlatVector weights = nullptr) const
    {
        T message;
        message.samples = GetSamples();
        message.values = std::move(weights);
        message.numbers = numbers;
        message.multiplicity = GetLearner()->GetMultiplicity();
        message.maxSamples = m_maxSamples;
        return message;
    }

    std::size_t m_dimension = 0; //!< number of weights of the model
    uint64_t m_seed = 0;         //!< of what is pseudo-random and shared
    std::set<Source> m_awaited;  //!< what the device has asked for, or is about to

  private:
    /// What is measured in a round
    struct Metrics
    {
        uint32_t merged = 0;                                    //!< models or parts of others
        uint32_t missing = 0;                                   //!< that did not come
        double loss = std::numeric_limits<double>::quiet_NaN(); //!< of the training
        std::shared_ptr<std::vector<Score>> scores;             //!< of the model now
    };

    /// @return columns of Metrics
    Columns<Metrics> GetColumns() const;
    /// @param sender of a message
    /// @param round of it
    /// @throws PayloadError if it is not of a peer, or of no round of this run
    void CheckSender(uint32_t sender, uint32_t round) const;

    uint32_t m_maxSamples;                                  //!< attribute MaxSamples
    std::shared_ptr<const std::vector<uint32_t>> m_devices; //!< all, ascending; of one list for all

    Metrics m_metrics;                       //!< of this round
    std::optional<uint32_t> m_trainingRound; //!< of the training that runs
    Time m_trainingDuration;                 //!< of that

    TracedCallback<const GossipExchange&> m_exchangeTrace; //!< trace source Exchange
};

} // namespace ns3::collab

#endif /* GOSSIP_APPLICATION_H */
