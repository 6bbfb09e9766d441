/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Models whose power changes at random moments, mostly between two powers by turns as a radio's
 * does, against an account of their own in more digits.
 */

#include "wireless/wireless-test-support.h"

#include "ns3/basic-energy-harvester.h"
#include "ns3/basic-energy-source.h"
#include "ns3/collab-itemized-energy-model.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

/// Powers of kinds that are drawn alone [W]
const std::map<EnergyKind, double> ALONE = {
    {EnergyKind::IDLE, 0.0217}, {EnergyKind::RX, 0.213}, {EnergyKind::TX, 0.391}};

/// A model whose power a test sets.
class TurningModel : public ItemizedEnergyModel
{
  public:
    using ItemizedEnergyModel::AddJoules;
    using ItemizedEnergyModel::SetPower;

    /// @param draw power from now on, by the short way where there is one
    void
    Draw(const PowerDraw& draw)
    {
        const Time now = Simulator::Now();
        for (const auto& [kind, watts] : ALONE)
        {
            if (draw.IsOnly(kind, watts) && GoBack(kind, watts, now))
            {
                return;
            }
        }
        SetPower(draw, now);
    }

    Time offSince; //!< when its source ran empty

  private:
    void
    DoSwitchOff() override
    {
        offSince = Simulator::Now();
    }

    void
    DoSwitchOn() override
    {
    }
};

/// Power from a moment on.
struct Change
{
    int64_t step;   //!< the moment [time step]
    PowerDraw draw; //!< the power
};

/// @return powers that are drawn: those, those of a processor, and none
std::vector<PowerDraw>
MakeDraws()
{
    std::vector<PowerDraw> draws(1 + ALONE.size());
    draws[0].Add(EnergyKind::IDLE, ALONE.at(EnergyKind::IDLE));
    draws[0].Add(EnergyKind::COMPUTE, 0.117);
    std::size_t next = 1;
    for (const auto& [kind, watts] : ALONE)
    {
        draws[next++].Add(kind, watts);
    }
    draws.emplace_back();
    return draws;
}

/// @return changes of power, of which most go back to the power before the last one
std::vector<Change>
MakeChanges(std::mt19937& random, int count)
{
    const std::vector<PowerDraw> draws = MakeDraws();
    std::vector<Change> changes;
    std::size_t present = 0;
    std::size_t before = 1;
    int64_t step = 0;
    for (int i = 0; i < count; ++i)
    {
        if (random() % 10 < 8)
        {
            std::swap(present, before);
        }
        else
        {
            before = present;
            present = random() % draws.size();
        }
        changes.push_back({step, draws[present]});
        // Sometimes at once, sometimes a nanosecond later, mostly up to 2 ms
        const auto kind = random() % 10;
        step += kind == 0 ? 0 : kind == 1 ? 1 : static_cast<int64_t>(random() % 2000000);
    }
    return changes;
}

/// @param end until when they count [time step]
/// @return energy of each kind, whatever its source had [J]
std::vector<long double>
AddUp(const std::vector<Change>& changes, int64_t end)
{
    std::vector<long double> joules(ENERGY_KIND_COUNT);
    for (std::size_t i = 0; i < changes.size() && changes[i].step < end; ++i)
    {
        const int64_t until = i + 1 < changes.size() ? std::min(changes[i + 1].step, end) : end;
        EnergyByKind watts{};
        changes[i].draw.Spend(1, watts);
        for (std::size_t kind = 0; kind < ENERGY_KIND_COUNT; ++kind)
        {
            joules[kind] += watts[kind] * 1e-9L * (until - changes[i].step);
        }
    }
    return joules;
}

/// @param end until when they count [time step]
/// @return energy of all [J]
double
AddUpAll(const std::vector<std::vector<Change>>& models, int64_t end)
{
    long double sum = 0;
    for (const auto& changes : models)
    {
        for (const long double joules : AddUp(changes, end))
        {
            sum += joules;
        }
    }
    return static_cast<double>(sum);
}

class PowerTurnsTest : public SimulatorTest
{
  protected:
    /// @param joules in a battery without a threshold [J]
    /// @return the battery, at a node
    static Ptr<BasicEnergySource>
    MakeSource(double joules)
    {
        auto source = CreateObject<BasicEnergySource>();
        source->SetAttribute("BasicEnergyLowBatteryThreshold", DoubleValue(0));
        source->SetAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(joules));
        source->SetAttribute("PeriodicEnergyUpdateInterval", TimeValue(Hours(1)));
        Give(source);
        return source;
    }

    static void
    Give(Ptr<EnergySource> source)
    {
        auto node = CreateObject<Node>();
        node->AggregateObject(source);
        source->SetNode(node);
    }

    /// @return the model
    static Ptr<TurningModel>
    MakeModel(Ptr<EnergySource> source, const std::vector<Change>& changes)
    {
        auto model = CreateObject<TurningModel>();
        model->SetEnergySource(source);
        source->AppendDeviceEnergyModel(model);
        for (const Change& change : changes)
        {
            At(TimeStep(change.step), [model, draw = change.draw]() { model->Draw(draw); });
        }
        return model;
    }

    /// @param changes until a millisecond after the last of which to run
    static void
    RunAfter(const std::vector<Change>& changes)
    {
        RunFor(TimeStep(changes.back().step) + MilliSeconds(1));
    }
};

TEST_F(PowerTurnsTest, JoulesAreThoseOfEachTurn)
{
    std::mt19937 random(1);
    const auto changes = MakeChanges(random, 3000);
    auto model = MakeModel(MakeSource(1000), changes);
    for (int i = 0; i < 300; ++i)
    {
        const auto step = static_cast<int64_t>(random() % (changes.back().step + 1000000));
        At(TimeStep(step), [model, &changes, step]() {
            const auto expected = AddUp(changes, step);
            const EnergyByKind joules = model->GetEnergyByKindJ();
            for (std::size_t kind = 0; kind < ENERGY_KIND_COUNT; ++kind)
            {
                EXPECT_NEAR(joules[kind], static_cast<double>(expected[kind]), 1e-13) << step;
            }
            EXPECT_NEAR(model->GetTotalEnergyConsumption(), GetTotal(joules), 1e-13);
        });
    }
    RunAfter(changes);
}

TEST_F(PowerTurnsTest, WhoAsksOrListensChangesNothing)
{
    std::mt19937 random(2);
    const auto changes = MakeChanges(random, 2000);
    auto left = MakeModel(MakeSource(1000), changes);
    auto asked = MakeModel(MakeSource(1000), changes);
    double total = 0;
    int told = 0;
    asked->TraceConnectWithoutContext(
        "TotalEnergyConsumption", Callback<void, double, double>([&](double before, double now) {
            EXPECT_EQ(before, total);
            EXPECT_GT(now, before);
            total = now;
            ++told;
        }));
    for (int i = 0; i < 500; ++i)
    {
        const auto step = static_cast<int64_t>(random() % changes.back().step);
        At(TimeStep(step), [asked]() {
            asked->GetEnergyByKindJ();
            asked->GetEnergySource()->UpdateEnergySource();
        });
    }
    RunAfter(changes);
    EXPECT_EQ(left->GetEnergyByKindJ(), asked->GetEnergyByKindJ());
    EXPECT_GT(told, 1000);
}

TEST_F(PowerTurnsTest, EnergyNeverFalls)
{
    std::mt19937 random(3);
    const auto changes = MakeChanges(random, 2000);
    auto model = MakeModel(MakeSource(1000), changes);
    EnergyByKind last{};
    for (const Change& change : changes)
    {
        for (const int64_t step : {change.step, change.step + 1}) // at the change, and between two
        {
            At(TimeStep(step), [&]() {
                const EnergyByKind joules = model->GetEnergyByKindJ();
                for (std::size_t kind = 0; kind < ENERGY_KIND_COUNT; ++kind)
                {
                    EXPECT_GE(joules[kind], last[kind]);
                }
                last = joules;
            });
        }
    }
    RunAfter(changes);
}

TEST_F(PowerTurnsTest, JoulesBesidesAreBooked)
{
    PowerDraw idle;
    idle.Add(EnergyKind::IDLE, 0.25);
    PowerDraw listening;
    listening.Add(EnergyKind::RX, 2);
    auto model =
        MakeModel(MakeSource(1000), {{0, idle}, {1000000000, listening}, {3000000000, idle}});
    At(Seconds(4), [model]() {
        EnergyByKind more{};
        more[static_cast<std::size_t>(EnergyKind::RX)] = -1;
        more[static_cast<std::size_t>(EnergyKind::TX)] = 3;
        model->AddJoules(more, Simulator::Now());
    });
    RunFor(Seconds(5));
    EXPECT_NEAR(model->GetEnergyJ(EnergyKind::IDLE), 0.25 * 3, 1e-12);
    EXPECT_NEAR(model->GetEnergyJ(EnergyKind::RX), 2 * 2 - 1, 1e-12);
    EXPECT_NEAR(model->GetEnergyJ(EnergyKind::TX), 3, 1e-12);
    EXPECT_NEAR(model->GetDepletionWatch()->GetSourceLossJ(), 0.75 + 3 + 3, 2e-9);
}

/// Depletion at the moment at which what is drawn at random adds up to the charge.
class RandomDepletionTest : public PowerTurnsTest, public testing::WithParamInterface<int>
{
};

INSTANTIATE_TEST_SUITE_P(Seeds, RandomDepletionTest, testing::Range(1, 41));

TEST_P(RandomDepletionTest, IsExact)
{
    std::mt19937 random(GetParam());
    const std::size_t count = 1 + GetParam() % 3;
    const double harvestedW = GetParam() % 4 == 3 ? 0.013 : 0;
    std::vector<std::vector<Change>> changes;
    for (std::size_t i = 0; i < count; ++i)
    {
        changes.push_back(MakeChanges(random, 3000));
    }
    const int64_t late =
        std::min_element(changes.begin(),
                         changes.end(),
                         [](auto& a, auto& b) { return a.back().step < b.back().step; })
            ->back()
            .step;
    const int64_t end = late / 4 + static_cast<int64_t>(random() % (late / 2));
    const double charge = AddUpAll(changes, end) - harvestedW * 1e-9 * static_cast<double>(end);
    ASSERT_GT(charge, 0);
    Ptr<BasicEnergySource> source = MakeSource(charge);
    if (harvestedW > 0)
    {
        auto power = CreateObject<ConstantRandomVariable>();
        power->SetAttribute("Constant", DoubleValue(harvestedW));
        auto harvester = CreateObject<BasicEnergyHarvester>();
        harvester->SetAttribute("HarvestablePower", PointerValue(power));
        harvester->SetNode(source->GetNode());
        harvester->SetEnergySource(source);
        source->ConnectEnergyHarvester(harvester);
        harvester->Initialize();
    }
    std::vector<Ptr<TurningModel>> models;
    for (const auto& list : changes)
    {
        models.push_back(MakeModel(source, list));
    }
    models.front()->GetDepletionWatch()->SetAttribute("RechargedFraction", DoubleValue(1));
    RunFor(TimeStep(late));
    // Where nearly nothing is drawn a rounding error of a few nanojoules lasts long
    for (const auto& model : models)
    {
        ASSERT_TRUE(model->IsDepleted());
        EXPECT_EQ(model->offSince, models.front()->offSince);
        const int64_t off = model->offSince.GetTimeStep();
        const double harvestedJ = harvestedW * 1e-9 * static_cast<double>(off);
        EXPECT_NEAR(AddUpAll(changes, off) - harvestedJ, charge, harvestedW > 0 ? 2e-8 : 6e-9);
        EXPECT_LE(AddUpAll(changes, off) - harvestedJ, charge + 1e-9);
    }
    double spentJ = 0;
    for (const auto& model : models)
    {
        spentJ += model->GetTotalEnergyConsumption();
    }
    EXPECT_NEAR(spentJ, AddUpAll(changes, models.front()->offSince.GetTimeStep()), 1e-12);
}

} // namespace
