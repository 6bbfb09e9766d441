/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_ASKER_H
#define COMMITTEE_ASKER_H

#include "committee-host.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Whom a device asks for blocks and models that it lacks, one device at a time.
 *
 * Its round is the one after its last block under BYZANTINE, and its present one under PAPER.
 */
class CommitteeAsker
{
  public:
    /// @param options what the device needs to know
    /// @param chain how rounds have ended
    /// @param host that sends; all three must live as long
    CommitteeAsker(const NodeOptions& options, const CommitteeChain& chain, CommitteeHost& host);

    /// @param peer that says to be in a later round
    /// @param round that it says to be in
    /// @param own round of the device
    /// @param isLost whether it has missed something already
    void NoteAhead(uint32_t peer, uint32_t round, uint32_t own, bool isLost);
    /// @brief Ask somebody who is ahead for blocks, unless somebody is asked already.
    /// @param own round of the device
    void AskForBlocks(uint32_t own);
    /// @brief Ask some device for blocks: nothing has been heard for long.
    void AskSomebody();
    /// @brief Who is asked does not answer, or it is time to ask.
    /// @param own round of the device
    void HandleTimeout(uint32_t own);
    /// @param peer any device
    /// @return whether it is asked for blocks
    bool
    IsAsked(uint32_t peer) const
    {
        return m_asked == peer;
    }

    /// @brief Blocks that were asked for have come.
    /// @param peer that was asked
    /// @param blocks that it has sent
    /// @param isNew whether there was something new
    /// @param isAhead whether there is something that does not fit
    /// @return the round that the peer says to be in, if its blocks do not lead there
    std::optional<uint32_t> TakeAnswer(uint32_t peer,
                                       const std::vector<CertifiedBlock>& blocks,
                                       bool isNew,
                                       bool isAhead);
    /**
     * @brief Ask the next one for the model.
     *
     * Under PAPER a device that has no round left gives up when it has asked each other one twice:
     * one member's word is enough for a block, and its model may be one that nobody has.
     *
     * @param isLast whether no round is left
     * @return whether there is still somebody to ask
     */
    bool AskForModel(bool isLast);
    /// @param peer that has sent new blocks, and so may have their model
    void
    NoteInformant(uint32_t peer)
    {
        m_informant = peer;
    }

    /// @brief The own chain goes on: it has not parted from others'.
    void
    NoteAppended()
    {
        m_backtrack = 0;
    }

    /// @brief No round is left.
    void
    NoteFinished()
    {
        m_lastAsks = 0;
    }

    /// @brief Lose what others have said of rounds.
    void Forget();

  private:
    /// @param peer to be asked for blocks
    void Ask(uint32_t peer);

    const NodeOptions& m_options;         //!< what the device needs to know
    const CommitteeChain& m_chain;        //!< how rounds have ended
    CommitteeHost& m_host;                //!< sends
    std::map<uint32_t, uint32_t> m_ahead; //!< devices that say to be in a later round
    std::optional<uint32_t> m_asked;      //!< who is asked for blocks
    bool m_isWaiting = false;             //!< whether to ask for blocks in a while
    std::optional<uint32_t> m_informant;  //!< who has sent the last blocks
    uint32_t m_modelAsks = 0;             //!< how often somebody was asked for a model
    uint32_t m_lastAsks = 0;              //!< how often since there is no round left
    uint32_t m_backtrack = 0;             //!< with PAPER: rounds to go back for a common block
    uint32_t m_turn = 0;                  //!< whom to ask next
};

} // namespace ns3::collab

#endif /* COMMITTEE_ASKER_H */
