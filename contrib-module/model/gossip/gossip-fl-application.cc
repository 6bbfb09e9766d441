/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-fl-application.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-message-header.h"
#include "ns3/collab-random.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(GossipFlApplication);

namespace
{

constexpr uint64_t MASKS = 1;    //!< purpose of a shared seed
constexpr uint64_t MATCHING = 2; //!< purpose of a shared seed

/// Size of the message by which a device measures the rate at which it sends [B]
constexpr uint64_t PROBE_BYTES = 100000;

/// @param bitsPerSecond a rate
/// @return it as it travels: whole, at most 2^32 - 1
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

void
GossipFlApplication::DoStart()
{
    GossipApplication::DoStart();
    OnPeer<gossip::Rates>([this](const Received<gossip::Rates>& rates) { HandleRates(rates); });
    OnPeer<gossip::Pairs>([this](const Received<gossip::Pairs>& pairs) { HandlePairs(pairs); });
    OnPeer<gossip::Part>(
        [this](const Received<gossip::Part>& part) {
            Require<PayloadError>(part.round >= GetRound(), "a part of a round that is over");
            m_parts[{part.round, part.sender}] = part.body;
        },
        MakeWeights<gossip::Part>(CountExchanged()));
}

Process
GossipFlApplication::Round() // Tang et al., algorithms 1 and 2
{
    const uint32_t round = GetRound();
    if (round == 0)
    {
        EnterPhase("announce");
        AnnounceRates();
        co_await Delay(m_announceTime);
        AnnounceRates(); // now of the links, too
        co_await Delay(m_announceTime);
    }
    else if (round % m_announceInterval == 0)
    {
        AnnounceRates();
    }
    if (DrawLeader(round) == GetDeviceId())
    {
        Coordinate();
    }
    co_await TrainLocally();

    m_parts.erase(m_parts.begin(), m_parts.lower_bound({round, 0})); // not taken
    if (!FindPartner())
    {
        EnterPhase("match");
        co_await WaitUntil([this]() { return FindPartner().has_value(); }, m_matchTimeout);
    }
    const auto partner = FindPartner();
    if (!partner)
    {
        NoteExchange(DrawLeader(round), 0, false, "MatchTimeout");
    }
    else if (*partner != GetDeviceId())
    {
        co_await Exchange(*partner);
    }
    m_partners.erase(m_partners.begin(), m_partners.upper_bound(round));
    ReportRound();
}

Process
GossipFlApplication::Exchange(uint32_t partner)
{
    EnterPhase("exchange");
    const FlatVector own = GetModel();
    const auto mask = DrawMask();
    const auto selected = std::make_shared<const std::vector<float>>(SelectMasked(*own, mask));
    const auto part = Pack(MakeWeights<gossip::Part>(CountExchanged(), selected));
    co_await AnyOf(Sleep(m_exchangeTimeout), Swap(partner, part));

    const auto found = m_parts.find({GetRound(), partner});
    const bool isThere = found != m_parts.end();
    NoteExchange(partner, 0, isThere, isThere ? "" : "ExchangeTimeout");
    if (isThere)
    {
        const auto merge = [own, mask, part = found->second]() {
            return MergeMasked(*own, SelectArrived(mask, part->arrived), *part->values);
        };
        co_await Merge(2 * CountExchanged(), merge); // a sum and a product each
    }
}

Process
GossipFlApplication::Swap(uint32_t partner, Packed<gossip::Part> part)
{
    co_await Deliver(partner, part);
    const std::pair<uint32_t, uint32_t> wanted = {GetRound(), partner};
    const auto isThere = [this, wanted]() { return m_parts.count(wanted) > 0; };
    co_await WaitUntil(isThere);
}

std::optional<uint32_t>
GossipFlApplication::FindPartner() const
{
    const auto told = m_partners.find(GetRound());
    if (told != m_partners.end())
    {
        return told->second;
    }
    const auto part = m_parts.lower_bound({GetRound(), 0});
    const bool isThere = part != m_parts.end() && part->first.first == GetRound();
    return isThere ? std::optional<uint32_t>(part->first.second) : std::nullopt;
}

std::size_t
GossipFlApplication::CountExchanged() const
{
    return CountMasked(GetNumbers(), m_fraction);
}

std::vector<uint32_t>
GossipFlApplication::DrawMask() const
{
    return DrawIndices(m_dimension,
                       static_cast<uint32_t>(GetWeightsOf({0, CountExchanged()}).count),
                       SplitMix64(SplitMix64(m_seed + MASKS) + GetRound()));
}

void
GossipFlApplication::AnnounceRates()
{
    const double ownRate =
        static_cast<double>(PROBE_BYTES) * 8 / GetTransport()->GetAirtime(PROBE_BYTES).GetSeconds();
    gossip::Rates rates;
    rates.numbers.push_back(ToNumber(ownRate));
    // Of who went out of reach nothing is measured; IP does not tell, and its links count as good
    const double outageOfUnheard = GetTransport()->MeasuresLinks() ? 1.0 : 0.0;
    for (const auto& [sender, rate] : m_senderRates)
    {
        const auto quality = GetTransport()->GetLinkQuality(sender);
        const double outage = quality ? quality->outageProbability : outageOfUnheard;
        const double throughput = rate * (1 - outage);
        m_links.Set(GetDeviceId(), sender, throughput);
        rates.numbers.push_back(sender);
        rates.numbers.push_back(ToNumber(throughput));
    }
    Broadcast(std::move(rates), MakeControlOptions());
}

void
GossipFlApplication::HandleRates(const Received<gossip::Rates>& message)
{
    const auto& numbers = message->numbers;
    Require<PayloadError>(numbers.size() % 2 != 0 && numbers.size() <= 2 * GetDevices().size(),
                          "{} numbers are no rates",
                          numbers.size());
    m_senderRates[message.sender] = numbers[0];
    for (std::size_t i = 1; i < numbers.size(); i += 2)
    {
        m_links.Set(message.sender, numbers[i], numbers[i + 1]);
    }
}

uint64_t
GossipFlApplication::GetRatesSize(std::size_t devices)
{
    gossip::Rates rates;
    rates.numbers.resize(2 * devices - 1); // its own, and two for each other device
    return MessageHeader::SIZE + Pack(rates)->WireSize();
}

void
GossipFlApplication::Coordinate() // Tang et al., algorithm 3
{
    const uint32_t round = GetRound();
    GossipPairsRecord record;
    record.round = round;
    record.coordinator = GetDeviceId();
    record.pairs = MatchPeers(GetDevices(),
                              m_links,
                              m_recent,
                              round,
                              {m_quantile, m_window},
                              SplitMix64(SplitMix64(m_seed + MATCHING) + round));
    record.time = Simulator::Now();
    gossip::Pairs told;
    for (const auto& [first, second] : record.pairs)
    {
        told.numbers.insert(told.numbers.end(), {first, second});
        record.rates.push_back(m_links.Get(first, second));
    }
    Broadcast(Pack(told), MakeControlOptions());
    m_pairsTrace(record);
    TakePairs(round, record.pairs);
}

void
GossipFlApplication::HandlePairs(const Received<gossip::Pairs>& message)
{
    Require<PayloadError>(message.sender == DrawLeader(message.round),
                          "pairs of a device that is not the coordinator");
    const auto& devices = message->numbers;
    std::set<uint32_t> seen;
    for (const uint32_t device : devices)
    {
        Require<PayloadError>(
            seen.insert(device).second &&
                std::binary_search(GetDevices().begin(), GetDevices().end(), device),
            "pairs with device {}, unknown or twice",
            device);
    }
    Require<PayloadError>(devices.size() % 2 == 0, "pairs with a device left over");
    std::vector<GossipPair> pairs;
    for (std::size_t i = 0; i < devices.size(); i += 2)
    {
        pairs.emplace_back(std::minmax(devices[i], devices[i + 1]));
    }
    TakePairs(message.round, pairs);
}

void
GossipFlApplication::TakePairs(uint32_t round, const std::vector<GossipPair>& pairs)
{
    m_recent.Note(round, pairs);
    if (round < GetRound())
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
}

} // namespace ns3::collab
