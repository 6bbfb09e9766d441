/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"

#include "ns3/collab-application.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace
{

/// A number for all
struct Word
{
    static constexpr const char* NAME = "word";
    float value = 0;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(value);
    }
};

/// What is answered with a Word
struct Question
{
    static constexpr const char* NAME = "question";

    template <typename V>
    void
    Fields(V&)
    {
    }
};

/// A device that waits for all that a process can wait for, and writes down what comes of it
class WaitingApplication : public CollaborationApplication
{
  public:
    static TypeId
    GetTypeId()
    {
        static TypeId tid = AddLossPolicy(TypeId("tests::WaitingApplication")
                                              .SetParent<CollaborationApplication>()
                                              .SetGroupName("Collab"),
                                          LossPolicy::RELIABLE);
        return tid;
    }

    /// @return what it does in a round
    std::function<Process(WaitingApplication&)> script;
    std::vector<std::string> said; //!< by it

    using CollaborationApplication::Broadcast;
    using CollaborationApplication::CheckWaits;
    using CollaborationApplication::Compute;
    using CollaborationApplication::Deliver;
    using CollaborationApplication::DrawDelay;
    using CollaborationApplication::GetInbox;
    using CollaborationApplication::GetTransport;
    using CollaborationApplication::Hear;
    using CollaborationApplication::Send;
    using CollaborationApplication::Spawn;
    using CollaborationApplication::WaitUntil;

    void
    Say(const std::string& what)
    {
        said.push_back(std::to_string(Simulator::Now().GetMilliSeconds()) + " " + what);
    }

  protected:
    void
    DoStart() override
    {
        Listen<Word>();
        On<Question>([this](const Received<Question>& question) {
            if (question.sequence > 2)
            {
                throw PayloadError("enough of this");
            }
            Send(question.sender, Word{42}, std::nullopt, question.round);
        });
    }

    Process
    Round() override
    {
        return script(*this);
    }
};

/// Says what it was doing when it is destroyed
struct Guard
{
    WaitingApplication& application;
    std::string name;

    Guard(WaitingApplication& theApplication, std::string theName)
        : application(theApplication),
          name(std::move(theName))
    {
    }

    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    ~Guard()
    {
        application.Say("~" + name);
    }
};

class ProtocolApplicationTest : public tests::DeviceNetwork
{
  protected:
    void
    Install(const std::vector<std::function<Process(WaitingApplication&)>>& scripts,
            uint32_t rounds = 1,
            double outage = 0)
    {
        Options options;
        options.devices = static_cast<uint32_t>(scripts.size());
        options.outage = outage;
        MakeDevices(options);
        MakePool();
        m_scripted.clear();
        for (uint32_t i = 0; i < scripts.size(); ++i)
        {
            auto application = CreateObject<WaitingApplication>();
            application->SetAttribute("Rounds", UintegerValue(rounds));
            application->SetLearnerPool(m_pool);
            application->script = scripts[i];
            m_nodes.Get(i)->AddApplication(application);
            m_applications.Add(application);
            m_scripted.push_back(application);
        }
        Watch(m_applications);
    }

    std::vector<Ptr<WaitingApplication>> m_scripted; //!< of all devices
};

Process
TellAndHear(WaitingApplication& self)
{
    self.Broadcast(Word{static_cast<float>(10 * self.GetRound() + self.GetDeviceId())});
    const auto heard =
        co_await self.Hear<Word>(self.GetTransport()->GetNeighbors(), MilliSeconds(500));
    std::string text = "heard";
    for (const auto& [device, word] : heard)
    {
        text += " " + std::to_string(static_cast<int>(word->value));
    }
    self.said.push_back(text);
}

} // namespace

TEST_F(ProtocolApplicationTest, HearsWhatAllSayInARound)
{
    const auto late = [](WaitingApplication& self) -> Process {
        if (self.GetRound() == 0)
        {
            co_await Delay(MilliSeconds(100)); // the others' words of round 0 are early
        }
        co_await TellAndHear(self);
    };
    Install({TellAndHear, TellAndHear, late}, 2);
    Run();
    EXPECT_THAT(m_scripted[0]->said, ElementsAre("heard 1 2", "heard 11 12"));
    EXPECT_THAT(m_scripted[2]->said, ElementsAre("heard 0 1", "heard 10 11"));
    EXPECT_THAT(MetricOf(1, "messages_heard"), ElementsAre(2, 2));
    EXPECT_THAT(MetricOf(1, "messages_expected"), ElementsAre(2, 2));
}

TEST_F(ProtocolApplicationTest, AWaitForWordsEndsWithItsTime)
{
    const auto mute = [](WaitingApplication&) -> Process { co_await Delay(Seconds(2)); };
    const auto late = [](WaitingApplication& self) -> Process {
        co_await Delay(Seconds(1));
        self.Broadcast(Word{7}, std::nullopt, 0);
        co_await Delay(Seconds(1));
    };
    Install({TellAndHear, mute, late}, 2);
    Run();
    EXPECT_THAT(m_scripted[0]->said, ElementsAre("heard", "heard")) << "what is late counts not";
    EXPECT_EQ(m_rounds.at(0).end, MilliSeconds(500));
    EXPECT_THAT(MetricOf(0, "messages_heard"), ElementsAre(0, 0));
    EXPECT_THAT(MetricOf(0, "messages_expected"), ElementsAre(2, 2));
}

TEST_F(ProtocolApplicationTest, NobodyWaitsForAWordThatWasRefusedOrIsPast)
{
    const auto liar = [](WaitingApplication& self) -> Process {
        self.Broadcast(Word{NAN});
        co_await Delay(Seconds(1));
    };
    const auto ahead = [](WaitingApplication& self) -> Process {
        self.Broadcast(Word{5}, std::nullopt, 1); // its word of round 0 is lost for good
        self.Broadcast(Word{6}, std::nullopt, 2); // a round that there is not
        co_await Delay(Seconds(1));
    };
    Install({TellAndHear, liar, ahead}, 2);
    Run();
    EXPECT_THAT(m_scripted[0]->said[0], "heard");
    EXPECT_LT(m_rounds.at(0).end, MilliSeconds(100));
    EXPECT_THAT(GetReasons(), testing::Contains("a round that this run does not have"));
    EXPECT_THAT(GetReasons(), testing::Contains("nan is not finite"));
}

TEST_F(ProtocolApplicationTest, OfPastRoundsTheNewestMessageOfEachDeviceIsKept)
{
    constexpr uint32_t ROUNDS = 6;
    Install({TellAndHear, TellAndHear, TellAndHear}, ROUNDS);
    Run();
    const auto& kept = m_scripted[0]->GetInbox<Word>().GetAll();
    ASSERT_EQ(kept.size(), 2);
    for (const auto& [device, words] : kept)
    {
        EXPECT_LE(words.size(), 2) << "of device " << device;
        EXPECT_EQ(words.rbegin()->first, ROUNDS - 1);
    }
}

TEST_F(ProtocolApplicationTest, DelaysAreTheDevicesOwnAndThoseOfTheRun)
{
    const auto mute = [](WaitingApplication&) -> Process { co_await Delay(Seconds(1)); };
    const auto draw = [&](uint32_t device, uint32_t run, bool drawsBefore) {
        Install({mute, mute});
        RngSeedManager::SetRun(run);
        if (drawsBefore) // by something else
        {
            CreateObject<UniformRandomVariable>()->GetValue();
        }
        return m_scripted[device]->DrawDelay(1);
    };
    EXPECT_EQ(draw(0, 1, false), draw(0, 1, true));
    EXPECT_NE(draw(0, 1, false), draw(1, 1, false));
    EXPECT_NE(draw(0, 1, false), draw(0, 2, false));
}

TEST_F(ProtocolApplicationTest, QuestionsAreAnsweredWhateverTheDeviceWaitsFor)
{
    const auto ask = [](WaitingApplication& self) -> Process {
        for (int i = 0; i < 2; ++i)
        {
            self.Send(1, Question());
        }
        const std::vector<uint32_t> one(1, 1);
        const auto heard = co_await self.Hear<Word>(one, Seconds(1));
        self.Say(std::to_string(heard.size()) + " answers");
        self.Send(1, Question());
        co_await Delay(Seconds(1));
    };
    const auto busy = [](WaitingApplication& self) -> Process {
        const auto nothing = []() { return 0; };
        co_await self.Compute("job", 6000000000, nothing);
    };
    Install({ask, busy});
    Run();
    EXPECT_THAT(m_scripted[0]->said, testing::Contains(testing::HasSubstr(" 1 answers")));
    EXPECT_THAT(GetReasons(), ElementsAre("enough of this"));
    EXPECT_EQ(m_refusals.at(0).device, Id(1));
}

TEST_F(ProtocolApplicationTest, ADeliverySaysWhetherItIsAcknowledged)
{
    for (const double outage : {0.0, 1.0})
    {
        const auto send = [](WaitingApplication& self) -> Process {
            const bool isThere = co_await self.Deliver(1, Word{1});
            self.said.emplace_back(isThere ? "there" : "given up");
        };
        const auto mute = [](WaitingApplication&) -> Process { co_await Delay(Seconds(9)); };
        Install({send, mute}, 1, outage);
        Run();
        EXPECT_THAT(m_scripted[0]->said, ElementsAre(outage > 0 ? "given up" : "there"));
    }
}

TEST_F(ProtocolApplicationTest, ADeviceThatGoesOffEndsWhatItWaitsFor)
{
    const auto everything = [](WaitingApplication& self) -> Process {
        const Guard round(self, "round");
        const auto nothing = []() { return 0; };
        const auto wait = [](WaitingApplication& one, std::string name, int ms) -> Process {
            const Guard guard(one, name);
            co_await Delay(MilliSeconds(ms));
        };
        self.Spawn(wait(self, "spawned", 100000));
        co_await Delay(MilliSeconds(1000));                                // 0 to 1
        co_await self.Compute("job", 6000000000, nothing);                 // to 2
        co_await self.Hear<Word>(std::vector<uint32_t>(1, 1), Seconds(1)); // to 3
        co_await self.WaitUntil([]() { return false; }, Seconds(1));       // to 4
        co_await AllOf(wait(self, "a", 1000), wait(self, "b", 500));       // to 5
        co_await AnyOf(wait(self, "c", 1000), wait(self, "d", 3000));      // to 6
        co_await wait(self, "e", 1000);                                    // to 7
    };
    const auto mute = [](WaitingApplication&) -> Process { co_await Delay(Seconds(20)); };
    std::vector<std::string> inner = {"", "", "", "", "~a", "~c", "~e"};
    for (int ms = 50; ms < 7000; ms += 100)
    {
        Install({everything, mute});
        Crash(0, MilliSeconds(ms));
        Run();
        const auto& said = m_scripted[0]->said;
        const std::string now = std::to_string(ms) + " ";
        EXPECT_EQ(said.back(), now + "~spawned");
        EXPECT_EQ(said.at(said.size() - 2), now + "~round");
        const std::string& last = inner[static_cast<std::size_t>(ms / 1000)];
        if (!last.empty())
        {
            EXPECT_THAT(said, testing::Contains(now + last)) << ms;
        }
        EXPECT_FALSE(GetProcessor(0)->IsBusy());
        EXPECT_FALSE(m_ends.at(Id(0)));
    }
}

TEST_F(ProtocolApplicationTest, AJobThatNobodyWaitsForAnyMoreIsDropped)
{
    const auto give = [](WaitingApplication& self) -> Process {
        const auto job = [](WaitingApplication& one) -> Process {
            const auto nothing = []() { return 0; };
            co_await one.Compute("job", 12000000000, nothing); // two seconds
        };
        const auto patience = []() -> Process { co_await Delay(MilliSeconds(500)); };
        const std::size_t first = co_await AnyOf(job(self), patience());
        self.Say(std::to_string(first));
        const auto seven = []() { return 7; };
        self.Say(std::to_string(co_await self.Compute("next", 6000000000, seven)));
    };
    Install({give});
    Run();
    EXPECT_THAT(m_scripted[0]->said, ElementsAre("500 1", "1500 7"));
    EXPECT_EQ(GetProcessor(0)->GetStateDuration(ProcessorState::BUSY), MilliSeconds(1500));
}
