/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-learner-pool.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <atomic>
#include <chrono>
#include <future>
#include <gmock/gmock.h>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;

namespace
{

class LearnerPoolTest : public ::testing::TestWithParam<uint32_t>
{
  protected:
    void
    SetUp() override
    {
        m_pool = CreateObjectWithAttributes<LearnerPool>("Threads", UintegerValue(GetParam()));
    }

    void
    TearDown() override
    {
        m_pool->Dispose();
        Simulator::Destroy();
    }

    Ptr<LearnerPool> m_pool;
};

} // namespace

TEST_P(LearnerPoolTest, EndsJobsInSimulatedTimeWhateverTheHostTakes)
{
    std::vector<std::pair<int, int64_t>> ends;
    const auto submit = [&](int job, Time duration, int hostMilliseconds) {
        m_pool->Submit(
            duration,
            [hostMilliseconds]() {
                std::this_thread::sleep_for(std::chrono::milliseconds(hostMilliseconds));
            },
            [&ends, job]() { ends.emplace_back(job, Simulator::Now().GetMilliSeconds()); });
    };
    submit(0, MilliSeconds(30), 0);
    submit(1, MilliSeconds(10), 40);
    submit(2, MilliSeconds(20), 1);
    Simulator::Run();
    EXPECT_THAT(ends,
                ElementsAre(std::make_pair(1, int64_t{10}),
                            std::make_pair(2, int64_t{20}),
                            std::make_pair(0, int64_t{30})));
}

TEST_P(LearnerPoolTest, WorkIsDoneBeforeItsEnd)
{
    int value = 0;
    int seen = 0;
    m_pool->Submit(
        NanoSeconds(1),
        [&value]() {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            value = 42;
        },
        [&]() { seen = value; });
    Simulator::Run();
    EXPECT_EQ(seen, 42);
}

TEST_P(LearnerPoolTest, WhatAJobHasReadIsGoneWhenItIsDone)
{
    auto model = std::make_shared<int>(1);
    const std::weak_ptr<int> watched = model;
    const LearnerJob job = m_pool->Submit(
        Seconds(1), [model = std::move(model)]() {}, []() {});
    job.computed.wait();
    EXPECT_TRUE(watched.expired()) << "though the job is still known";
    Simulator::Run();
}

TEST_P(LearnerPoolTest, ThrowsAJobsExceptionAtItsEnd)
{
    bool done = false;
    m_pool->Submit(
        Seconds(1), []() { throw std::runtime_error("shape"); }, [&done]() { done = true; });
    EXPECT_THROW(Simulator::Run(), std::runtime_error);
    EXPECT_FALSE(done);
    EXPECT_EQ(Simulator::Now(), Seconds(1));
}

TEST_P(LearnerPoolTest, CanceledJobsTellNobody)
{
    bool done = false;
    const LearnerJob job = m_pool->Submit(
        Seconds(1), []() {}, [&done]() { done = true; });
    Simulator::Schedule(MilliSeconds(500), [end = job.end]() mutable { end.Cancel(); });
    Simulator::Run();
    EXPECT_FALSE(done);
}

TEST_P(LearnerPoolTest, InitializesEachThreadOnceBeforeItsFirstJob)
{
    std::atomic<int> initialized{0};
    std::atomic<int> before{0};
    m_pool->SetThreadInitializer([&initialized]() { ++initialized; });
    for (int i = 0; i < 20; ++i)
    {
        m_pool->Submit(
            Seconds(1), [&]() { before += initialized > 0 ? 1 : 0; }, []() {});
    }
    Simulator::Run();
    EXPECT_EQ(before, 20);
    EXPECT_GE(initialized, 1);
    EXPECT_LE(initialized, static_cast<int>(GetParam()));
}

TEST_P(LearnerPoolTest, DisposingDoesNotWaitForEvents)
{
    m_pool->Submit(
        Seconds(1), []() {}, []() { FAIL() << "the simulation never ran"; });
    m_pool->Dispose();
}

TEST_P(LearnerPoolTest, JobsThatAreDroppedWithThePoolAreOver)
{
    std::vector<LearnerJob> jobs;
    for (uint32_t i = 0; i < 4 * GetParam(); ++i) // more than there are threads: some never begin
    {
        jobs.push_back(m_pool->Submit(
            Seconds(1),
            []() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); },
            []() { FAIL() << "the simulation never ran"; }));
    }
    m_pool->Dispose();
    for (const auto& job : jobs)
    {
        EXPECT_EQ(job.computed.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, LearnerPoolTest, ::testing::Values(1, 2, 4));
