/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOSSIP_BRAIN_TORRENT_APPLICATION_H
#define GOSSIP_BRAIN_TORRENT_APPLICATION_H

#include "gossip-application.h"
#include "gossip-merge.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
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
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @return number of the trainings of this device's model
    uint32_t GetVersion() const;

  protected:
    void DoStart() override;
    void DoResume() override;
    std::optional<uint32_t> FindPresentRound() const override;
    Process Round() override;

  private:
    /// Models that have come, by peer
    using Models = std::map<uint32_t, std::shared_ptr<const gossip::Model>>;
    /// Answers a question
    using Answer = std::function<void()>;

    /// @brief Wait until the present turn is over, for others or since it takes too long.
    Process WaitForOthers();
    /// @brief Take the own turn if it is, or listen to that of another device.
    Process TakePart();
    /// @brief Phases "ask" and "fetch": get all models that are newer than what was merged of them.
    Process Collect();
    /// @brief Merge models, train, and answer those who have asked meanwhile. It goes on when
    /// others have taken the turn for over.
    /// @param models to merge
    Process Learn(Models models);
    /// @brief Await the models that are newer, and count those of peers that have told no version.
    /// @param timeout attribute whose time is over, if there are any
    void AwaitNewer(const std::string& timeout);
    /// @brief Count what is missing of an own turn that was cut, or never began.
    void CountCut();
    /// @param round that is not over: all before it are
    void SkipTo(uint32_t round);
    /// @param answer to be given now, or after the training
    void Give(Answer answer);

    /// @brief Take part in messages of a type that only the device may send whose turn it is.
    /// @param handle gets them
    template <typename T>
    void OnInitiator(std::function<void(const Received<T>&)> handle);
    /// @param message with a model
    void HandleModel(const Received<gossip::Model>& message);

    Time m_versionTimeout; //!< attribute VersionTimeout
    Time m_fetchTimeout;   //!< attribute FetchTimeout
    Time m_turnTimeout;    //!< attribute TurnTimeout

    uint32_t m_present = 0;                  //!< round to be in
    std::optional<uint32_t> m_awaitedTurn;   //!< turn that m_turnEnd belongs to
    Time m_turnEnd;                          //!< when TurnTimeout is over
    uint32_t m_version = 0;                  //!< number of own trainings
    VersionVector m_merged;                  //!< versions that are part of the own model
    bool m_isLearning = false;               //!< whether it merges or trains
    std::optional<uint32_t> m_turn;          //!< round of the own turn that began last
    std::map<uint32_t, uint32_t> m_versions; //!< that peers have told in this turn
    Models m_models;                         //!< that have come in this turn
    std::vector<Answer> m_answers;           //!< to be given after the training
};

} // namespace ns3::collab

#endif /* GOSSIP_BRAIN_TORRENT_APPLICATION_H */
