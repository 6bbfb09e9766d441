/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-rank-session.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-rank-group.h"
#include "ns3/collab-rank-link.h"
#include "ns3/collab-rank-service.h"
#include "ns3/log.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabRanks");

namespace
{

/// @param rank rank of another process
/// @param traffic what was sent between rank 0 and this one
void
LogTraffic(uint32_t rank, const RankTraffic& traffic)
{
    const uint64_t trainings = std::max<uint64_t>(traffic.trainings, 1);
    NS_LOG_INFO("rank " << rank << " on " << traffic.host << ": " << traffic.data
                        << " bytes of data sets; " << traffic.trainings << " training jobs and "
                        << traffic.requests - traffic.trainings << " other requests with "
                        << traffic.sent << " bytes to it and " << traffic.received
                        << " back, per training job " << traffic.sent / trainings << " and "
                        << traffic.received / trainings);
}

/// @brief Say at rank 0 why the program ends; others wait until it has, as mpirun ends all with the
/// first that fails.
/// @param rank of this process
/// @param text the line
void
TellReason(uint32_t rank, const std::string& text)
{
    if (rank == 0)
    {
        std::cerr << text << std::endl;
    }
    else
    {
        std::this_thread::sleep_for(std::chrono::seconds(5));
    }
}

/// End the other processes, if that was not done
void
LeaveRanks()
{
    const auto group = GetRankGroup();
    if (!group)
    {
        return;
    }
    SetRankGroup(nullptr);
    const auto all = group->GetTraffic();
    for (uint32_t i = 0; i < all.size(); ++i)
    {
        LogTraffic(i + 1, all[i]);
    }
    group->End();
}

} // namespace

RankSession::RankSession(const std::string& program)
{
    try
    {
        m_status = Join();
    }
    catch (const std::exception& error)
    {
        TellReason(FindRankPlace()->rank, program + ": " + error.what());
        m_status = dynamic_cast<const UserError*>(&error) ? 2 : EXIT_FAILURE;
    }
}

RankSession::~RankSession()
{
    LeaveRanks();
}

std::optional<int>
RankSession::Join()
{
    const auto place = FindRankPlace();
    if (!place)
    {
        return std::nullopt;
    }
    Require<UserError>(place->isConnected,
                       "srun has started {} processes that cannot find each other; give srun "
                       "--mpi=pmix, or with the environment variable COLLAB_RANKS=off each plays "
                       "a run of its own",
                       place->size);
    auto link = OpenRankLink();
    Require<UserError>(link->GetSize() == place->size,
                       "{} processes are started, but MPI sees {}; start them by the mpirun of the "
                       "MPI that this program is built with, or by srun --mpi=pmix",
                       place->size,
                       link->GetSize());
    if (link->GetRank() == 0)
    {
        SetRankGroup(std::make_shared<RankGroup>(std::move(link)));
        std::atexit(LeaveRanks); // --help, for one, ends the program from within
        return std::nullopt;
    }
    RankService service;
    link->Serve([&service](std::string request) { return service.Answer(std::move(request)); });
    link->End();
    return EXIT_SUCCESS;
}

std::optional<int>
RankSession::GetStatus() const
{
    return m_status;
}

bool
RankSession::HasRanks()
{
    return GetRankGroup() != nullptr;
}

bool
RankSession::RefusesSeveral(const std::string& program)
{
    const auto place = FindRankPlace();
    if (!place || HasRanks())
    {
        return false;
    }
    TellReason(place->rank,
               program + ": mpirun or srun has started " + std::to_string(place->size) +
                   " processes, but only scenarios share a run among processes; with the "
                   "environment variable COLLAB_RANKS=off each plays a run of its own");
    return true;
}

} // namespace ns3::collab
