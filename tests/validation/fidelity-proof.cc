/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Plays messages of many sizes in fidelities Packet and Burst and compares the distributions of all
 * that comes out. Exit status 1 if they differ.
 */

#include "comparison.h"
#include "wireless/transmission/fidelity-traffic.h"

#include "ns3/command-line.h"

#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <ostream>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

/// A size of messages, and of their units if they are divisible
struct Size
{
    uint32_t bytes;     //!< of the message
    uint32_t unitBytes; //!< of a unit; 4000 bytes span three fragments
};

constexpr Size SIZES[] = {
    {100, 20}, {1000, 50}, {10000, 500}, {100000, 400}, {1000000, 4000}, {10000000, 1000}};

/// Names of the quantities that are compared
const std::vector<std::string> QUANTITIES = {"delivered",
                                             "units",
                                             "fragments",
                                             "attempts",
                                             "bytes_sent",
                                             "airtime_s",
                                             "duration_s",
                                             "sender_tx_j",
                                             "sender_rx_j",
                                             "receivers_tx_j",
                                             "receivers_rx_j",
                                             "idle_j"};

/// A sample of every quantity, one value a run
using Samples = std::map<std::string, std::vector<double>>;

/// @brief Take down what became of a message.
/// @param result what became of it
/// @param[in,out] samples to which it is added
void
Record(const FidelityResult& result, Samples& samples)
{
    const D2dBurstReport& report = result.report;
    const auto receivers = static_cast<double>(report.outcomes.size());
    std::map<std::string, double> values;
    for (const auto& outcome : report.outcomes)
    {
        values["delivered"] += outcome.delivered / receivers;
        values["units"] += (report.burst->division.units - outcome.lostUnits) / receivers;
        values["fragments"] += (report.fragments - outcome.lostFragments) / receivers;
    }
    values["attempts"] = static_cast<double>(report.attempts);
    values["bytes_sent"] = static_cast<double>(report.bytesSent);
    values["airtime_s"] = report.airtime.GetSeconds();
    values["duration_s"] = (report.end - report.start).GetSeconds();
    for (std::size_t i = 0; i < result.energyJ.size(); ++i)
    {
        const std::string who = i == 0 ? "sender" : "receivers";
        values[who + "_tx_j"] += result.energyJ[i][static_cast<std::size_t>(EnergyKind::TX)];
        values[who + "_rx_j"] += result.energyJ[i][static_cast<std::size_t>(EnergyKind::RX)];
        values["idle_j"] += result.energyJ[i][static_cast<std::size_t>(EnergyKind::IDLE)];
    }
    for (const auto& name : QUANTITIES)
    {
        // Sums of many terms and of few differ in their last digits
        samples[name].push_back(1e-9 * std::round(1e9 * values[name]));
    }
}

/// @param traffic the traffic
/// @param fidelity "Packet" or "Burst"
/// @param firstRun number of the first run
/// @param runs how often to play it
/// @return a sample of every quantity
Samples
Play(const FidelityTraffic& traffic, const std::string& fidelity, uint64_t firstRun, uint32_t runs)
{
    Samples samples;
    for (uint64_t run = firstRun; run < firstRun + runs; ++run)
    {
        Record(PlayFidelityTraffic(traffic, fidelity, run), samples);
    }
    return samples;
}

/// @param policy a policy
/// @return the quantity on which the others depend most
std::string
GetLeadingQuantity(FidelityPolicy policy)
{
    const bool once = policy == FidelityPolicy::BEST_EFFORT || policy == FidelityPolicy::DIVISIBLE;
    return once ? "fragments" : "attempts";
}

/// @return all traffic with messages of a size
std::vector<FidelityTraffic>
MakeTraffic(const Size& size)
{
    std::vector<FidelityTraffic> all;
    for (const uint32_t receivers : {1, 4})
    {
        for (const auto policy : ALL_FIDELITY_POLICIES)
        {
            for (const double outage : {0.0, 0.01, 0.1, 0.5})
            {
                FidelityTraffic traffic;
                traffic.receivers = receivers;
                traffic.policy = policy;
                traffic.bytes = size.bytes;
                traffic.unitBytes = size.unitBytes;
                traffic.outage = outage;
                traffic.retryBackoff = MilliSeconds(1);
                traffic.horizon = Seconds(3000);
                all.push_back(traffic);
            }
        }
    }
    return all;
}

/// @param size of the messages
/// @return all traffic of this size in the middle of which something happens
std::vector<FidelityTraffic>
MakeCutTraffic(const Size& size)
{
    std::vector<FidelityTraffic> all;
    for (FidelityTraffic traffic : MakeTraffic(size))
    {
        if (traffic.outage != 0.1 && traffic.outage != 0.5)
        {
            continue;
        }
        for (const auto cut : ALL_FIDELITY_CUTS)
        {
            traffic.cut = cut;
            // Up to about the time that they take, at 1 Mbit/s and most with repetitions
            traffic.cutBefore = Seconds(1.2 * 8 * size.bytes / 1e6 * (1 + 2 * traffic.outage));
            traffic.horizon = Seconds(10) + traffic.cutBefore * 100;
            all.push_back(traffic);
        }
    }
    return all;
}

/// @param size of the messages
/// @return all traffic of this size that others disturb, with and without a cut in the midst of it
std::vector<FidelityTraffic>
MakeDisturbedTraffic(const Size& size)
{
    std::vector<FidelityTraffic> all;
    for (FidelityTraffic traffic : MakeCutTraffic(size))
    {
        for (const std::string locking : ALL_FIDELITY_LOCKINGS)
        {
            // Each locking without a cut, once, and each cut with the default
            traffic.locking = locking;
            if (traffic.cut == ALL_FIDELITY_CUTS[0])
            {
                FidelityTraffic uncut = traffic;
                uncut.cut = FidelityCut::NONE;
                all.push_back(uncut);
            }
            if (locking == "Capture")
            {
                all.push_back(traffic);
            }
        }
    }
    return all;
}

/// @param size of the messages
/// @param cuts whether something happens in the midst of them
/// @param disturbed whether others disturb them
/// @return all traffic of this kind
std::vector<FidelityTraffic>
MakeTrafficOfKind(const Size& size, bool cuts, bool disturbed)
{
    return disturbed ? MakeDisturbedTraffic(size) : cuts ? MakeCutTraffic(size) : MakeTraffic(size);
}

/// @brief Play traffic in both fidelities and compare what comes of it.
/// @param traffic the traffic
/// @param firstRun number of the first run
/// @param seeds how often to play it in each
/// @param[in,out] summary of the comparisons
/// @param csv where to write a row a comparison to
void
CompareFidelities(const FidelityTraffic& traffic,
                  uint64_t firstRun,
                  uint32_t seeds,
                  ComparisonSummary& summary,
                  std::ostream& csv)
{
    const Samples packet = Play(traffic, "Packet", firstRun, seeds);
    const Samples burst = Play(traffic, "Burst", firstRun + seeds, seeds);
    for (const auto& name : QUANTITIES)
    {
        const Comparison comparison = Compare(packet.at(name), burst.at(name));
        summary.Add(comparison, name == GetLeadingQuantity(traffic.policy));
        csv << traffic.bytes << ',' << traffic.receivers << ',' << ToString(traffic.policy) << ','
            << traffic.outage << ',' << ToString(traffic.cut) << ',' << traffic.locking << ','
            << seeds << ',' << name << ',' << comparison.packet.mean << ','
            << comparison.packet.standardError << ',' << comparison.burst.mean << ','
            << comparison.burst.standardError << ',';
        if (!comparison.exact) // constants have neither
        {
            csv << comparison.z << ',' << comparison.ksP;
        }
        else
        {
            csv << ',';
        }
        csv << '\n';
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t seeds = 200;
    uint32_t largest = 10000000;
    std::string path;
    bool cuts = false;
    bool disturbed = false;
    CommandLine arguments(__FILE__);
    arguments.AddValue("seeds", "runs of each combination in each fidelity", seeds);
    arguments.AddValue("largest", "size of the largest messages [byte]", largest);
    arguments.AddValue("cuts", "whether something happens in the middle of messages", cuts);
    arguments.AddValue(
        "disturbed", "whether others disturb them, with and without cuts", disturbed);
    arguments.AddValue("csv", "file to write a row a comparison to; none if empty", path);
    arguments.Parse(argc, argv);
    if (seeds < 2)
    {
        std::cerr << "fidelity-proof: --seeds=" << seeds << ", but at least 2 are needed\n";
        return 2;
    }

    std::ofstream csv;
    if (!path.empty())
    {
        csv.open(path);
        csv << "bytes,receivers,policy,outage,cut,locking,seeds,quantity,packet_mean,packet_se,"
               "burst_mean,burst_se,z,ks_p\n"
            << std::setprecision(6);
    }
    ComparisonSummary summary;
    uint64_t run = 1; // every run has random numbers of its own
    for (const Size& size : SIZES)
    {
        if (size.bytes > largest)
        {
            continue;
        }
        for (const auto& traffic : MakeTrafficOfKind(size, cuts, disturbed))
        {
            CompareFidelities(traffic, run, seeds, summary, csv);
            run += 2 * uint64_t{seeds};
        }
    }
    return summary.Report(std::cout, 1e-3) ? 0 : 1;
}
