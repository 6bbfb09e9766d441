/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/radio/radio-schedule.h"

#include "committee/schedule-dice.h"
#include "support/protocol-bench.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-random.h"
#include "ns3/committee-application.h"
#include "ns3/committee-helper.h"
#include "ns3/committee-misbehavior.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

using namespace ns3;
using namespace ns3::collab;

namespace tests
{

namespace
{

constexpr double RADIO_RATE = 0.5;
/// Time for a round once faults are over [s]
constexpr double LONGEST_RADIO_ROUND = 200;

/// What a device's gradients pull the model to
std::vector<float>
TargetOf(uint32_t device)
{
    return {1 + 0.01F * static_cast<float>(device), 2, 0.1F * static_cast<float>(device % 3)};
}

uint32_t
SamplesOf(uint32_t device)
{
    return 10 + device;
}

/// The model that gradients of some devices make
std::vector<float>
Aggregate(const std::vector<float>& model, const std::vector<uint32_t>& devices)
{
    std::vector<std::vector<float>> gradients;
    std::vector<const float*> rows;
    std::vector<double> samples;
    for (const uint32_t device : devices)
    {
        std::vector<float> gradient = TargetOf(device);
        for (std::size_t i = 0; i < gradient.size(); ++i)
        {
            gradient[i] = static_cast<float>(static_cast<double>(model[i]) - gradient[i]);
        }
        gradients.push_back(std::move(gradient));
        samples.push_back(SamplesOf(device));
    }
    for (const auto& gradient : gradients)
    {
        rows.push_back(gradient.data());
    }
    return ApplyGradients(model, VectorStack(rows, model.size()), samples, RADIO_RATE);
}

/// A network and the applications on it
class RadioRun : public ProtocolBench
{
  public:
    explicit RadioRun(const RadioSchedule& schedule)
        : m_schedule(schedule)
    {
        DeviceOptions options;
        options.devices = schedule.devices;
        options.run = static_cast<uint32_t>(schedule.seed);
        options.rssDbm = schedule.rssDbm;
        // Nobody repeats what a device misses while it speaks itself: faults would never end
        options.duplex = schedule.lossPolicy == "BestEffort" ? "Full" : "Half";
        MakeDevices(options);
        if (!schedule.outage.empty())
        {
            SetOutage(schedule.outage);
        }
        for (const auto& [device, charge] : schedule.batteries)
        {
            GetBattery(device)->SetAttribute("BasicEnergySourceInitialEnergyJ",
                                             DoubleValue(charge));
        }
    }

    RadioResult
    Play()
    {
        Install();
        Simulator::Schedule(Seconds(m_schedule.faultsEnd), [this]() {
            SetOutage("ns3::collab::D2dFixedOutageModel[Probability=0]");
        });
        for (const auto& crash : m_schedule.crashes)
        {
            const bool isForGood = crash.end == UINT64_MAX;
            Crash(crash.member, NanoSeconds(crash.begin), NanoSeconds(isForGood ? 0 : crash.end));
        }
        Simulator::Schedule(Seconds(1), [this]() { StopIfAllAreDone(); });
        Simulator::Stop(
            Seconds(m_schedule.faultsEnd + LONGEST_RADIO_ROUND * (m_schedule.rounds + 1)));
        Simulator::Run();
        Check();
        return m_result;
    }

  private:
    void
    Install()
    {
        std::vector<CommitteeAgent> agents;
        for (uint32_t device = 0; device < m_schedule.devices; ++device)
        {
            CommitteeAgent agent;
            const auto found = m_schedule.byzantine.find(device);
            if (found != m_schedule.byzantine.end())
            {
                agent.misbehavior = found->second;
            }
            agent.learner = std::make_shared<QuadraticLearner>(TargetOf(device));
            agent.samples = SamplesOf(device);
            agents.push_back(agent);
        }
        CommitteeHelper helper(MakePool(), m_schedule.seed);
        SetAttributes(helper,
                      {{"Rounds", std::to_string(m_schedule.rounds)},
                       {"CommitteeSize", std::to_string(m_schedule.committee)},
                       {"TrainingClients", std::to_string(m_schedule.training)},
                       {"GlobalLearningRate", fmt::format("{}", RADIO_RATE)},
                       {"QuorumRule", "Byzantine"},
                       {"LossPolicy", m_schedule.lossPolicy},
                       {"GradientTimeout", "2s"},
                       {"ScoreTimeout", "1s"},
                       {"AttemptTimeout", "1s"},
                       {"ModelTimeout", "1s"}});
        m_applications = helper.Install(m_nodes, agents);
    }

    void
    SetOutage(const std::string& model)
    {
        m_devices.Get(0)->GetChannel()->SetAttribute("OutageModel", StringValue(model));
    }

    Ptr<CommitteeApplication>
    Get(uint32_t device) const
    {
        return DynamicCast<CommitteeApplication>(m_applications.Get(device));
    }

    bool
    MayBeGone(uint32_t device) const
    {
        return m_schedule.batteries.count(device) ||
               std::any_of(m_schedule.crashes.begin(),
                           m_schedule.crashes.end(),
                           [device](const tests::Crash& crash) {
                               return crash.member == device && crash.end == UINT64_MAX;
                           });
    }

    void
    Check()
    {
        std::map<uint32_t, std::set<Digest>> stories;
        const CommitteeChain* longest = nullptr;
        for (uint32_t device = 0; device < m_schedule.devices; ++device)
        {
            if (m_schedule.byzantine.count(device))
            {
                continue;
            }
            const CommitteeChain& chain = Get(device)->GetChain();
            for (const auto& certified : chain.GetAll())
            {
                stories[certified.block.round].insert(certified.block.GetDigest());
            }
            longest = longest && longest->GetNextRound() >= chain.GetNextRound() ? longest : &chain;
            if (Get(device)->IsFinished())
            {
                CheckModel(device);
            }
            else if (MayBeGone(device))
            {
                m_result.empty += m_schedule.batteries.count(device) ? 1 : 0;
            }
            else
            {
                ++m_result.unfinished;
                m_result.story +=
                    fmt::format("device {} is in round {}; ", device, chain.GetNextRound());
            }
        }
        for (const auto& [round, digests] : stories)
        {
            if (digests.size() > 1)
            {
                ++m_result.forks;
                m_result.story += fmt::format("{} blocks of round {}; ", digests.size(), round);
            }
        }
        CheckChain(*longest);
    }

    /// All that have power for good must reach the end, also who is back when the others have ended
    void
    StopIfAllAreDone()
    {
        for (uint32_t device = 0; device < m_schedule.devices; ++device)
        {
            if (!m_schedule.byzantine.count(device) && !MayBeGone(device) &&
                !Get(device)->IsFinished())
            {
                Simulator::Schedule(Seconds(1), [this]() { StopIfAllAreDone(); });
                return;
            }
        }
        Simulator::Stop();
    }

    void
    CheckModel(uint32_t device)
    {
        if (ComputeDigest(*Get(device)->GetModel()) != Get(device)->GetChain().GetModel())
        {
            ++m_result.invalid;
            m_result.story += fmt::format("device {} ends with another model; ", device);
        }
    }

    /// @return whether a client may have uploaded something else than its gradient: what a
    /// Byzantine one makes up for rounds to come reaches those, too, in which it trains, and it may
    /// send what it likes
    bool
    MayBeMadeUp(const std::vector<uint32_t>& clients) const
    {
        return std::any_of(clients.begin(), clients.end(), [this](uint32_t client) {
            const auto found = m_schedule.byzantine.find(client);
            return found != m_schedule.byzantine.end() &&
                   found->second.find("uninvited") != std::string::npos;
        });
    }

    /// Each model must be its parent's after the gradients of the selected clients
    void
    CheckChain(const CommitteeChain& chain)
    {
        std::vector<float> model(TargetOf(0).size(), 0);
        for (const auto& certified : chain.GetAll())
        {
            const Block& block = certified.block;
            ++m_result.blocks;
            if (block.kind == BlockKind::ABANDONED)
            {
                ++m_result.abandoned;
            }
            else
            {
                model = Aggregate(model, block.clients);
            }
            if (ComputeDigest(model) != block.model && MayBeMadeUp(block.clients))
            {
                return; // nor can what comes after it be computed again
            }
            if (ComputeDigest(model) != block.model)
            {
                ++m_result.invalid;
                m_result.story += fmt::format("the model of round {} is wrong; ", block.round);
            }
        }
    }

    const RadioSchedule& m_schedule;
    RadioResult m_result;
};

} // namespace

bool
RadioResult::IsRight() const
{
    return forks == 0 && invalid == 0 && unfinished == 0;
}

RadioResult
PlayRadioSchedule(const RadioSchedule& schedule)
{
    return RadioRun(schedule).Play();
}

RadioSchedule
DrawRadioSchedule(uint64_t seed)
{
    ScheduleDice dice(seed);
    RadioSchedule schedule;
    schedule.seed = seed;
    schedule.committee = static_cast<uint32_t>(dice.Number(4, 7));
    const uint32_t faulty = (schedule.committee - 1) / 3;
    schedule.training =
        static_cast<uint32_t>(dice.Number(schedule.committee + faulty, 2 * schedule.committee));
    schedule.devices =
        schedule.committee + schedule.training + static_cast<uint32_t>(dice.Number(0, 3));
    schedule.rounds = static_cast<uint32_t>(dice.Number(3, 6));
    schedule.lossPolicy = dice.Chance(0.5) ? "Reliable" : "BestEffort";
    schedule.faultsEnd = static_cast<double>(dice.Number(1, 40));
    switch (dice.Number(0, 2))
    {
    case 0:
        schedule.outage = fmt::format("ns3::collab::D2dFixedOutageModel[Probability={}]",
                                      std::vector<double>{0.02, 0.2, 0.5}[dice.Number(0, 2)]);
        break;
    case 1:
        schedule.outage =
            fmt::format("ns3::collab::D2dNakagamiOutageModel[M={}]", dice.Number(1, 4));
        schedule.rssDbm = -75 - static_cast<double>(dice.Number(0, 20));
        break;
    default:
        break; // perfect
    }
    std::vector<uint32_t> order;
    for (uint32_t device = 0; device < schedule.devices; ++device)
    {
        order.push_back(device);
    }
    order = Shuffled(order, dice.GetGenerator());
    const auto pickTime = [&](uint64_t from) {
        return dice.Number(from, static_cast<uint64_t>(schedule.faultsEnd) * SECOND);
    };
    for (uint32_t i = 0; i < faulty; ++i)
    {
        const std::string names = dice.Misbehavior();
        switch (dice.Number(0, 3))
        {
        case 0:
            schedule.crashes.push_back({order[i], pickTime(0) / 10, UINT64_MAX});
            break;
        case 1:
            schedule.batteries[order[i]] =
                std::pow(10.0, -2 + 0.1 * static_cast<double>(dice.Number(0, 30)));
            break;
        default:
            schedule.byzantine[order[i]] = names;
            break;
        }
    }
    for (uint32_t i = faulty; i < schedule.devices && dice.Chance(0.6); ++i)
    {
        const uint64_t begin = pickTime(0) / 10;
        schedule.crashes.push_back({order[i], begin, pickTime(begin) + 1});
    }
    return schedule;
}

} // namespace tests
