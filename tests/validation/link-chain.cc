/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Plays the chain from distance to delivery, link by link, and compares every member of it with its
 * closed form. Exit status 1 if they differ.
 *
 *   received power   W = P_tx - 46.6777 dB - 10 n log10(d / 1 m)     (log-distance)
 *   noise power      N = k 290 K B F
 *   outage           P = F(x), x = (2^r - 1) N / W:
 *                    Rayleigh 1 - exp(-x), Nakagami P(m, m x), threshold [x > 1]
 *   delivery         of n fragments, each sent at most a times: (1 - P^a)^n
 *   units delivered  of a divisible message, each in one fragment: 1 - P
 *   attempts         with stop-and-wait, perfect acknowledgments, and nothing more sent once a
 *                    fragment is given up: (1 - P^a) / (1 - P) sum over i < n of (1 - P^a)^i
 */

#include "ns3/command-line.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-net-device.h"
#include "ns3/double.h"
#include "ns3/mobility-helper.h"
#include "ns3/node-container.h"
#include "ns3/position-allocator.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;

constexpr double EXPONENT = 3;            //!< of the path loss
constexpr double TX_POWER_DBM = 20;       //!< attribute TxPower
constexpr double NOISE_FIGURE_DB = 7;     //!< attribute NoiseFigure
constexpr double BANDWIDTH_HZ = 1e6;      //!< attribute Bandwidth
constexpr double SPECTRAL_EFFICIENCY = 2; //!< attribute SpectralEfficiency
constexpr double NAKAGAMI_M = 2;          //!< shape of the fading
constexpr uint32_t FRAGMENTS = 5;         //!< of a message
constexpr uint32_t FRAGMENT_BYTES = 1000; //!< attribute FragmentSize
constexpr uint32_t MAX_ATTEMPTS = 3;      //!< attribute MaxAttempts
constexpr uint16_t PROTOCOL = 0x88b6;     //!< protocol number of the messages

/// A model of outage and how to make it
struct OutageCase
{
    std::string name;  //!< in the table
    std::string model; //!< value of attribute OutageModel
};

/// One member of the chain, measured
struct Quantity
{
    std::string name;         //!< in the table
    double expected = 0;      //!< closed form
    double measured = 0;      //!< mean
    double standardError = 0; //!< of the mean, from the closed form
};

/// What came of the messages of one policy
struct Tally
{
    double delivered = 0; //!< messages
    double units = 0;     //!< units of divisible messages
    double attempts = 0;  //!< fragment transmissions
};

/// @param distance of a link [m]
/// @return received over noise power
double
GetSnr(double distance)
{
    constexpr double REFERENCE_LOSS_DB = 46.6777; // Friis at 1 m and 5.15 GHz, ns-3's default
    const double rssDbm = TX_POWER_DBM - REFERENCE_LOSS_DB - 10 * EXPONENT * std::log10(distance);
    const double noiseDbm =
        10 * std::log10(1.380649e-23 * 290 * BANDWIDTH_HZ * 1000) + NOISE_FIGURE_DB;
    return std::pow(10, (rssDbm - noiseDbm) / 10);
}

/// @param outage name of a case
/// @param snr received over noise power
/// @return probability of losing a fragment
double
GetOutage(const std::string& outage, double snr)
{
    const double x = (std::exp2(SPECTRAL_EFFICIENCY) - 1) / snr;
    if (outage == "rayleigh")
    {
        return -std::expm1(-x);
    }
    if (outage == "nakagami")
    {
        return boost::math::gamma_p(NAKAGAMI_M, NAKAGAMI_M * x);
    }
    return x > 1 ? 1 : 0;
}

/// @brief Play messages over a link.
/// @param outage its model of outage
/// @param distance its length [m]
/// @param fidelity of the channel
/// @param prototype of the messages; its destination is filled in
/// @param messages how many
/// @return what came of them
Tally
Play(const OutageCase& outage,
     double distance,
     const std::string& fidelity,
     const D2dBurst& prototype,
     uint32_t messages)
{
    NodeContainer nodes(2);
    auto places = CreateObject<ListPositionAllocator>();
    places->Add(Vector(0, 0, 0));
    places->Add(Vector(distance, 0, 0));
    MobilityHelper mobility;
    mobility.SetPositionAllocator(places);
    mobility.Install(nodes);

    D2dHelper d2d;
    d2d.AddPropagationLossModel(
        "ns3::LogDistancePropagationLossModel", "Exponent", DoubleValue(EXPONENT));
    d2d.SetChannelAttribute("Fidelity", StringValue(fidelity));
    d2d.SetChannelAttribute("OutageModel", StringValue(outage.model));
    d2d.SetChannelAttribute("NoiseFigure", DoubleValue(NOISE_FIGURE_DB));
    d2d.SetDeviceAttribute("TxPower", DoubleValue(TX_POWER_DBM));
    d2d.SetDeviceAttribute("Bandwidth", DoubleValue(BANDWIDTH_HZ));
    d2d.SetDeviceAttribute("SpectralEfficiency", DoubleValue(SPECTRAL_EFFICIENCY));
    d2d.SetDeviceAttribute("RxSensitivity", DoubleValue(-1000));
    d2d.SetDeviceAttribute("FragmentSize", UintegerValue(FRAGMENT_BYTES));
    d2d.SetDeviceAttribute("MaxAttempts", UintegerValue(MAX_ATTEMPTS));
    const NetDeviceContainer radios = d2d.Install(nodes);
    D2dHelper::AssignStreams(radios, 0);
    auto sender = DynamicCast<D2dNetDevice>(radios.Get(0));
    // Acknowledgments that are never lost
    DynamicCast<D2dNetDevice>(radios.Get(1))->GetPhy()->SetAttribute("TxPower", DoubleValue(300));
    D2dBurst burst = prototype;
    burst.destination = Mac48Address::ConvertFrom(radios.Get(1)->GetAddress());

    Tally tally;
    for (uint32_t i = 0; i < messages; ++i)
    {
        Simulator::Schedule(Seconds(i), [&tally, sender, burst]() {
            sender->GetMac()->SendBurst(burst, [&tally](const D2dBurstReport& report) {
                const D2dReceiverOutcome& outcome = report.outcomes.at(0);
                tally.delivered += outcome.delivered;
                tally.units += report.burst->division.units - outcome.lostUnits;
                tally.attempts += static_cast<double>(report.attempts);
            });
        });
    }
    Simulator::Run();
    Simulator::Destroy();
    return tally;
}

/// @param reliability what to do about lost fragments
/// @return a message of FRAGMENTS fragments
D2dBurst
MakeMessage(D2dReliability reliability)
{
    return {Create<Packet>(FRAGMENTS * FRAGMENT_BYTES), Mac48Address(), PROTOCOL, reliability};
}

/// @param name of the quantity
/// @param p its closed form, a probability
/// @param count how many were counted
/// @param trials out of how many
/// @return the quantity
Quantity
MakeFraction(const std::string& name, double p, double count, double trials)
{
    return {name, p, count / trials, std::sqrt(p * (1 - p) / trials)};
}

/// Means of a number and of its square
struct Moments
{
    double mean = 0;   //!< of the number
    double square = 0; //!< of its square
};

/// @param p probability of losing a fragment
/// @return transmissions of a message by stop-and-wait with perfect acknowledgments, which is given
/// up with the first fragment that MAX_ATTEMPTS have not brought through
Moments
GetAttempts(double p)
{
    const double givenUp = std::pow(p, MAX_ATTEMPTS);
    Moments through; // attempts of a fragment that comes through, 0 of one that does not
    for (uint32_t k = 1; k <= MAX_ATTEMPTS; ++k)
    {
        through.mean += k * std::pow(p, k - 1) * (1 - p);
        through.square += k * k * std::pow(p, k - 1) * (1 - p);
    }
    Moments rest; // of the fragments behind one, that are sent if it comes through
    for (uint32_t i = 0; i < FRAGMENTS; ++i)
    {
        Moments all;
        all.mean = through.mean + givenUp * MAX_ATTEMPTS + (1 - givenUp) * rest.mean;
        all.square = through.square + givenUp * MAX_ATTEMPTS * MAX_ATTEMPTS +
                     2 * through.mean * rest.mean + (1 - givenUp) * rest.square;
        rest = all;
    }
    return rest;
}

/// @brief Measure the chain at one distance.
/// @param outage model of outage
/// @param distance of the link [m]
/// @param fidelity of the channel
/// @param messages messages of each policy
/// @return all its members
std::vector<Quantity>
Measure(const OutageCase& outage, double distance, const std::string& fidelity, uint32_t messages)
{
    const double p = GetOutage(outage.name, GetSnr(distance));
    const double given = std::pow(p, MAX_ATTEMPTS);
    D2dBurst divisible = MakeMessage(D2dReliability::BEST_EFFORT);
    divisible.division = {FRAGMENTS, FRAGMENT_BYTES, 0};
    const D2dBurst once = MakeMessage(D2dReliability::BEST_EFFORT);
    const D2dBurst repeated = MakeMessage(D2dReliability::ARQ);

    std::vector<Quantity> quantities;
    quantities.push_back(MakeFraction("best-effort",
                                      std::pow(1 - p, FRAGMENTS),
                                      Play(outage, distance, fidelity, once, messages).delivered,
                                      messages));
    const Tally arq = Play(outage, distance, fidelity, repeated, messages);
    quantities.push_back(
        MakeFraction("reliable", std::pow(1 - given, FRAGMENTS), arq.delivered, messages));
    const double fragments = double{FRAGMENTS} * messages;
    quantities.push_back(MakeFraction("divisible",
                                      1 - p,
                                      Play(outage, distance, fidelity, divisible, messages).units,
                                      fragments));
    const Moments attempts = GetAttempts(p);
    quantities.push_back(
        {"attempts",
         attempts.mean,
         arq.attempts / messages,
         std::sqrt(std::max(0.0, attempts.square - attempts.mean * attempts.mean) / messages)});
    return quantities;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t messages = 1000;
    std::string path;
    CommandLine arguments(__FILE__);
    arguments.AddValue("messages", "messages of each policy at each distance", messages);
    arguments.AddValue("csv", "file to write a row a measurement to; none if empty", path);
    arguments.Parse(argc, argv);

    const std::vector<OutageCase> cases = {
        {"rayleigh", "ns3::collab::D2dRayleighOutageModel"},
        {"nakagami", "ns3::collab::D2dNakagamiOutageModel[M=2]"},
        {"threshold", "ns3::collab::D2dThresholdOutageModel"},
    };
    std::ofstream csv;
    if (!path.empty())
    {
        csv.open(path);
        csv << "outage_model,fidelity,distance_m,snr_db,quantity,messages,measured,expected,"
               "standard_error\n"
            << std::setprecision(6);
    }
    double worst = 0;
    uint32_t comparisons = 0;
    uint32_t beyond = 0;
    for (const auto& outage : cases)
    {
        for (const std::string fidelity : {"Packet", "Burst"})
        {
            for (double distance = 50; distance <= 600; distance += 50)
            {
                for (const auto& quantity : Measure(outage, distance, fidelity, messages))
                {
                    csv << outage.name << ',' << fidelity << ',' << distance << ','
                        << 10 * std::log10(GetSnr(distance)) << ',' << quantity.name << ','
                        << messages << ',' << quantity.measured << ',' << quantity.expected << ','
                        << quantity.standardError << '\n';
                    const double difference = std::abs(quantity.measured - quantity.expected);
                    // One message more or less is possible however improbable it is
                    const double slack = 3 * quantity.standardError + 1.0 / messages;
                    worst = std::max(worst, difference / slack);
                    beyond += difference > slack;
                    ++comparisons;
                }
            }
        }
    }
    std::cout << comparisons << " comparisons with the closed form, " << beyond
              << " beyond three standard errors and one message; the greatest difference is "
              << std::setprecision(3) << worst << " of that\n";
    // Five standard errors: once in 3 000 runs of this program if it is right
    const bool agree = worst < 5.0 / 3;
    std::cout << (agree ? "the chain agrees\n" : "the chain DISAGREES\n");
    return agree ? 0 : 1;
}
