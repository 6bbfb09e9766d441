/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_BRAIN_TORRENT_APPLICATION_H
#define GOSSIP_BRAIN_TORRENT_APPLICATION_H

#include "gossip-application.h"
#include "gossip-merge.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief BrainTorrent (Roy et al., arXiv:1905.06731), as one device runs it.
 *
 * At first every device trains. Then each round is the turn of one device, drawn by a pseudo-random
 * function that all share. It asks all for the versions of their models, phase "ask"; fetches those
 * that are newer than what it has merged of them, phase "fetch"; merges them with its own, weighted
 * by data size, phase "merge"; trains, phase "train", by which its version grows; and tells all
 * that its turn is over. Others are in the phase "wait". Who trains answers when it has done.
 *
 * A device takes a turn for over when it hears so, when it hears of a later turn from the device
 * whose turn that is, or after TurnTimeout. So all rounds end within the first training and Rounds
 * times TurnTimeout. If what one hears differs, two may have their turns at once, which does no
 * harm.
 */
class BrainTorrentApplication : public GossipApplication
{
  public:
    /// Kind of the message that asks for versions
    static constexpr uint16_t PING = 0x0501;
    /// Kind of the message with a version
    static constexpr uint16_t VERSION = 0x0502;
    /// Kind of the message that asks for a model
    static constexpr uint16_t FETCH = 0x0503;
    /// Kind of the message with a model
    static constexpr uint16_t MODEL = 0x0504;
    /// Kind of the message that ends a turn
    static constexpr uint16_t DONE = 0x0505;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    BrainTorrentApplication();

    /// @return number of the trainings of this device's model
    uint32_t GetVersion() const;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void BeginRound() override;
    void DoHalt() override;

  private:
    /// A question that waits until the device has trained
    struct Question
    {
        uint32_t sender = 0; //!< who asks
        uint16_t kind = 0;   //!< PING or FETCH
        uint32_t round = 0;  //!< of the asking one
    };

    /// @param round a round
    /// @return whose turn it is
    uint32_t GetInitiator(uint32_t round) const;
    /// @brief Begin the own turn if it is, or wait.
    void TakePart();
    /// @brief Go on after a training: the own model is newer.
    void EndTrain();
    /// @brief Phase "ask".
    void BeginAsk();
    /// @brief Fetch what is newer.
    void EndAsk();
    /**
     * @brief Await the models that are newer, and count those of peers that have told no version.
     * @param timeout attribute whose time is over, if there are any
     */
    void AwaitNewer(const std::string& timeout);
    /**
     * @brief Count the models that are awaited: they do not come in time.
     * @param timeout attribute whose time is over
     */
    void MissAwaited(const std::string& timeout);
    /// @brief Count the models of all peers if the present round is an own turn that never began.
    void CheckTurn();
    /// @brief Merge if nothing is awaited any more.
    void CheckFetch();
    /// @brief Merge what has come, and train.
    void EndFetch();
    /// @brief Answer a question, now or after the training.
    /// @param question to answer
    void Answer(const Question& question);
    /**
     * @brief End rounds until that one is present.
     * @param round to be in; GetRounds() for the end
     */
    void AdvanceTo(uint32_t round);

    /**
     * @param message with numbers
     * @param count of numbers that there must be
     * @param numbers of the message
     * @throws PayloadError if there are not as many
     */
    static void CheckNumbers(const Message& message,
                             std::size_t count,
                             const std::vector<uint32_t>& numbers);
    /**
     * @brief A message that only the device may send whose turn it is.
     *
     * @param message it
     * @throws PayloadError if it is another one's
     */
    void CheckInitiator(const Message& message) const;
    /// @param message with a version
    /// @param version of the sender's model
    void HandleVersion(const Message& message, uint32_t version);
    /// @param message with a model
    /// @param model of the sender
    void HandleModel(const Message& message,
                     const std::shared_ptr<const GossipWeightsPayload>& model);

    Time m_versionTimeout; //!< attribute VersionTimeout
    Time m_fetchTimeout;   //!< attribute FetchTimeout
    Time m_turnTimeout;    //!< attribute TurnTimeout

    uint32_t m_present = 0;                  //!< round to be in
    uint32_t m_version = 0;                  //!< number of own trainings
    VersionVector m_merged;                  //!< versions that are part of the own model
    std::optional<uint32_t> m_turn;          //!< round of the own turn that began last
    bool m_asking = false;                   //!< phase "ask"
    bool m_fetching = false;                 //!< phase "fetch"
    std::map<uint32_t, uint32_t> m_versions; //!< that peers have told in this turn
    std::set<uint32_t> m_awaited;            //!< peers whose models are to come
    std::map<uint32_t, std::shared_ptr<const GossipWeightsPayload>> m_models; //!< that have come
    std::vector<Question> m_questions; //!< to be answered after the training
    EventId m_phaseEvent;              //!< end of the patience with peers
    EventId m_roundEvent;              //!< end of the patience with the present turn
};

} // namespace collab
} // namespace ns3

#endif /* GOSSIP_BRAIN_TORRENT_APPLICATION_H */
