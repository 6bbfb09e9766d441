/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-brain-torrent-application.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <fmt/format.h>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("BrainTorrentApplication");
NS_OBJECT_ENSURE_REGISTERED(BrainTorrentApplication);

TypeId
BrainTorrentApplication::GetTypeId()
{
    using App = BrainTorrentApplication;
    static TypeId tid =
        TypeId("ns3::collab::BrainTorrentApplication")
            .SetParent<GossipApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("VersionTimeout",
                          "Longest wait for the versions of peers, some of which may train.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&App::m_versionTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FetchTimeout",
                          "Longest wait for the models of peers.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&App::m_fetchTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TurnTimeout",
                          "Patience with another device's turn, which has to train too.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&App::m_turnTimeout),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

BrainTorrentApplication::BrainTorrentApplication() = default;

void
BrainTorrentApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoHalt();
    GossipApplication::DoDispose();
}

uint32_t
BrainTorrentApplication::GetVersion() const
{
    return m_version;
}

void
BrainTorrentApplication::CheckNumbers(const Message& message,
                                      std::size_t count,
                                      const std::vector<uint32_t>& numbers)
{
    if (numbers.size() != count)
    {
        throw PayloadError(fmt::format(
            "{} numbers of device {}, expected {}", numbers.size(), message.sender, count));
    }
}

void
BrainTorrentApplication::CheckInitiator(const Message& message) const
{
    if (message.sender != GetInitiator(message.round))
    {
        throw PayloadError("a turn that is another device's");
    }
}

void
BrainTorrentApplication::DoStart()
{
    NS_LOG_FUNCTION(this);
    GossipApplication::DoStart();
    using Numbers = std::vector<uint32_t>;
    RegisterNumbers(PING, "ping", [this](const Message& message, const Numbers& numbers) {
        CheckNumbers(message, 0, numbers);
        CheckInitiator(message);
        AdvanceTo(message.round);
        Answer({message.sender, PING, message.round});
    });
    RegisterNumbers(VERSION, "version", [this](const Message& message, const Numbers& numbers) {
        CheckNumbers(message, 1, numbers);
        HandleVersion(message, numbers[0]);
    });
    RegisterNumbers(FETCH, "fetch", [this](const Message& message, const Numbers& numbers) {
        CheckNumbers(message, 0, numbers);
        CheckInitiator(message);
        Answer({message.sender, FETCH, message.round});
    });
    RegisterNumbers(DONE, "done", [this](const Message& message, const Numbers& numbers) {
        CheckNumbers(message, 0, numbers);
        CheckInitiator(message);
        AdvanceTo(message.round + 1);
    });
    RegisterWeights(MODEL, "model", [this](const Message& message, const auto& model) {
        HandleModel(message, model);
    });
}

uint32_t
BrainTorrentApplication::GetInitiator(uint32_t round) const
{
    return DrawDevice(GetDevices(), GetSharedSeed(), round);
}

void
BrainTorrentApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    if (GetRound() < m_present)
    {
        return; // a turn that is over already
    }
    m_roundEvent.Cancel();
    m_roundEvent =
        Simulator::Schedule(m_turnTimeout, [this, next = GetRound() + 1]() { AdvanceTo(next); });
    if (m_version == 0 && !IsBusy())
    {
        Train([this]() { EndTrain(); });
        return;
    }
    TakePart();
}

void
BrainTorrentApplication::TakePart()
{
    if (IsBusy()) // with a turn that others took for over, or with the first training
    {
        EnterPhase("train");
        return;
    }
    if (GetInitiator(GetRound()) == GetDeviceId())
    {
        BeginAsk();
        return;
    }
    EnterPhase("wait");
}

void
BrainTorrentApplication::EndTrain()
{
    ++m_version;
    for (const auto& question : std::exchange(m_questions, {}))
    {
        Answer(question);
    }
    if (m_turn == GetRound())
    {
        Announce(DONE, GetRound(), {});
        AdvanceTo(GetRound() + 1);
        return;
    }
    TakePart();
}

void
BrainTorrentApplication::BeginAsk()
{
    EnterPhase("ask");
    m_turn = GetRound();
    m_asking = true;
    m_versions.clear();
    m_models.clear();
    m_awaited.clear();
    Announce(PING, GetRound(), {});
    m_phaseEvent = Simulator::Schedule(m_versionTimeout, &BrainTorrentApplication::EndAsk, this);
}

void
BrainTorrentApplication::HandleVersion(const Message& message, uint32_t version)
{
    if (!m_asking || m_turn != message.round)
    {
        return; // late
    }
    m_versions.emplace(message.sender, version);
    if (m_versions.size() == GetPeers().size())
    {
        EndAsk();
    }
}

void
BrainTorrentApplication::AwaitNewer(const std::string& timeout)
{
    for (const uint32_t peer : GetPeers())
    {
        if (m_versions.count(peer) == 0)
        {
            NoteExchange(peer, 0, false, timeout);
        }
    }
    for (const uint32_t peer : m_merged.GetNewer(m_versions))
    {
        m_awaited.insert(peer);
    }
}

void
BrainTorrentApplication::MissAwaited(const std::string& timeout)
{
    for (const uint32_t peer : m_awaited)
    {
        NoteExchange(peer, m_versions.at(peer), false, timeout);
    }
    m_awaited.clear();
}

void
BrainTorrentApplication::CheckTurn()
{
    if (GetInitiator(GetRound()) == GetDeviceId() && m_turn != GetRound())
    {
        for (const uint32_t peer : GetPeers())
        {
            NoteExchange(peer, 0, false, "TurnTimeout");
        }
    }
}

void
BrainTorrentApplication::EndAsk()
{
    NS_LOG_FUNCTION(this << m_versions.size());
    m_phaseEvent.Cancel();
    m_asking = false;
    m_fetching = true;
    EnterPhase("fetch");
    const uint32_t round = GetRound();
    AwaitNewer("VersionTimeout");
    m_phaseEvent = Simulator::Schedule(m_fetchTimeout, &BrainTorrentApplication::EndFetch, this);
    for (const uint32_t peer : m_awaited)
    {
        Delivery fetch;
        fetch.receiver = peer;
        fetch.content.kind = FETCH;
        fetch.content.round = round;
        fetch.content.payload =
            std::make_shared<const GossipNumbersPayload>(std::vector<uint32_t>());
        fetch.wanted = [this, round]() { return m_fetching && m_turn == round; };
        fetch.finished = [this, peer, round](bool isThere) {
            if (!isThere && m_fetching && m_turn == round && m_awaited.erase(peer) > 0)
            {
                NoteExchange(peer, m_versions.at(peer), false);
                CheckFetch();
            }
        };
        Deliver(std::move(fetch));
    }
    CheckFetch();
}

void
BrainTorrentApplication::Answer(const Question& question)
{
    if (IsBusy())
    {
        m_questions.push_back(question);
        return;
    }
    Delivery answer;
    answer.receiver = question.sender;
    answer.content.kind = question.kind == PING ? VERSION : MODEL;
    answer.content.round = question.round;
    answer.wanted = [this, round = question.round]() { return GetRound() <= round; };
    if (question.kind == PING)
    {
        answer.content.payload =
            std::make_shared<const GossipNumbersPayload>(std::vector<uint32_t>{m_version});
    }
    else
    {
        answer.content.payload = MakeWeights(GetModel(), m_version, GetNumbers());
    }
    Deliver(std::move(answer));
}

void
BrainTorrentApplication::HandleModel(const Message& message,
                                     const std::shared_ptr<const GossipWeightsPayload>& model)
{
    if (!m_fetching || m_turn != message.round || m_awaited.count(message.sender) == 0)
    {
        throw PayloadError("a model that is not asked for, or late");
    }
    model->Check(GetNumbers(), GetMaxSamples());
    if (model->GetNumber() < m_versions.at(message.sender))
    {
        throw PayloadError("a model older than its sender has told");
    }
    m_awaited.erase(message.sender);
    m_models[message.sender] = model;
    CheckFetch();
}

void
BrainTorrentApplication::CheckFetch()
{
    if (m_fetching && m_awaited.empty())
    {
        EndFetch();
    }
}

void
BrainTorrentApplication::EndFetch()
{
    NS_LOG_FUNCTION(this << m_models.size() << m_awaited.size());
    m_phaseEvent.Cancel();
    m_fetching = false;
    MissAwaited("FetchTimeout");
    if (m_models.empty())
    {
        Train([this]() { EndTrain(); });
        return;
    }
    const auto models = std::exchange(m_models, {});
    for (const auto& [peer, model] : models)
    {
        NoteExchange(peer, model->GetNumber(), true);
        m_merged.Note(peer, model->GetNumber());
    }
    const FlatVector own = GetModel();
    Merge(
        CountMergeFlops(GetNumbers(), GetNumbers() * models.size()),
        [own, samples = GetSamples(), models]() {
            std::vector<GossipPart> parts;
            for (const auto& [peer, model] : models)
            {
                parts.push_back({0,
                                 model->GetWeights()->data(),
                                 model->GetWeights()->size(),
                                 static_cast<double>(model->GetSamples())});
            }
            return MergeParts(*own, samples, parts);
        },
        [this]() { Train([this]() { EndTrain(); }); });
}

void
BrainTorrentApplication::AdvanceTo(uint32_t round)
{
    if (!IsRunning() || round <= GetRound())
    {
        return;
    }
    NS_LOG_FUNCTION(this << round);
    if (m_asking)
    {
        AwaitNewer("TurnTimeout");
    }
    if (m_asking || m_fetching) // others have taken the own turn for over
    {
        MissAwaited("TurnTimeout");
        for (const auto& [peer, model] : std::exchange(m_models, {}))
        {
            NoteExchange(peer, model->GetNumber(), false, "TurnTimeout"); // too late to be merged
        }
        m_phaseEvent.Cancel();
        m_asking = false;
        m_fetching = false;
    }
    m_present = round;
    while (IsRunning() && GetRound() < round)
    {
        CheckTurn();
        FinishRound();
    }
    if (!IsRunning())
    {
        m_roundEvent.Cancel();
    }
}

void
BrainTorrentApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_asking = false;
    m_fetching = false;
    m_phaseEvent.Cancel();
    m_roundEvent.Cancel();
}

} // namespace collab
} // namespace ns3
