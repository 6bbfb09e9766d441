/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/device/device-schedule.h"

#include "committee/schedule-dice.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

using namespace ns3::collab;

namespace tests
{

namespace
{

constexpr std::size_t DIMENSION = 3;
constexpr double RATE = 0.5;

/// Time for a round once faults are over [ns]
constexpr uint64_t LONGEST_ROUND = 150 * SECOND;

/// @param dice to draw with
/// @param order of the devices, the Byzantine ones first
/// @param faulty how many may be Byzantine or crash for good
/// @param[in,out] schedule gets losses, delays, partitions and crashes
void
DrawFaults(ScheduleDice& dice,
           const std::vector<uint32_t>& order,
           uint32_t faulty,
           DeviceSchedule& schedule)
{
    std::vector<uint32_t> all = order;
    std::sort(all.begin(), all.end());
    schedule.loss = dice.Pick({0, 0.02, 0.1, 0.3, 0.6});
    schedule.duplication = dice.Pick({0, 0.1});
    schedule.maxDelay = static_cast<uint64_t>(dice.Pick({0.005, 0.1, 0.5, 3}) * SECOND);
    schedule.maxJob = static_cast<uint64_t>(dice.Pick({0.001, 0.1, 1.5}) * SECOND);
    schedule.faultsEnd = dice.Number(1, 60) * SECOND;
    while (dice.Chance(0.4))
    {
        Partition partition;
        partition.begin = dice.Number(0, schedule.faultsEnd);
        partition.end = dice.Number(partition.begin, schedule.faultsEnd);
        partition.side = dice.Half(all);
        schedule.partitions.push_back(partition);
    }
    while (dice.Chance(0.7))
    {
        Crash crash;
        crash.member = order[dice.Number(faulty, order.size() - 1)];
        crash.begin = dice.Number(0, schedule.faultsEnd);
        crash.end = dice.Number(crash.begin, schedule.faultsEnd) + 1;
        schedule.crashes.push_back(crash);
    }
    for (auto i = schedule.byzantine.size(); i < faulty; ++i)
    {
        if (dice.Chance(0.5)) // for good
        {
            schedule.crashes.push_back({order[i], dice.Number(0, schedule.faultsEnd), UINT64_MAX});
        }
    }
}

/// @param dice to draw with
/// @param draw what to draw
/// @param[in,out] schedule gets more devices and rounds, and an adversary that owns some of them
void
DrawOwned(ScheduleDice& dice, const DeviceDraw& draw, DeviceSchedule& schedule)
{
    NodeOptions& options = schedule.options;
    schedule.devices += static_cast<uint32_t>(options.federation.committee.size());
    options.rounds = 10;
    options.voting.election = draw.election;
    options.voting.combination = draw.combination;
    std::vector<uint32_t> all(schedule.devices);
    std::iota(all.begin(), all.end(), 0);
    schedule.byzantine.clear();
    if (draw.areFew)
    {
        const auto members = static_cast<uint32_t>(options.federation.committee.size());
        schedule.devices = 2 * members + 2;
        options.trainingClients = schedule.devices - members;
        all.resize(schedule.devices);
    }
    const auto owned = std::max<std::size_t>(1, all.size() * draw.owned / 100);
    const auto order = Shuffled(all, dice.GetGenerator());
    for (std::size_t i = 0; i < owned; ++i)
    {
        const std::string attack =
            std::string("flood+double-votes+") + (dice.Chance(0.5) ? "usurp" : "admit") +
            (dice.Chance(0.5) ? "+hide-blocks" : "") + (draw.stuffs ? "+stuff" : "");
        schedule.byzantine[order[i]] = ParseMisbehavior(draw.areFew ? "split-scores+double-votes"
                                                                    : dice.Misbehavior() + attack);
    }
}

} // namespace

/// Waits for the end of a job
class DeviceRun::Job : public Wait
{
  public:
    explicit Job(DeviceRun& run)
        : m_run(run)
    {
    }

    ~Job() override
    {
        *m_isHere = false;
    }

    void
    await_resume() const
    {
    }

  private:
    bool
    Begin() override
    {
        const auto delay =
            static_cast<uint64_t>(m_run.Draw() * static_cast<double>(m_run.m_schedule.maxJob));
        m_run.At(m_run.m_now + delay, [this, isHere = m_isHere]() {
            if (*isHere)
            {
                End();
            }
        });
        return true;
    }

    DeviceRun& m_run;
    std::shared_ptr<bool> m_isHere = std::make_shared<bool>(true);
};

/// A device: its node, and what hosts it
class DeviceRun::Device : public CommitteeHost
{
  public:
    Device(DeviceRun& run, uint32_t self)
        : m_run(run),
          m_self(self)
    {
        NodeOptions options = run.m_schedule.options;
        options.self = self;
        options.samples = 1 + self % 5;
        const auto found = run.m_schedule.byzantine.find(self);
        MemberMaker maker;
        if (found != run.m_schedule.byzantine.end())
        {
            m_misbehavior = found->second;
            maker = [this](const ConsensusOptions& voting,
                           const std::shared_ptr<ConsensusMemory>& memory) {
                return MakeMember(voting, memory);
            };
            m_deviant = std::make_unique<DeviantDevice>(self,
                                                        m_misbehavior,
                                                        run.m_conspiracy->accomplices,
                                                        run.m_keys,
                                                        options.rounds,
                                                        run.m_schedule.seed + self);
        }
        const auto model =
            std::make_shared<const std::vector<float>>(std::vector<float>(DIMENSION, 0));
        m_node = std::make_unique<CommitteeNode>(options, run.m_keys, model, *this, maker);
    }

    void
    Start()
    {
        m_run.m_oracle->SeeRound(m_self, 0, m_run.m_now);
        Disturb();
        m_node->Start();
    }

    void
    SwitchOff()
    {
        m_on = false;
        m_node->Crash();
    }

    void
    SwitchOn()
    {
        m_on = true;
        m_node->Resume();
    }

    bool
    IsOn() const
    {
        return m_on;
    }

    bool
    IsDone() const
    {
        return m_reached >= m_run.m_schedule.options.rounds;
    }

    const CommitteeNode&
    GetNode() const
    {
        return *m_node;
    }

    void
    Deliver(uint32_t sender, const CommitteeMessage& message)
    {
        if (m_on)
        {
            ++m_run.m_result.messages;
            m_node->HandleMessage(sender, message);
        }
    }

  private:
    void
    Send(uint32_t receiver, const CommitteeMessage& message) override
    {
        m_run.Send(m_self, receiver, message);
    }

    void
    Broadcast(const CommitteeMessage& message) override
    {
        const auto letters = m_deviant ? m_deviant->Hide(message, m_node->GetChain())
                                       : std::vector<DeviantDevice::Letter>();
        for (const auto& [receiver, letter] : letters)
        {
            m_run.Send(m_self, receiver, letter);
        }
        if (letters.empty())
        {
            SendToAll(message);
        }
    }

    void
    SendToAll(const CommitteeMessage& message)
    {
        for (uint32_t device = 0; device < m_run.m_schedule.devices; ++device)
        {
            if (device != m_self)
            {
                m_run.Send(m_self, device, message);
            }
        }
    }

    void
    Upload(const std::shared_ptr<const SignedGradient>& gradient) override
    {
        for (const uint32_t member : m_node->GetChain().GetCommittee())
        {
            CommitteeMessage message;
            message.gradient = gradient;
            if (m_misbehavior.splitScores && member % 2 == 1) // a story for each group
            {
                auto other = std::make_shared<SignedGradient>(*gradient);
                other->samples += 1 + member % DeviantMember::GROUPS;
                other->Sign(*m_run.m_keys);
                message.gradient = std::move(other);
            }
            m_run.Send(m_self, member, message);
        }
        if (m_misbehavior.floods) // for 32 bytes it gets all of a gradient, from members that may
        {
            m_run.At(m_run.m_now + SECOND / 20, [this, digest = gradient->digest]() {
                ChainMessage question;
                question.kind = ChainKind::GRADIENT_REQUEST;
                question.digests = {digest};
                SendToAll(Wrap(std::move(question)));
            });
        }
    }

    void
    SetTimer(CommitteeTimer timer, uint64_t delayNs) override
    {
        const auto place = static_cast<std::size_t>(timer);
        const uint64_t number = ++m_timers[place];
        if (delayNs == UINT64_MAX)
        {
            return;
        }
        m_run.At(m_run.m_now + delayNs, [this, timer, place, number]() {
            if (m_timers[place] == number)
            {
                ++m_timers[place];
                m_node->HandleTimeout(timer);
            }
        });
    }

    void
    CancelTimer(CommitteeTimer timer) override
    {
        ++m_timers[static_cast<std::size_t>(timer)];
    }

    uint64_t
    GetNowNs() const override
    {
        return m_run.m_now;
    }

    ProcessOf<FlatVector>
    Train() override
    {
        const float pull = static_cast<float>(m_self % 4);
        std::vector<float> gradient(DIMENSION);
        for (std::size_t i = 0; i < DIMENSION; ++i)
        {
            gradient[i] =
                (*m_node->GetModel())[i] - pull + static_cast<float>(m_run.Draw()); // its own batch
        }
        co_await Job(m_run);
        co_return std::make_shared<const std::vector<float>>(gradient);
    }

    ProcessOf<ClientScores>
    Score(GradientsByClient gradients, FlatVector own) override
    {
        ClientScores scores;
        for (const auto& [client, gradient] : gradients)
        {
            scores[client] = ComputeScore(gradient->values->data(), own->data(), DIMENSION);
        }
        co_await Job(m_run);
        co_return scores;
    }

    ProcessOf<MadeModel>
    Aggregate(GradientList gradients) override
    {
        const auto model = std::make_shared<const std::vector<float>>(
            ApplyAll(*m_node->GetModel(), gradients, RATE, 0));
        co_await Job(m_run);
        co_return MadeModel{model, ComputeDigest(*model)};
    }

    void
    BeginPhase(const std::string&) override
    {
    }

    void
    ReachRound(uint32_t round, CommitteeRole) override
    {
        m_reached = round;
        m_run.m_oracle->SeeRound(m_self, round, m_run.m_now);
        Disturb();
        if (m_run.IsHonest(m_self) && IsDone())
        {
            m_run.m_result.ended = m_run.m_now;
        }
    }

    void
    TellDecision(uint32_t, const Decision&) override
    {
    }

    void
    TellWait(const WaitReport&) override
    {
    }

    void
    TellReport(const CommitteeReport& report) override
    {
        if (m_run.IsHonest(m_self))
        {
            ++m_run.m_result.outcomes[GetName(report.outcome)];
        }
    }

    void
    Reject(const std::string&) override
    {
    }

    void
    GiveUp() override
    {
    }

    void
    Disturb()
    {
        if (m_deviant)
        {
            for (const auto& message : m_deviant->MakeMessages(m_node->GetChain(), DIMENSION))
            {
                SendToAll(message);
            }
        }
        if (m_misbehavior.floods)
        {
            Accuse();
        }
    }

    /// Shows what members have signed in two other federations
    void
    Accuse()
    {
        const CommitteeChain& chain = m_node->GetChain();
        for (const uint32_t member : chain.GetCommittee())
        {
            ChainMessage accusation;
            accusation.kind = ChainKind::EVIDENCE;
            accusation.evidence.resize(1);
            Evidence& evidence = accusation.evidence[0];
            evidence.statement.kind = SCORES_STATEMENT;
            evidence.statement.round = chain.GetNextRound();
            evidence.statement.member = member;
            for (uint8_t i = 0; i < 2; ++i)
            {
                evidence.said[i].digest[0] = i + 1;
                const KeyRing elsewhere(m_run.m_schedule.seed, 32, evidence.said[i].digest);
                evidence.said[i].authenticator =
                    elsewhere.Sign(member, evidence.statement.GetBytes(evidence.said[i].digest));
            }
            SendToAll(Wrap(std::move(accusation)));
        }
    }

    std::unique_ptr<CommitteeMember>
    MakeMember(const ConsensusOptions& voting, const std::shared_ptr<ConsensusMemory>& memory)
    {
        const auto guess = [this](const AggregationOrder& order) -> std::optional<Digest> {
            const auto gradients = m_node->GetInbox().Gather(order);
            return gradients ? std::optional(ComputeDigest(
                                   ApplyAll(*m_node->GetModel(), *gradients, RATE, 0)))
                             : std::nullopt;
        };
        const uint64_t seed = m_run.m_schedule.seed + 1000 * voting.round + m_self;
        return MakeDeviantMember(
            voting, m_run.m_keys, memory, {m_misbehavior, m_run.m_conspiracy, guess, seed});
    }

    DeviceRun& m_run;
    uint32_t m_self;
    Misbehavior m_misbehavior;
    std::unique_ptr<DeviantDevice> m_deviant;
    std::unique_ptr<CommitteeNode> m_node;
    std::array<uint64_t, COMMITTEE_TIMERS> m_timers = {};
    bool m_on = true;
    uint32_t m_reached = 0;
};

DeviceRun::DeviceRun(DeviceSchedule schedule)
    : FaultyNetwork(schedule, schedule.seed),
      m_schedule(std::move(schedule)),
      m_keys(std::make_shared<const KeyRing>(m_schedule.seed, 32)),
      m_conspiracy(std::make_shared<Conspiracy>())
{
    for (const auto& [device, misbehavior] : m_schedule.byzantine)
    {
        m_conspiracy->accomplices.insert(device);
    }
    ChainOptions& federation = m_schedule.options.federation;
    federation.model = ComputeDigest(std::vector<float>(DIMENSION, 0));
    for (uint32_t device = 0; device < m_schedule.devices; ++device)
    {
        federation.devices.push_back(device);
        if (device % 2 == 0)
        {
            m_conspiracy->firstHalf.insert(device);
        }
    }
    const std::size_t count = federation.committee.size();
    federation.committee = DrawDevices(federation.devices, {}, count, m_schedule.seed);
}

DeviceRun::~DeviceRun() = default;

bool
DeviceRun::IsHonest(uint32_t device) const
{
    return m_schedule.byzantine.count(device) == 0;
}

bool
DeviceRun::IsPerfect() const
{
    return m_schedule.loss == 0 && m_schedule.crashes.empty() && m_schedule.partitions.empty() &&
           m_schedule.faultsEnd == 0;
}

bool
DeviceRun::IsAwaited(uint32_t device) const
{
    return IsHonest(device) && !IsGone(device) && !m_devices[device]->IsDone();
}

void
DeviceRun::Send(uint32_t sender, uint32_t receiver, const CommitteeMessage& message)
{
    m_oracle->SeeMessage(sender, receiver, message);
    m_result.models += message.model ? 1 : 0;
    Transmit(sender, receiver, m_now >= m_schedule.faultsEnd, [this, sender, receiver, message]() {
        m_devices[receiver]->Deliver(sender, message);
    });
}

DeviceResult
DeviceRun::Play()
{
    for (uint32_t device = 0; device < m_schedule.devices; ++device)
    {
        m_devices.push_back(std::make_unique<Device>(*this, device));
    }
    std::set<uint32_t> byzantine;
    for (const auto& [device, misbehavior] : m_schedule.byzantine)
    {
        byzantine.insert(device);
    }
    std::vector<const CommitteeNode*> nodes;
    for (const auto& device : m_devices)
    {
        nodes.push_back(&device->GetNode());
    }
    m_oracle = std::make_unique<DeviceOracle>(m_schedule.options, byzantine, m_keys, RATE);
    m_oracle->Watch(std::move(nodes));
    for (const auto& crash : m_schedule.crashes)
    {
        At(crash.begin, [this, crash]() {
            if (m_devices[crash.member]->IsOn())
            {
                m_devices[crash.member]->SwitchOff();
                if (crash.end != UINT64_MAX)
                {
                    At(crash.end, [this, crash]() { m_devices[crash.member]->SwitchOn(); });
                }
            }
        });
    }
    for (auto& device : m_devices)
    {
        device->Start();
    }
    const uint64_t deadline =
        m_schedule.faultsEnd + LONGEST_ROUND * (m_schedule.options.rounds + 1);
    std::vector<uint32_t> all(m_schedule.devices);
    std::iota(all.begin(), all.end(), 0);
    uint64_t events = 0;
    while (Step(deadline))
    {
        if (++events % 64 != 0)
        {
            continue;
        }
        m_oracle->CheckNow(m_result);
        if (m_result.lost || std::none_of(all.begin(), all.end(), [this](uint32_t device) {
                return IsAwaited(device);
            }))
        {
            break;
        }
    }
    m_oracle->CheckNow(m_result);
    for (uint32_t device = 0; device < m_schedule.devices; ++device)
    {
        if (!m_result.lost && IsAwaited(device))
        {
            ++m_result.unfinished;
            m_result.story += fmt::format(
                "device {} is in round {}; ", device, m_devices[device]->GetNode().GetRound());
        }
    }
    m_oracle->CheckEnd(IsPerfect(), m_result);
    return m_result;
}

DeviceSchedule
DrawDeviceSchedule(uint64_t seed, const DeviceDraw& draw)
{
    ScheduleDice dice(seed);
    DeviceSchedule schedule;
    schedule.seed = seed;
    const auto count = static_cast<uint32_t>(dice.Number(4, 7));
    const uint32_t faulty = GetGreatestFaults(count);
    const auto training = static_cast<uint32_t>(dice.Number(count + faulty, 2 * count));
    schedule.devices = count + training + static_cast<uint32_t>(dice.Number(0, 4));
    NodeOptions& options = schedule.options;
    options.rounds = static_cast<uint32_t>(dice.Number(3, 6));
    options.trainingClients = training;
    options.gradientTimeoutNs = 2 * SECOND;
    options.modelTimeoutNs = SECOND;
    options.federation.seed = seed;
    options.federation.rule = draw.rule;
    options.federation.committee.resize(count); // drawn by the run
    options.voting.maxAttempts = static_cast<uint32_t>(dice.Number(1, 4));
    options.voting.selection =
        dice.Chance(0.5) ? SelectionStrategy::SIMILAR : SelectionStrategy::DIFFERENT;
    options.voting.election = static_cast<ElectionStrategy>(dice.Number(0, 2));
    options.voting.alphaPercent = dice.Pick({10, 40, 60});
    std::vector<uint32_t> all(schedule.devices);
    for (uint32_t device = 0; device < schedule.devices; ++device)
    {
        all[device] = device;
    }
    std::vector<uint32_t> order = Shuffled(all, dice.GetGenerator());
    const uint32_t byzantine = draw.byzantine ? static_cast<uint32_t>(dice.Number(1, faulty)) : 0;
    for (uint32_t i = 0; i < byzantine; ++i)
    {
        schedule.byzantine[order[i]] = ParseMisbehavior(dice.Misbehavior());
    }
    schedule.minDelay = SECOND / 1000;
    schedule.maxDelay = SECOND / 1000 * 5;
    if (draw.owned > 0)
    {
        DrawOwned(dice, draw, schedule);
        const auto isNone = [&](uint32_t device) { // of the honest ones
            return device >= schedule.devices || schedule.byzantine.count(device) > 0;
        };
        order.erase(std::remove_if(order.begin(), order.end(), isNone), order.end());
        if (draw.faults)
        {
            DrawFaults(dice, order, 0, schedule);
        }
    }
    else if (draw.faults)
    {
        DrawFaults(dice, order, faulty, schedule);
    }
    return schedule;
}

} // namespace tests
