/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-brain-torrent-application.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

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

uint32_t
BrainTorrentApplication::GetVersion() const
{
    return m_version;
}

template <typename T>
void
BrainTorrentApplication::OnInitiator(std::function<void(const Received<T>&)> handle)
{
    OnPeer<T>([this, handle = std::move(handle)](const Received<T>& message) {
        Require<PayloadError>(message.sender == DrawLeader(message.round),
                              "a turn that is another device's");
        handle(message);
    });
}

void
BrainTorrentApplication::DoStart()
{
    GossipApplication::DoStart();
    OnInitiator<gossip::Ping>([this](const Received<gossip::Ping>& ping) {
        SkipTo(ping.round);
        Give([this, sender = ping.sender, round = ping.round]() {
            const auto isWanted = [this, round]() { return GetRound() <= round; };
            Post(sender, Pack(gossip::Version{m_version}), MakeControlDelivery(round, isWanted));
        });
    });
    OnPeer<gossip::Version>([this](const Received<gossip::Version>& answer) {
        if (GetPhase() == "ask" && answer.round == GetRound()) // else it is late
        {
            m_versions.emplace(answer.sender, answer->version);
        }
    });
    OnInitiator<gossip::Fetch>([this](const Received<gossip::Fetch>& fetch) {
        Give([this, sender = fetch.sender, round = fetch.round]() {
            auto model = MakeWeights<gossip::Model>(GetNumbers(), GetModel());
            model.version = m_version;
            DeliverOptions options;
            options.round = round;
            options.wanted = [this, round]() { return GetRound() <= round; };
            Post(sender, Pack(std::move(model)), options);
        });
    });
    OnPeer<gossip::Model>([this](const Received<gossip::Model>& message) { HandleModel(message); },
                          MakeWeights<gossip::Model>(GetNumbers()));
    OnInitiator<gossip::Done>(
        [this](const Received<gossip::Done>& done) { SkipTo(done.round + 1); });
}

void
BrainTorrentApplication::DoResume()
{
    GossipApplication::DoResume();
    m_isLearning = false;
    m_answers.clear();
    m_models.clear();
}

std::optional<uint32_t>
BrainTorrentApplication::FindPresentRound() const
{
    return GetRound(); // turns that are over end at once
}

Process
BrainTorrentApplication::Round()
{
    if (m_present <= GetRound()) // else it is a turn that is over already
    {
        co_await AnyOf(WaitForOthers(), TakePart());
        m_present = std::max(m_present, GetRound() + 1);
    }
    CountCut();
    ReportRound();
}

Process
BrainTorrentApplication::WaitForOthers()
{
    if (m_awaitedTurn != GetRound()) // else the device was off, and the others went on
    {
        m_awaitedTurn = GetRound();
        m_turnEnd = Simulator::Now() + m_turnTimeout;
    }
    const auto isOver = [this]() { return m_present > GetRound(); };
    co_await WaitUntil(isOver, Max(m_turnEnd - Simulator::Now(), Time()));
}

Process
BrainTorrentApplication::TakePart()
{
    if (m_isLearning) // with a turn that others took for over, or for the first time
    {
        EnterPhase("train");
    }
    else if (m_version == 0)
    {
        Spawn(Learn({}));
    }
    co_await WaitUntil([this]() { return !m_isLearning; });
    if (DrawLeader(GetRound()) != GetDeviceId())
    {
        EnterPhase("wait");
        co_await WaitUntil([]() { return false; });
    }

    // The steps of Roy et al., section 2.1
    m_turn = GetRound();
    co_await Collect();
    Spawn(Learn(std::exchange(m_models, {})));
    co_await WaitUntil([this]() { return !m_isLearning; });
    Broadcast(gossip::Done(), MakeControlOptions());
}

Process
BrainTorrentApplication::Collect()
{
    EnterPhase("ask");
    m_versions.clear();
    Broadcast(gossip::Ping(), MakeControlOptions());
    const auto haveAllTold = [this]() { return m_versions.size() + 1 == GetDevices().size(); };
    co_await WaitUntil(haveAllTold, m_versionTimeout);

    EnterPhase("fetch");
    AwaitNewer("VersionTimeout");
    const std::function<gossip::Fetch(uint32_t)> ask = [](uint32_t) { return gossip::Fetch(); };
    co_await RequestAll(ask, m_fetchTimeout, "FetchTimeout");
    for (const auto& [peer, model] : m_models)
    {
        NoteExchange(peer, model->version, true);
        m_merged.Note(peer, model->version);
    }
}

Process
BrainTorrentApplication::Learn(Models models)
{
    m_isLearning = true;
    if (!models.empty())
    {
        const auto merge = [own = GetModel(), samples = GetSamples(), models]() {
            std::vector<GossipPart> parts;
            for (const auto& [peer, model] : models)
            {
                parts.push_back({0,
                                 model->values->data(),
                                 own->size(),
                                 static_cast<double>(model->samples),
                                 model->arrived});
            }
            return MergeParts(*own, samples, parts);
        };
        co_await Merge(CountMergeFlops(GetNumbers(), GetNumbers() * models.size()), merge);
    }
    co_await TrainLocally();
    m_isLearning = false;
    ++m_version;
    for (const auto& give : std::exchange(m_answers, {}))
    {
        give();
    }
    CheckWaits();
}

void
BrainTorrentApplication::HandleModel(const Received<gossip::Model>& message)
{
    const auto told = m_versions.find(message.sender);
    Require<PayloadError>(GetPhase() == "fetch" && message.round == GetRound() &&
                              told != m_versions.end() && m_awaited.count(*told) != 0,
                          "a model that is not asked for, or late");
    Require<PayloadError>(message->version >= told->second,
                          "a model older than its sender has told");
    m_awaited.erase(*told);
    m_models[message.sender] = message.body;
}

void
BrainTorrentApplication::AwaitNewer(const std::string& timeout)
{
    for (const uint32_t peer : ListPeers())
    {
        if (m_versions.count(peer) == 0)
        {
            NoteExchange(peer, 0, false, timeout);
        }
    }
    for (const uint32_t peer : m_merged.GetNewer(m_versions))
    {
        m_awaited.insert({peer, m_versions.at(peer)});
    }
}

void
BrainTorrentApplication::CountCut()
{
    if (DrawLeader(GetRound()) != GetDeviceId())
    {
        return;
    }
    if (m_turn != GetRound())
    {
        m_versions.clear(); // nobody was asked
        AwaitNewer("TurnTimeout");
        return;
    }
    if (GetPhase() == "ask")
    {
        AwaitNewer("TurnTimeout");
    }
    MissAwaited("TurnTimeout");
    for (const auto& [peer, model] : std::exchange(m_models, {}))
    {
        NoteExchange(peer, model->version, false, "TurnTimeout"); // too late to be merged
    }
}

void
BrainTorrentApplication::SkipTo(uint32_t round)
{
    m_present = std::max(m_present, round);
    CheckWaits();
}

void
BrainTorrentApplication::Give(Answer answer)
{
    if (m_isLearning)
    {
        m_answers.push_back(std::move(answer));
        return;
    }
    answer();
}

} // namespace ns3::collab
