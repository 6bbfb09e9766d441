/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-fl-application.h"

#include "ns3/collab-message-header.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("GossipFlApplication");
NS_OBJECT_ENSURE_REGISTERED(GossipFlApplication);

namespace
{

constexpr uint64_t MASKS = 1;    //!< purpose of a shared seed
constexpr uint64_t MATCHING = 2; //!< purpose of a shared seed

/// Size of the message by which a device measures the rate at which it sends [B]
constexpr uint64_t PROBE_BYTES = 100000;

/**
 * @param bitsPerSecond a rate
 * @return it as it travels: whole, at most 2^32 - 1
 */
uint32_t
ToNumber(double bitsPerSecond)
{
    constexpr double GREATEST = std::numeric_limits<uint32_t>::max();
    return static_cast<uint32_t>(std::min(bitsPerSecond, GREATEST));
}

} // namespace

TypeId
GossipFlApplication::GetTypeId()
{
    using App = GossipFlApplication;
    static TypeId tid =
        TypeId("ns3::collab::GossipFlApplication")
            .SetParent<GossipApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("Fraction",
                          "Part of the weights that is exchanged in a round (1 / c).",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&App::m_fraction),
                          MakeDoubleChecker<double>(1e-9, 1))
            .AddAttribute("AvoidedLinks",
                          "Part of the known links, the slowest ones, that is used only where "
                          "nothing else connects.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&App::m_quantile),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ConnectionWindow",
                          "Rounds within which exchanges are to connect all devices.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_window),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AnnounceInterval",
                          "Rounds from one announcement of rates to the next.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&App::m_announceInterval),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AnnounceTime",
                          "Before the first round, time for all announcements of one kind.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&App::m_announceTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MatchTimeout",
                          "Longest wait for the pairs after the training.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&App::m_matchTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ExchangeTimeout",
                          "Longest wait for the partner's part, and for the own one to arrive.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&App::m_exchangeTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Pairs",
                            "A coordinator has told the pairs of a round.",
                            MakeTraceSourceAccessor(&App::m_pairsTrace),
                            "ns3::collab::GossipFlApplication::PairsTracedCallback");
    return tid;
}

GossipFlApplication::GossipFlApplication() = default;

void
GossipFlApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoHalt();
    m_parts.clear();
    GossipApplication::DoDispose();
}

void
GossipFlApplication::DoStart()
{
    NS_LOG_FUNCTION(this);
    GossipApplication::DoStart();
    using Numbers = std::vector<uint32_t>;
    RegisterNumbers(RATES, "rates", [this](const Message& message, const Numbers& numbers) {
        HandleRates(message, numbers);
    });
    RegisterNumbers(PAIRS, "pairs", [this](const Message& message, const Numbers& numbers) {
        HandlePairs(message, numbers);
    });
    RegisterWeights(PART, "part", [this](const Message& message, const auto& part) {
        HandlePart(message, part);
    });
}

void
GossipFlApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    if (!m_hasAnnounced)
    {
        EnterPhase("announce");
        AnnounceRates();
        m_event = Simulator::Schedule(m_announceTime, [this]() {
            AnnounceRates();
            m_event = Simulator::Schedule(m_announceTime, &GossipFlApplication::BeginTrain, this);
        });
        m_hasAnnounced = true;
        return;
    }
    if (GetRound() % m_announceInterval == 0)
    {
        AnnounceRates();
    }
    BeginTrain();
}

void
GossipFlApplication::AnnounceRates()
{
    const double ownRate =
        static_cast<double>(PROBE_BYTES) * 8 / GetTransport()->GetAirtime(PROBE_BYTES).GetSeconds();
    std::vector<uint32_t> numbers = {ToNumber(ownRate)};
    // Of who went out of reach nothing is measured; IP does not tell, and its links count as good
    const double outageOfUnheard = GetTransport()->MeasuresLinks() ? 1.0 : 0.0;
    for (const auto& [sender, rate] : m_senderRates)
    {
        const auto quality = GetTransport()->GetLinkQuality(sender);
        const double outage = quality ? quality->outageProbability : outageOfUnheard;
        const double throughput = rate * (1 - outage);
        m_links.Set(GetDeviceId(), sender, throughput);
        numbers.push_back(sender);
        numbers.push_back(ToNumber(throughput));
    }
    Announce(RATES, GetRound(), std::move(numbers));
}

void
GossipFlApplication::HandleRates(const Message& message, const std::vector<uint32_t>& numbers)
{
    if (numbers.size() % 2 == 0 || numbers.size() > 2 * GetDevices().size())
    {
        throw PayloadError(fmt::format("{} numbers are no rates", numbers.size()));
    }
    m_senderRates[message.sender] = numbers[0];
    for (std::size_t i = 1; i < numbers.size(); i += 2)
    {
        m_links.Set(message.sender, numbers[i], numbers[i + 1]);
    }
}

uint64_t
GossipFlApplication::GetRatesSize(std::size_t devices)
{
    const std::vector<uint32_t> numbers(2 * devices - 1); // its own, and two for each other device
    return MessageHeader::SIZE + GossipNumbersPayload(numbers).WireSize();
}

uint32_t
GossipFlApplication::GetCoordinator(uint32_t round) const
{
    return DrawDevice(GetDevices(), GetSharedSeed(), round);
}

void
GossipFlApplication::BeginTrain()
{
    if (GetCoordinator(GetRound()) == GetDeviceId())
    {
        Coordinate();
    }
    Train([this]() { EndTrain(); });
}

void
GossipFlApplication::Coordinate()
{
    const uint32_t round = GetRound();
    MatchOptions options;
    options.quantile = m_quantile;
    options.window = m_window;
    const auto pairs = MatchPeers(GetDevices(),
                                  m_links,
                                  m_recent,
                                  round,
                                  options,
                                  SplitMix64(SplitMix64(GetSharedSeed() + MATCHING) + round));
    std::vector<uint32_t> numbers;
    GossipPairsRecord record;
    for (const auto& [first, second] : pairs)
    {
        numbers.push_back(first);
        numbers.push_back(second);
        record.rates.push_back(m_links.Get(first, second));
    }
    Announce(PAIRS, round, std::move(numbers), true);
    record.round = round;
    record.coordinator = GetDeviceId();
    record.pairs = pairs;
    record.time = Simulator::Now();
    m_pairsTrace(record);
    TakePairs(round, pairs);
}

void
GossipFlApplication::HandlePairs(const Message& message, const std::vector<uint32_t>& numbers)
{
    if (message.sender != GetCoordinator(message.round))
    {
        throw PayloadError("pairs of a device that is not the coordinator");
    }
    std::set<uint32_t> seen;
    for (const uint32_t device : numbers)
    {
        if (!seen.insert(device).second ||
            !std::binary_search(GetDevices().begin(), GetDevices().end(), device))
        {
            throw PayloadError(fmt::format("pairs with device {}, unknown or twice", device));
        }
    }
    if (numbers.size() % 2 != 0)
    {
        throw PayloadError("pairs with a device left over");
    }
    std::vector<GossipPair> pairs;
    for (std::size_t i = 0; i < numbers.size(); i += 2)
    {
        pairs.emplace_back(std::minmax(numbers[i], numbers[i + 1]));
    }
    if (IsRunning())
    {
        TakePairs(message.round, pairs);
    }
}

void
GossipFlApplication::TakePairs(uint32_t round, const std::vector<GossipPair>& pairs)
{
    m_recent.Note(round, pairs);
    if (round < GetRound() || (m_exchanging && round == GetRound()))
    {
        return;
    }
    uint32_t& partner = m_partners.emplace(round, GetDeviceId()).first->second;
    for (const auto& [first, second] : pairs)
    {
        if (first == GetDeviceId() || second == GetDeviceId())
        {
            partner = first == GetDeviceId() ? second : first;
        }
    }
    if (m_matching && round == GetRound())
    {
        BeginExchange();
    }
}

void
GossipFlApplication::EndTrain()
{
    m_parts.erase(m_parts.begin(), m_parts.lower_bound({GetRound(), 0})); // not taken
    if (!m_parts.empty() && m_parts.begin()->first.first == GetRound())
    {
        // Unless the pairs say something else
        m_partners.emplace(GetRound(), m_parts.begin()->first.second);
    }
    if (m_partners.count(GetRound()) > 0)
    {
        BeginExchange();
        return;
    }
    EnterPhase("match");
    m_matching = true;
    m_event = Simulator::Schedule(m_matchTimeout, &GossipFlApplication::EndMatch, this);
}

void
GossipFlApplication::EndMatch()
{
    m_matching = false;
    NoteExchange(GetCoordinator(GetRound()), 0, false, "MatchTimeout");
    FinishRound();
}

std::size_t
GossipFlApplication::CountExchanged() const
{
    return CountMasked(GetNumbers(), m_fraction);
}

std::vector<uint32_t>
GossipFlApplication::DrawMask() const
{
    return DrawIndices(GetDimension(),
                       static_cast<uint32_t>(GetWeightsOf({0, CountExchanged()}).count),
                       SplitMix64(SplitMix64(GetSharedSeed() + MASKS) + GetRound()));
}

void
GossipFlApplication::BeginExchange()
{
    m_event.Cancel();
    m_matching = false;
    const uint32_t round = GetRound();
    const uint32_t partner = m_partners.at(round);
    m_partners.erase(m_partners.begin(), m_partners.lower_bound(round));
    if (partner == GetDeviceId())
    {
        FinishRound();
        return;
    }
    EnterPhase("exchange");
    m_exchanging = true;
    m_sending = true;
    m_event = Simulator::Schedule(m_exchangeTimeout, &GossipFlApplication::EndExchange, this);
    Delivery part;
    part.receiver = partner;
    part.content.kind = PART;
    part.content.round = round;
    part.content.payload = MakeWeights(
        std::make_shared<const std::vector<float>>(SelectMasked(*GetModel(), DrawMask())),
        0,
        CountExchanged());
    part.wanted = [this, round]() { return m_exchanging && GetRound() == round; };
    part.finished = [this, round](bool) {
        if (m_exchanging && GetRound() == round)
        {
            m_sending = false;
            CheckExchange();
        }
    };
    Deliver(std::move(part));
}

void
GossipFlApplication::HandlePart(const Message& message,
                                const std::shared_ptr<const GossipWeightsPayload>& part)
{
    if (message.round < GetRound())
    {
        throw PayloadError("a part of a round that is over");
    }
    part->Check(CountExchanged(), GetMaxSamples());
    m_parts[{message.round, message.sender}] = part;
    if (m_matching && message.round == GetRound())
    {
        m_partners.emplace(GetRound(), message.sender);
        BeginExchange();
        return;
    }
    CheckExchange();
}

void
GossipFlApplication::CheckExchange()
{
    if (!m_exchanging || m_sending)
    {
        return;
    }
    if (FindPart(m_partners.at(GetRound())))
    {
        EndExchange();
    }
}

std::shared_ptr<const GossipWeightsPayload>
GossipFlApplication::FindPart(uint32_t peer) const
{
    const auto part = m_parts.find({GetRound(), peer});
    return part == m_parts.end() ? nullptr : part->second;
}

void
GossipFlApplication::EndExchange()
{
    m_event.Cancel();
    m_exchanging = false;
    const uint32_t partner = m_partners.at(GetRound());
    const auto part = FindPart(partner);
    NoteExchange(partner, 0, part != nullptr, part ? "" : "ExchangeTimeout");
    if (!part)
    {
        FinishRound();
        return;
    }
    const auto values = part->GetWeights();
    Merge(
        2 * CountExchanged(), // a sum and a product each
        [own = GetModel(), mask = DrawMask(), values]() {
            return MergeMasked(*own, mask, *values);
        },
        [this]() { FinishRound(); });
}

void
GossipFlApplication::DoHalt()
{
    NS_LOG_FUNCTION(this);
    m_matching = false;
    m_exchanging = false;
    m_event.Cancel();
}

} // namespace collab
} // namespace ns3
