/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/device/device-oracle.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

using namespace ns3::collab;

namespace tests
{

namespace
{

/// Outsiders that guess the successors of an abandoned round
constexpr uint64_t GUESSERS = 8;

/// @param tables of scores
/// @param combination MEAN, or else the median
/// @param members of the committee
/// @param clients that train
/// @return clients by final score, the highest first
std::vector<RankedClient>
RankTables(const std::vector<ConsensusMessage>& tables,
           ScoreCombination combination,
           std::size_t members,
           const std::vector<uint32_t>& clients)
{
    std::map<uint32_t, std::map<Digest, std::vector<double>>> scores;
    for (const auto& table : tables)
    {
        for (const auto& [client, score] : table.scores)
        {
            scores[client][table.gradients.at(client)].push_back(score);
        }
    }
    std::vector<RankedClient> ranking;
    for (const uint32_t client : clients)
    {
        for (const auto& [digest, given] : scores[client])
        {
            if (combination == ScoreCombination::MEAN)
            {
                if (given.size() > members / 2)
                {
                    ranking.push_back({client, CombineScores(given)});
                }
            }
            else if (2 * given.size() > tables.size()) // others count as 0
            {
                std::vector<double> all = given;
                all.resize(tables.size(), 0);
                std::sort(all.begin(), all.end());
                ranking.push_back({client, all[(all.size() - 1) / 2]});
            }
        }
    }
    std::stable_sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
        return a.score > b.score;
    });
    return ranking;
}

} // namespace

uint64_t
CountMostTableBytes(const CommitteeBounds& bounds, uint64_t authenticatorBytes)
{
    ConsensusMessage table;
    table.rule = QuorumRule::BYZANTINE;
    table.authenticator.resize(authenticatorBytes);
    for (uint32_t client = 0; client < bounds.clients; ++client)
    {
        table.scores[client] = 0;
        table.gradients[client] = {};
    }
    return CountBytes(table);
}

uint64_t
CountMostBytes(const CommitteeBounds& bounds, uint64_t authenticatorBytes)
{
    ConsensusMessage request;
    request.kind = ConsensusKind::REQUEST;
    request.rule = QuorumRule::BYZANTINE;
    request.authenticator.resize(authenticatorBytes);
    request.ballot.emplace();
    request.ballot->block.clients.resize(bounds.clients);
    request.ballot->block.committee.resize(bounds.members);
    request.ballot->block.expelled.resize(bounds.devices);
    request.ballot->consents.resize(bounds.members, {0, request.authenticator});
    request.evidence.resize(bounds.members,
                            {{}, {{{}, request.authenticator}, {{}, request.authenticator}}});
    const uint64_t size = sizeof(uint32_t); // of a table, before it
    return CountBytes(request) +
           bounds.members * (size + CountMostTableBytes(bounds, authenticatorBytes));
}

bool
DeviceResult::IsRight() const
{
    return forks == 0 && invalid == 0 && unfinished == 0 && oversized == 0 && foretold == 0 &&
           leaked == 0 && hidden == 0;
}

DeviceOracle::DeviceOracle(NodeOptions options,
                           std::set<uint32_t> byzantine,
                           std::shared_ptr<const KeyRing> keys,
                           double rate)
    : m_options(std::move(options)),
      m_byzantine(std::move(byzantine)),
      m_keys(std::move(keys)),
      m_rate(rate)
{
}

void
DeviceOracle::Watch(std::vector<const CommitteeNode*> nodes)
{
    m_nodes = std::move(nodes);
    const CommitteeBounds bounds = m_options.GetBounds().value_or(CommitteeBounds{});
    const uint64_t authenticator = m_keys->GetAuthenticatorBytes();
    const uint64_t table = CountMostTableBytes(bounds, authenticator);
    const uint64_t request = CountMostBytes(bounds, authenticator);
    const uint64_t other = std::max(table, request - bounds.members * table);
    const uint64_t gradient =
        3 * sizeof(uint32_t) + m_nodes[0]->GetModel()->size() * sizeof(float) + authenticator;
    m_most = bounds.devices * (CommitteeInbox::MOST_EARLY * other + gradient + sizeof(Evidence)) +
             CommitteeInbox::MOST_EARLY_REQUESTS * request + bounds.members * (table + request) +
             2 * bounds.clients * gradient;
}

bool
DeviceOracle::IsHonest(uint32_t device) const
{
    return m_byzantine.count(device) == 0;
}

bool
DeviceOracle::IsByzantineRule() const
{
    return m_options.federation.rule == QuorumRule::BYZANTINE;
}

void
DeviceOracle::SeeMessage(uint32_t sender, uint32_t receiver, const CommitteeMessage& message)
{
    if (message.gradient)
    {
        const SignedGradient& gradient = *message.gradient;
        m_sent[{gradient.round, gradient.sender}][gradient.digest] = message.gradient;
        const bool isPassedOn = IsHonest(sender) && gradient.sender != sender && !m_nodes.empty();
        m_leaked +=
            isPassedOn && !Contains(m_nodes[sender]->GetChain().GetCommittee(), receiver) ? 1 : 0;
    }
    if (message.consensus && message.consensus->kind == ConsensusKind::REQUEST &&
        message.consensus->ballot && !message.consensus->tables.empty())
    {
        m_requests[message.consensus->ballot->block.GetDigest()].push_back(message.consensus);
    }
}

void
DeviceOracle::SeeRound(uint32_t device, uint32_t round, uint64_t nowNs)
{
    if (!IsHonest(device))
    {
        return;
    }
    const FlatVector& model = m_nodes[device]->GetModel();
    m_models[ComputeDigest(*model)] = model;
    for (uint32_t& reached = m_rounds[device]; reached < round; ++reached)
    {
        m_reached.emplace(reached, std::make_pair(nowNs, nowNs)).first->second.second = nowNs;
    }
}

void
DeviceOracle::CheckNow(DeviceResult& result) const
{
    for (uint32_t device = 0; device < m_nodes.size(); ++device)
    {
        if (!IsHonest(device) || !IsByzantineRule())
        {
            continue;
        }
        const auto history = m_nodes[device]->GetChain().GetHistory();
        const auto& committee = history->back();
        const auto byzantine = std::count_if(
            committee.begin(), committee.end(), [this](auto m) { return !IsHonest(m); });
        if (byzantine > GetGreatestFaults(committee.size()))
        {
            result.lost = static_cast<uint32_t>(history->size() - 1);
        }
        const uint64_t kept = m_nodes[device]->CountKept();
        const std::size_t early = m_nodes[device]->GetInbox().CountEarlyProposals();
        const bool keepsProposals =
            IsByzantineRule() && early > CommitteeInbox::MOST_EARLY_REQUESTS;
        if (kept > std::max(m_most, result.kept) || keepsProposals)
        {
            ++result.oversized;
            result.story +=
                fmt::format("device {} keeps {} B, {} early proposals; ", device, kept, early);
        }
        result.kept = std::max(result.kept, kept);
    }
}

bool
DeviceOracle::IsPlain(const CommitteeChain& chain, const CertifiedBlock& certified) const
{
    const auto history = chain.GetHistory();
    const std::size_t counted =
        CountConsents(certified.consents,
                      certified.GetStatement(CommitteeVote::ELECTION, certified.view),
                      certified.block.GetDigest(),
                      (*history)[certified.block.round],
                      *m_keys);
    return counted == certified.consents.size();
}

void
DeviceOracle::CheckEnd(bool isPerfect, DeviceResult& result) const
{
    std::map<uint32_t, std::map<Digest, std::vector<uint32_t>>> blocks;
    const CommitteeChain* longest = nullptr;
    for (uint32_t device = 0; device < m_nodes.size(); ++device)
    {
        if (!IsHonest(device))
        {
            continue;
        }
        const CommitteeChain& chain = m_nodes[device]->GetChain();
        for (const auto& certified : chain.GetAll())
        {
            if (IsByzantineRule() && !IsPlain(chain, certified))
            {
                ++result.oversized;
                result.story += fmt::format("device {} keeps what is no consent; ", device);
            }
            blocks[certified.block.round][certified.block.GetDigest()].push_back(device);
        }
        if (!longest || chain.GetNextRound() > longest->GetNextRound())
        {
            longest = &chain;
        }
    }
    for (const auto& [round, stories] : blocks)
    {
        if (stories.size() > 1 && !(result.lost && round >= *result.lost))
        {
            ++result.forks;
            for (const auto& [digest, followers] : stories)
            {
                result.story += fmt::format("round {}: {} differ; ", round, followers);
            }
        }
    }
    const auto& all = longest->GetAll();
    for (std::size_t place = 0; place < all.size(); ++place)
    {
        if (result.lost && all[place].block.round >= *result.lost)
        {
            break;
        }
        ++result.blocks;
        const bool isAbandoned = all[place].block.kind == BlockKind::ABANDONED;
        result.abandoned += isAbandoned ? 1 : 0;
        isAbandoned ? CheckAbandoned(*longest, place, result)
                    : CheckAgreed(*longest, place, result);
    }
    CheckExpelled(*longest, result);
    result.leaked = m_leaked;
    result.story += m_leaked > 0 ? fmt::format("{} gradients are given away; ", m_leaked) : "";
    if (isPerfect)
    {
        CheckNews(result);
    }
}

void
DeviceOracle::CheckNews(DeviceResult& result) const
{
    const uint64_t most = m_options.modelTimeoutNs * (m_options.federation.committee.size() + 1);
    for (const auto& [round, times] : m_reached)
    {
        if (result.lost && round >= *result.lost)
        {
            break;
        }
        const uint64_t delay = times.second - times.first;
        result.delay = std::max(result.delay, delay);
        if (IsByzantineRule() && delay > most)
        {
            ++result.hidden;
            result.story += fmt::format("the end of round {} is hidden; ", round);
        }
    }
}

void
DeviceOracle::CheckExpelled(const CommitteeChain& chain, DeviceResult& result) const
{
    const auto& expelled = chain.GetExpelled();
    result.expelled = static_cast<uint32_t>(expelled.size());
    for (const uint32_t device : expelled)
    {
        if (IsHonest(device))
        {
            ++result.invalid;
            result.story += fmt::format("honest device {} is expelled; ", device);
        }
    }
    const ChainOptions& federation = chain.GetOptions();
    if (!expelled.empty() &&
        federation.devices.size() < expelled.size() + 2 * federation.committee.size())
    {
        ++result.invalid;
        result.story += fmt::format("{} expelled devices leave too few; ", expelled.size());
    }
}

void
DeviceOracle::CheckAbandoned(const CommitteeChain& chain,
                             std::size_t place,
                             DeviceResult& result) const
{
    if (!IsByzantineRule())
    {
        return; // that nothing changes is checked by the chain
    }
    const CertifiedBlock& certified = chain.GetAll()[place];
    const auto history = chain.GetHistory();
    const auto& members = (*history)[place];
    std::set<uint32_t> sharing;
    for (const auto& share : certified.shares)
    {
        const auto statement = MakeStatement(CommitteeVote::ELECTION,
                                             share.member,
                                             certified.block.round,
                                             ANY_VIEW,
                                             certified.block.GetDigest());
        if (Contains(members, share.member) &&
            m_keys->Verify(share.member, statement, share.authenticator))
        {
            sharing.insert(share.member);
        }
    }
    if (sharing.size() < GetCertificateQuorum(members.size()))
    {
        ++result.invalid;
        result.story += fmt::format(
            "round {} is abandoned by {} shares; ", certified.block.round, sharing.size());
    }
    std::set<uint32_t> excluded(certified.block.expelled.begin(), certified.block.expelled.end());
    excluded.insert(members.begin(), members.end());
    const ChainOptions& options = chain.GetOptions();
    if (options.devices.size() == excluded.size() + options.committee.size())
    {
        return; // nothing to draw: those that are left are the successors
    }
    // Who has no share can only guess: all of some guessers are hardly ever right
    uint64_t right = 0;
    for (uint64_t guess = 1; guess <= GUESSERS; ++guess)
    {
        const KeyRing other(m_options.federation.seed + guess, m_keys->GetAuthenticatorBytes());
        right += DrawSuccessors(options, members, certified.block, other) == (*history)[place + 1];
    }
    if (right == GUESSERS)
    {
        ++result.foretold;
        result.story += fmt::format("successors of round {} are foretold; ", certified.block.round);
    }
}

void
DeviceOracle::CheckAgreed(const CommitteeChain& chain,
                          std::size_t place,
                          DeviceResult& result) const
{
    const ChainOptions& federation = chain.GetOptions();
    const auto history = chain.GetHistory();
    const auto& committee = (*history)[place];
    const Block& block = chain.GetAll()[place].block;
    const Block* before = place > 0 ? &chain.GetAll()[place - 1].block : nullptr;
    const Digest parent = before ? before->model : federation.model;
    const std::vector<uint32_t> expelled = before ? before->expelled : std::vector<uint32_t>();
    std::vector<uint32_t> excluded = committee;
    excluded.insert(excluded.end(), expelled.begin(), expelled.end());
    std::sort(excluded.begin(), excluded.end());
    const auto clients =
        DrawDevices(federation.devices,
                    excluded,
                    m_options.trainingClients,
                    SplitMix64(SplitMix64(SplitMix64(federation.seed) + 2) + block.round));
    const bool areInvited =
        std::includes(clients.begin(), clients.end(), block.clients.begin(), block.clients.end());
    const auto known = m_models.find(parent);
    if (!areInvited || known == m_models.end() || !FollowsFromGradients(block, *known->second))
    {
        ++result.invalid;
        result.story += fmt::format("the model of round {} does not follow; ", block.round);
    }
    else if (IsByzantineRule() && !FollowsFromTables(block, committee, clients))
    {
        ++result.invalid;
        result.story += fmt::format("the sets of round {} do not follow; ", block.round);
    }
    const auto& requests = GetRequests(block);
    const auto isOfMembers = [&](const Evidence& evidence) {
        const Statement& said = evidence.statement;
        return said.round < history->size() && said.round <= block.round &&
               Contains((*history)[said.round], said.member);
    };
    if (block.expelled != expelled &&
        std::none_of(requests.begin(), requests.end(), [&](const auto& request) {
            const auto& evidence = request->evidence;
            return std::all_of(evidence.begin(), evidence.end(), isOfMembers);
        }))
    {
        ++result.invalid;
        result.story += fmt::format("round {} expels who was no member; ", block.round);
    }
}

bool
DeviceOracle::FollowsFromGradients(const Block& block, const std::vector<float>& model) const
{
    // All combinations of what each of the clients has sent
    std::vector<std::vector<std::shared_ptr<const SignedGradient>>> combinations = {{}};
    for (const uint32_t client : block.clients)
    {
        std::vector<std::vector<std::shared_ptr<const SignedGradient>>> longer;
        const auto sent = m_sent.find({block.round, client});
        for (const auto& combination : combinations)
        {
            if (sent == m_sent.end())
            {
                break;
            }
            for (const auto& [digest, gradient] : sent->second)
            {
                longer.push_back(combination);
                longer.back().push_back(gradient);
            }
        }
        combinations = std::move(longer);
    }
    return std::any_of(combinations.begin(), combinations.end(), [&](const auto& gradients) {
        return ComputeDigest(ApplyAll(model, gradients, m_rate, 0)) == block.model;
    });
}

const DeviceOracle::Requests&
DeviceOracle::GetRequests(const Block& block) const
{
    static const Requests NONE;
    const auto found = m_requests.find(block.GetDigest());
    return found == m_requests.end() ? NONE : found->second;
}

bool
DeviceOracle::FollowsFromTables(const Block& block,
                                const std::vector<uint32_t>& committee,
                                const std::vector<uint32_t>& clients) const
{
    const auto& requests = GetRequests(block);
    return std::any_of(requests.begin(), requests.end(), [&](const auto& request) {
        std::set<uint32_t> members;
        for (const auto& table : request->tables)
        {
            members.insert(table.sender);
        }
        const ConsensusOptions& voting = m_options.voting;
        const auto ranking =
            RankTables(request->tables, voting.combination, committee.size(), clients);
        const auto selected = SelectClients(
            ranking, voting.selection, CountAccepted(ranking.size(), voting.alphaPercent));
        return members.size() == request->tables.size() &&
               members.size() >= committee.size() - GetGreatestFaults(committee.size()) &&
               selected == block.clients && IsElected(block, committee, ranking);
    });
}

bool
DeviceOracle::IsElected(const Block& block,
                        const std::vector<uint32_t>& committee,
                        std::vector<RankedClient> ranking) const
{
    ranking.erase(std::remove_if(ranking.begin(),
                                 ranking.end(),
                                 [&](const auto& r) { return Contains(block.expelled, r.client); }),
                  ranking.end());
    const std::size_t count = committee.size();
    const ElectionStrategy strategy = m_options.voting.election;
    if (ranking.size() < count)
    {
        return false;
    }
    if (strategy != ElectionStrategy::RANDOM)
    {
        return ElectCommittee(ranking, strategy, count, 0) == block.committee;
    }
    // Whoever is not elected can be left out of the ranking without any change
    ConsensusOptions options = m_options.voting;
    options.seed = m_options.federation.seed;
    options.rule = m_options.federation.rule;
    options.round = block.round;
    options.members = committee;
    const auto other = std::find_if(ranking.begin(), ranking.end(), [&](const auto& r) {
        return !Contains(block.committee, r.client);
    });
    if (options.Elect(ranking) != block.committee || other == ranking.end())
    {
        return options.Elect(ranking) == block.committee;
    }
    ranking.erase(other);
    return options.Elect(ranking) == block.committee;
}

} // namespace tests
