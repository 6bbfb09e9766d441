/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BENCH_H
#define COMMITTEE_BENCH_H

#include "ns3/committee-byzantine.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tests
{

/// A message on its way
struct Flight
{
    uint32_t sender = 0;                                          //!< member
    uint32_t receiver = 0;                                        //!< member
    std::shared_ptr<const ns3::collab::ConsensusMessage> message; //!< what it says
};

/// Which messages to deliver
using FlightFilter = std::function<bool(const Flight&)>;

/**
 * @brief One round of a committee of C = 4, of which one may be Byzantine, in the hands of a test.
 *
 * Nothing happens by itself but the computation of models: the test says which messages arrive,
 * when patience ends and who crashes, and speaks for the Byzantine member. Members are named by the
 * view that they are the primary of, from 0 to 3.
 */
class CommitteeBench
{
  public:
    /// C
    static constexpr uint32_t MEMBERS = 4;
    /// No member: all are honest
    static constexpr uint32_t NOBODY = MEMBERS;
    /// q
    static constexpr std::size_t QUORUM = 3;

    /// @param byzantine member, by the view that it is the primary of; MEMBERS if nobody is
    /// @param seed of the primaries
    explicit CommitteeBench(uint32_t byzantine, uint64_t seed = 1);

    /// @param view less than MEMBERS
    /// @return its primary
    uint32_t GetPrimary(uint32_t view) const;
    /// @return honest members, in the order of their views
    std::vector<uint32_t> GetHonest() const;
    /// @return the Byzantine member
    uint32_t GetByzantine() const;
    /// @param member an honest one
    /// @return its state machine
    const ns3::collab::ByzantineConsensus& Get(uint32_t member) const;
    /// @param member an honest one
    /// @return what it keeps through crashes
    const ns3::collab::ConsensusMemory& GetMemory(uint32_t member) const;
    /// @param member an honest one
    /// @return the block that it holds
    const std::optional<ns3::collab::CertifiedBlock>& GetBlock(uint32_t member) const;
    /// @return evidence that honest members have found
    const std::vector<ns3::collab::Evidence>& GetEvidence() const;
    /// @return what two honest members differ in, for people; empty if nothing
    std::string FindFork() const;

    /// All members tell their scores and hear those of all others
    void TellScores();
    /// @param filter messages in flight to be delivered; the others stay
    /// @return how many were delivered, those that came of them too
    std::size_t Deliver(const FlightFilter& filter);
    /// @param filter messages in flight that are lost
    void Lose(const FlightFilter& filter);
    /// @return messages in flight
    const std::vector<Flight>& GetFlights() const;
    /// @param member an honest one, whose timer goes off
    void Timeout(uint32_t member);
    /// @param members honest ones, whose patience with their view ends
    void EndView(const std::vector<uint32_t>& members);
    /// @param member an honest one, which loses its memory and comes back
    void Crash(uint32_t member);

    /// @brief Bring honest members to a view, as if nothing had been heard for long.
    /// @param view not below theirs
    /// @param members honest ones
    void GoTo(uint32_t view, const std::vector<uint32_t>& members);

    /// @return how members vote
    ns3::collab::ConsensusOptions GetOptions() const;
    /// @return what signatures are made with
    const ns3::collab::KeyRing& GetKeys() const;
    /// @param without member whose table is left out, by its view; MEMBERS for none
    /// @return a fresh proposal for a view, which follows from tables of at least C - f members
    ns3::collab::ConsensusMessage MakeFresh(uint32_t without) const;
    /// @param[in,out] request gets the block that follows from its tables and evidence
    void Conclude(ns3::collab::ConsensusMessage& request) const;
    /// @return a proposal to end the round without a result
    ns3::collab::ConsensusMessage MakeAbandoned() const;
    /// @brief Speak for the Byzantine member.
    /// @param message not yet signed; its sender and round are filled in
    /// @param receiver honest member
    void Say(ns3::collab::ConsensusMessage message, uint32_t receiver);
    /// @brief Speak for any device.
    /// @param speaker device
    /// @param message not yet signed; its sender and rule are filled in
    /// @param receiver honest member
    void SayAs(uint32_t speaker, ns3::collab::ConsensusMessage message, uint32_t receiver);
    /// @brief Pass on what its sender may never have signed.
    /// @param message as it arrives
    /// @param receiver honest member
    void Pass(ns3::collab::ConsensusMessage message, uint32_t receiver);
    /// @brief As the Byzantine primary: look for consents, its own too, to a block.
    /// @param vote of the round
    /// @param view of the Byzantine primary
    /// @param block that it proposes
    /// @return the certificate, if a quorum consents
    std::optional<ns3::collab::CertifiedBlock> Certify(ns3::collab::CommitteeVote vote,
                                                       uint32_t view,
                                                       const ns3::collab::Block& block) const;
    /// @brief As the Byzantine primary: propose, and if a quorum consents go on to the end.
    /// @param request to be proposed
    /// @param view of the Byzantine primary
    /// @param victims honest members that hear of it
    /// @return how many votes have found a quorum, from 0 to 2
    uint32_t Push(const ns3::collab::ConsensusMessage& request,
                  uint32_t view,
                  const std::vector<uint32_t>& victims);
    /// @param vote of the round
    /// @param certified block
    /// @return a message that shows it
    static ns3::collab::ConsensusMessage MakeCommit(ns3::collab::CommitteeVote vote,
                                                    const ns3::collab::CertifiedBlock& certified);

  private:
    void Apply(uint32_t member, const ns3::collab::ConsensusOutput& output);
    ns3::collab::ConsensusOptions MakeOptions(uint32_t self) const;
    ns3::collab::ConsensusMessage MakeScores(uint32_t member) const;

    uint64_t m_seed;
    uint32_t m_byzantine;
    uint64_t m_now = 0;
    std::shared_ptr<const ns3::collab::KeyRing> m_keys;
    std::map<uint32_t, std::shared_ptr<ns3::collab::ConsensusMemory>> m_memories;
    std::map<uint32_t, std::unique_ptr<ns3::collab::ByzantineConsensus>> m_members;
    std::map<uint32_t, uint64_t> m_timers;
    std::map<uint32_t, std::optional<ns3::collab::CertifiedBlock>> m_blocks;
    std::vector<Flight> m_flights;
    std::vector<ns3::collab::Evidence> m_evidence;
    /// All consents that honest members have ever given
    std::vector<std::shared_ptr<const ns3::collab::ConsensusMessage>> m_consents;
};

} // namespace tests

#endif /* COMMITTEE_BENCH_H */
