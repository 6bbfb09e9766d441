/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-rank-group.h"

#include "collab-rank-archive.h"
#include "collab-rank-link.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-number.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param name name of an environment variable
/// @return the number in it; nothing if there is none
std::optional<uint32_t>
ReadVariable(const char* name)
{
    const char* text = std::getenv(name);
    return text ? ParseWholeNumber<uint32_t>(text) : std::nullopt;
}

/// @return the group of this process
std::shared_ptr<RankGroup>&
GetGroup()
{
    static std::shared_ptr<RankGroup> group;
    return group;
}

} // namespace

std::optional<RankPlace>
FindRankPlace()
{
    const char* choice = std::getenv("COLLAB_RANKS");
    if (choice && std::string(choice) == "off")
    {
        return std::nullopt;
    }
    RankPlace place;
    // Of Open MPI's mpirun; of srun --mpi=pmi2 and MPICH's; of any srun
    for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                     std::pair{"PMI_RANK", "PMI_SIZE"},
                                     std::pair{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}})
    {
        const auto count = ReadVariable(size);
        if (count && *count > 1)
        {
            place.rank = ReadVariable(rank).value_or(0);
            place.size = *count;
            break;
        }
    }
    if (place.size == 0)
    {
        return std::nullopt;
    }
    place.isConnected = ReadVariable("OMPI_COMM_WORLD_SIZE") || ReadVariable("PMI_SIZE") ||
                        std::getenv("PMIX_RANK");
    return place;
}

/// A process that computes
struct RankGroup::Worker
{
    std::mutex access;   //!< requests are sent in the order in which they were written
    RankShelf shelf;     //!< what it has
    RankTraffic traffic; //!< so far
};

/// What is known of the others
struct RankGroup::State
{
    RankDigests digests;                          //!< of what is sent
    std::vector<std::unique_ptr<Worker>> workers; //!< from rank 1 on
    std::atomic<uint32_t> learners{0};            //!< numbers taken
    std::atomic<uint32_t> turn{0};                //!< of ChooseRank()
};

RankGroup::RankGroup(std::unique_ptr<RankLink> link)
    : m_link(std::move(link)),
      m_state(std::make_unique<State>())
{
    for (uint32_t rank = 1; rank < m_link->GetSize(); ++rank)
    {
        m_state->workers.push_back(std::make_unique<Worker>());
        m_state->workers.back()->traffic.host = m_link->GetHost(rank);
    }
}

RankGroup::~RankGroup() = default;

uint32_t
RankGroup::CountWorkers() const
{
    return static_cast<uint32_t>(m_state->workers.size());
}

uint32_t
RankGroup::ChooseRank()
{
    return 1 + m_state->turn++ % CountWorkers();
}

uint32_t
RankGroup::TakeNumber()
{
    return m_state->learners++;
}

std::future<std::string>
RankGroup::Ask(uint32_t rank, const std::function<void(RankWriter&)>& write, bool isTraining)
{
    Worker& worker = *m_state->workers.at(rank - 1);
    const std::lock_guard<std::mutex> lock(worker.access);
    RankWriter request(worker.shelf, m_state->digests);
    write(request);
    std::string bytes = request.Take();
    worker.traffic.data += request.CountData();
    worker.traffic.sent += bytes.size() - request.CountData();
    worker.traffic.trainings += isTraining ? 1 : 0;
    ++worker.traffic.requests;
    return m_link->Ask(rank, std::move(bytes));
}

void
RankGroup::CountAnswer(uint32_t rank, std::size_t bytes)
{
    Worker& worker = *m_state->workers.at(rank - 1);
    const std::lock_guard<std::mutex> lock(worker.access);
    worker.traffic.received += bytes;
}

std::vector<RankTraffic>
RankGroup::GetTraffic() const
{
    std::vector<RankTraffic> all;
    for (const auto& worker : m_state->workers)
    {
        const std::lock_guard<std::mutex> lock(worker->access);
        all.push_back(worker->traffic);
    }
    return all;
}

void
RankGroup::End()
{
    m_link->End();
}

std::shared_ptr<RankGroup>
GetRankGroup()
{
    return GetGroup();
}

void
SetRankGroup(std::shared_ptr<RankGroup> group)
{
    GetGroup() = std::move(group);
}

std::unique_ptr<RankLink>
OpenRankLink()
{
    Dl_info self{};
    dladdr(reinterpret_cast<const void*>(&FindRankPlace), &self);
    const auto file = std::filesystem::path(self.dli_fname ? self.dli_fname : "").parent_path() /
                      "libns3-collab-mpi.so";
    // Parts of MPI that it loads itself look for its symbols among those of the process
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* make = library ? dlsym(library, "CollabOpenMpiLink") : nullptr;
    const char* reason = std::filesystem::exists(file) ? dlerror() : nullptr;
    Require<UserError>(make,
                       "several processes are started by mpirun or srun, but this program is "
                       "built without MPI{} (Debian: libboost-mpi-dev libopenmpi-dev, then build "
                       "again); with the environment variable COLLAB_RANKS=off each process plays "
                       "a run of its own",
                       reason ? std::string(": ") + reason : "");
    return std::unique_ptr<RankLink>(reinterpret_cast<RankLink* (*)()>(make)());
}

} // namespace ns3::collab
