/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs of random settings: what has to hold in all of them

#include "belief-consensus/belief-network.h"
#include "belief-consensus/belief-replay.h"

#include "ns3/collab-processor.h"
#include "ns3/collab-random.h"

#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::SizeIs;
using tests::BeliefAttributes;
using tests::BeliefEvent;
using tests::BeliefMatrix;
using tests::BeliefReplay;
using tests::BeliefUsers;
using tests::FLOPS;
using tests::MakeBitBelief;
using tests::MakeLineBelief;
using tests::Numbers;
using tests::TestBelief;

namespace
{

constexpr uint32_t RUNS = 300;

/// One device's own settings
struct Device
{
    uint64_t seed = 0;           //!< of its samples
    BeliefAttributes attributes; //!< of its application
    TestBelief::Settings jobs;   //!< how long they take
    double stop = 0;             //!< when its application stops [s]; 0: never
    double off = 0;              //!< when it goes off [s]; 0: never
};

/// All that a run depends on
struct Case
{
    bool isGossip = false;                //!< which application
    bool isLine = false;                  //!< which family
    BeliefMatrix w;                       //!< trust
    bool reliability = false;             //!< see UseReliability()
    BeliefAttributes attributes;          //!< of all applications
    std::vector<Device> devices;          //!< by device
    std::vector<std::vector<double>> out; //!< outage probabilities
    std::string duplex;                   //!< of the radios
    std::string fidelity;                 //!< of the channel
    std::string payloadMode;              //!< of the transport
};

/// Draws cases
class CaseSource
{
  public:
    /// @param seed of the generator
    explicit CaseSource(uint64_t seed)
        : m_generator(seed)
    {
    }

    /// @return a case
    Case
    Draw()
    {
        Case c;
        const uint32_t users = Draw(2, 6);
        c.isGossip = Draw(1, 3) == 1;
        c.isLine = Draw(1, 3) == 1;
        c.reliability = Draw(1, 6) == 1;
        c.duplex = Choose({"Half", "Full"});
        c.fidelity = Choose({"Burst", "Packet"});
        c.payloadMode = Choose({"Reference", "Bytes"});
        c.w = DrawWeights(users);
        DrawAttributes(c);
        const double most = Choose({"0", "0.5", "0.9", "1"}) == "0" ? 0 : Real(0, 0.9);
        c.out.assign(users, std::vector<double>(users, 0.0));
        for (uint32_t i = 0; i < users; ++i)
        {
            c.devices.push_back(DrawDevice(c));
            for (uint32_t j = 0; j < users; ++j)
            {
                c.out[i][j] = i == j ? 0 : Real(0, most);
            }
        }
        return c;
    }

    /// @return a whole number from least to most
    uint32_t
    Draw(uint32_t least, uint32_t most)
    {
        return boost::random::uniform_int_distribution<uint32_t>(least, most)(m_generator);
    }

  private:
    /// @return a number from least to most
    double
    Real(double least, double most)
    {
        return least == most
                   ? least
                   : boost::random::uniform_real_distribution<double>(least, most)(m_generator);
    }

    /// @return one of these
    std::string
    Choose(const std::vector<std::string>& all)
    {
        return all[Draw(0, static_cast<uint32_t>(all.size() - 1))];
    }

    /// @return trust of so many users, some of whom do not listen to others
    BeliefMatrix
    DrawWeights(uint32_t users)
    {
        BeliefMatrix w(users, users);
        const double density = Real(0, 1.2);
        for (uint32_t i = 0; i < users; ++i)
        {
            double sum = 0;
            for (uint32_t j = 0; j < users; ++j)
            {
                w(i, j) = i == j || Real(0, 1) < density ? Real(0.01, 1) : 0;
                sum += w(i, j);
            }
            for (uint32_t j = 0; j < users; ++j)
            {
                w(i, j) /= sum;
            }
        }
        return w;
    }

    /// @param c gets what all of its applications have
    void
    DrawAttributes(Case& c)
    {
        c.attributes = {{"Rounds", std::to_string(Draw(1, 8))},
                        {"LossPolicy", Choose({"BestEffort", "BestEffort", "Reliable"})},
                        {"Precision", Choose({"Family", "Float32", "Float64"})},
                        {"ClipRadius", fmt::format("{}", Real(0.1, 5))},
                        {"EvaluationInterval", std::to_string(Draw(1, 3))},
                        {"BeliefInterval", std::to_string(Draw(0, 2))}};
        c.attributes["Pooling"] =
            c.isLine
                ? Choose(
                      {"Logarithmic", "Clipped", "Moment", "Wasserstein", "CovarianceIntersection"})
                : Choose({"Logarithmic", "Logarithmic", "Clipped", "Moment"});
        if (c.isGossip)
        {
            c.attributes["UpdateRate"] = fmt::format("{}", Real(5, 50));
            return;
        }
        c.attributes["MissingPolicy"] = Choose({"Self", "Renormalize", "Stale"});
        c.attributes["Deadline"] = fmt::format("{}ms", Draw(1, 60));
        c.attributes["Interval"] = fmt::format("{}ms", Draw(0, 1) * Draw(1, 50));
        c.attributes["Jitter"] = fmt::format("{}us", Draw(0, 1) * Draw(1, 3000));
    }

    /// @param c the case so far
    /// @return a device of it
    Device
    DrawDevice(const Case& c)
    {
        Device device;
        device.seed = Draw(1, 1U << 30);
        if (Draw(1, 3) == 1)
        {
            device.jobs.updateFlops = static_cast<uint64_t>(Real(0, 0.02) * FLOPS);
            device.jobs.poolFlops = static_cast<uint64_t>(Real(0, 0.02) * FLOPS);
        }
        if (Draw(1, 10) == 1)
        {
            device.jobs.overflow = Draw(0, 7);
        }
        device.jobs.poolOverflows = Draw(1, 15) == 1;
        if (Draw(1, 4) == 1)
        {
            device.attributes = {
                {"Lie",
                 c.isLine ? Choose({"Wrong", "Overconfident", "NotANumber", "NegativePrecision"})
                          : Choose({"Wrong", "Overconfident", "Veto", "NotANumber", "Silence"})},
                {"LieStrength", Choose({"0.5", "3", "1e30", "1e300"})}};
        }
        if (Draw(1, 6) == 1)
        {
            device.stop = Real(1e-9, 0.3);
        }
        if (Draw(1, 6) == 1)
        {
            device.off = Real(0, 0.3);
        }
        return device;
    }

    RandomGenerator m_generator; //!< of all draws
};

class BeliefCompositionTest : public tests::BeliefNetworkTest
{
  protected:
    /// @brief A whole run.
    /// @param c its settings
    /// @param threads of the host
    void
    Play(const Case& c, uint32_t threads)
    {
        Options options;
        options.devices = static_cast<uint32_t>(c.devices.size());
        options.fidelity = c.fidelity;
        options.payloadMode = c.payloadMode;
        MakeNetwork(options, c.duplex);
        SetOutage(c.out);
        BeliefUsers users;
        users.models = MakeModels(c);
        users.w = c.w;
        users.type = c.isGossip ? "BeliefGossipApplication" : "BeliefConsensusApplication";
        users.attributes = c.attributes;
        users.reliability = c.reliability;
        users.threads = threads;
        for (uint32_t i = 0; i < options.devices; ++i)
        {
            users.own[i] = c.devices[i].attributes;
        }
        Install(std::move(users));
        for (uint32_t i = 0; i < options.devices; ++i)
        {
            if (c.devices[i].stop > 0)
            {
                m_applications.Get(i)->SetStopTime(Seconds(c.devices[i].stop));
            }
            if (c.devices[i].off > 0)
            {
                Simulator::Schedule(Seconds(c.devices[i].off), [this, i]() { SwitchOff(i); });
            }
        }
        Run();
    }

    /// @return the models of a case
    static std::vector<std::unique_ptr<BeliefModel>>
    MakeModels(const Case& c)
    {
        std::vector<std::unique_ptr<BeliefModel>> models;
        for (uint32_t i = 0; i < c.devices.size(); ++i)
        {
            const Device& device = c.devices[i];
            models.push_back(std::make_unique<TestBelief>(
                c.isLine ? MakeLineBelief(device.seed) : MakeBitBelief(i % 2, device.seed),
                device.jobs));
        }
        return models;
    }

    /// @brief What has to hold in each run of a case
    void
    ExpectSound(const Case& c) const
    {
        for (uint32_t i = 0; i < c.devices.size(); ++i)
        {
            const auto ends = GetEvents(BeliefEvent::END, i);
            ASSERT_THAT(ends, SizeIs(1)) << i;
            const bool mayStop = c.devices[i].stop > 0 || c.devices[i].off > 0;
            EXPECT_TRUE(mayStop || ends[0].text == "finished") << i;
            const auto beliefs = GetBeliefs(i);
            const std::size_t rounds = std::stoul(c.attributes.at("Rounds"));
            EXPECT_TRUE(ends[0].text == "finished" ? beliefs.size() == rounds
                                                   : beliefs.size() < rounds);
        }
        const auto models = MakeModels(c);
        std::map<uint32_t, uint64_t> sent;
        const bool isSingle = c.attributes.at("Precision") == "Float32";
        const uint64_t bytes = 23 + models[0]->GetWireCount() * (isSingle ? 4 : 8);
        std::set<uint32_t> ended;
        for (const auto& event : m_events)
        {
            if (event.kind == BeliefEvent::ROUND)
            {
                EXPECT_TRUE(models[0]->IsProper(std::make_shared<const Numbers>(event.numbers)));
            }
            if (event.kind == BeliefEvent::POOLED)
            {
                ExpectWeights(event);
            }
            if (event.kind == BeliefEvent::SENT)
            {
                EXPECT_EQ(event.bytes, bytes);
                sent[event.device] += bytes;
            }
            if (event.kind == BeliefEvent::END)
            {
                ended.insert(event.device);
            }
            else if (event.kind == BeliefEvent::POOLED || event.kind == BeliefEvent::SENT ||
                     event.kind == BeliefEvent::ROUND)
            {
                EXPECT_EQ(ended.count(event.device), 0) << "nothing comes after the end";
            }
        }
        for (uint32_t i = 0; i < c.devices.size(); ++i)
        {
            EXPECT_LE(GetTransport(i)->GetBytesSent(), sent[i]);
        }
    }

    /// @param event an effective row of W
    static void
    ExpectWeights(const BeliefEvent& event)
    {
        double sum = 0;
        for (const auto& entry : event.entries)
        {
            EXPECT_GE(entry.weight, 0);
            EXPECT_TRUE(entry.source != "missing" || entry.weight == 0);
            sum += entry.weight;
        }
        EXPECT_NEAR(sum, 1, 1e-9);
        EXPECT_EQ(event.entries[0].source, "self");
        EXPECT_EQ(event.entries[0].peer, event.device);
    }

    /// @param c a case that has been run
    /// @param source a device
    /// @return devices that any message chain from it has reached
    std::set<uint32_t>
    FindReached(const Case& c, uint32_t source) const
    {
        std::set<uint32_t> reached = {source};
        std::set<std::pair<uint32_t, uint32_t>> carriers; // sender and sequence number
        for (const auto& event : m_events)
        {
            if (event.kind == BeliefEvent::SENT && reached.count(event.device) > 0)
            {
                carriers.insert({event.device, event.sequence});
            }
            if (event.kind == BeliefEvent::RECEIVED && c.w(event.device, event.peer) > 0 &&
                carriers.count({event.peer, event.sequence}) > 0)
            {
                reached.insert(event.device);
            }
        }
        return reached;
    }

    /// @return beliefs of devices, after each instant
    std::map<uint32_t, std::vector<Numbers>>
    GetAllBeliefs() const
    {
        std::map<uint32_t, std::vector<Numbers>> beliefs;
        for (uint32_t i = 0; i < m_applications.GetN(); ++i)
        {
            beliefs[i] = GetBeliefs(i);
        }
        return beliefs;
    }

    /// @brief Replay the run of a case, if that has what BeliefReplay knows
    void
    Replay(const Case& c)
    {
        BeliefReplay::Settings settings;
        settings.w = c.w;
        const std::map<std::string, MissingBeliefPolicy> policies = {
            {"Self", MissingBeliefPolicy::SELF},
            {"Renormalize", MissingBeliefPolicy::RENORMALIZE},
            {"Stale", MissingBeliefPolicy::STALE}};
        const std::map<std::string, BeliefPooling> poolings = {
            {"Logarithmic", BeliefPooling::LOGARITHMIC},
            {"Clipped", BeliefPooling::CLIPPED},
            {"Moment", BeliefPooling::MOMENT},
            {"Wasserstein", BeliefPooling::WASSERSTEIN},
            {"CovarianceIntersection", BeliefPooling::COVARIANCE_INTERSECTION}};
        settings.policy = policies.at(c.attributes.at("MissingPolicy"));
        settings.pooling = poolings.at(c.attributes.at("Pooling"));
        settings.radius = std::stod(c.attributes.at("ClipRadius"));
        settings.precision = c.attributes.at("Precision") == "Float32" ? BeliefPrecision::FLOAT32
                                                                       : BeliefPrecision::FLOAT64;
        for (uint32_t i = 0; i < c.devices.size(); ++i)
        {
            if (!GetUser(i)->IsHonest())
            {
                settings.liars.insert(i);
            }
        }
        BeliefReplay replay(MakeModels(c), settings);
        replay.Play(m_events);
        m_replayed += replay.pools;
    }

    uint32_t m_replayed = 0; //!< pools
};

/// @return whether no job of a case overflows by itself
bool
IsFinite(const Case& c)
{
    for (const Device& device : c.devices)
    {
        if (device.jobs.overflow != ~0U || device.jobs.poolOverflows)
        {
            return false;
        }
    }
    return true;
}

} // namespace

TEST_F(BeliefCompositionTest, AnyRunIsSound)
{
    CaseSource source(2026);
    uint32_t apart = 0;
    for (uint32_t run = 0; run < RUNS && !HasFailure(); ++run)
    {
        SCOPED_TRACE(run);
        Case c = source.Draw();
        Play(c, 1);
        ExpectSound(c);
        if (!c.isGossip && !c.reliability && IsFinite(c))
        {
            Replay(c);
        }
        const std::string trace = GetTrace();
        const auto beliefs = GetAllBeliefs();
        const uint32_t other = source.Draw(0, static_cast<uint32_t>(c.devices.size() - 1));
        const auto reached = FindReached(c, other);
        Play(c, run % 3 + 2);
        EXPECT_EQ(GetTrace() == trace, true) << "threads do not matter";
        // Whom no message of a user has reached believes the same whatever that has seen
        ++c.devices[other].seed;
        Play(c, 1);
        for (uint32_t i = 0; i < c.devices.size(); ++i)
        {
            if (reached.count(i) == 0)
            {
                EXPECT_EQ(GetBeliefs(i), beliefs.at(i)) << i << " of " << other;
                ++apart;
            }
        }
    }
    EXPECT_GT(apart, RUNS / 2);
    EXPECT_GT(m_replayed, 3 * RUNS);
}

TEST_F(BeliefCompositionTest, WhoHearsNothingBelievesWhatItBelievesAlone)
{
    CaseSource source(7);
    for (uint32_t run = 0; run < 30; ++run)
    {
        SCOPED_TRACE(run);
        Case c = source.Draw();
        for (auto& row : c.out)
        {
            row.assign(row.size(), 1.0);
        }
        for (Device& device : c.devices)
        {
            device.stop = 0;
            device.off = 0;
        }
        c.attributes["LossPolicy"] = "BestEffort"; // or it is repeated, for nothing
        Play(c, 1);
        const auto models = MakeModels(c);
        for (uint32_t i = 0; i < models.size(); ++i)
        {
            Belief alone = models[i]->GetPrior();
            uint32_t k = 0;
            for (const auto& belief : GetBeliefs(i))
            {
                const Belief next = models[i]->Update(alone, k++);
                alone = models[i]->IsProper(next) ? next : alone;
                EXPECT_EQ(belief, *alone) << i;
            }
            EXPECT_EQ(k, std::stoul(c.attributes.at("Rounds")));
        }
    }
}
