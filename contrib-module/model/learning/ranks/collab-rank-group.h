/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_GROUP_H
#define COLLAB_RANK_GROUP_H

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

class RankLink;
class RankWriter;

/// @ingroup collab-learning
/// @brief One of several processes that mpirun or srun has started.
struct RankPlace
{
    uint32_t rank = 0; //!< of the process, from 0
    uint32_t size = 0; //!< number of processes
    /// whether the processes can find each other; srun --mpi=none leaves them alone
    bool isConnected = true;
};

/// @ingroup collab-learning
/// @brief Find out by environment variables whether this process is one of several.
/// @return its place; nothing if it is alone, or COLLAB_RANKS is "off"
std::optional<RankPlace> FindRankPlace();

/// @ingroup collab-learning
/// @brief What was sent between rank 0 and another one.
struct RankTraffic
{
    std::string host;       //!< name of the other's machine
    uint64_t trainings = 0; //!< training jobs
    uint64_t requests = 0;  //!< those and all others
    uint64_t data = 0;      //!< data sets sent to it [byte]
    uint64_t sent = 0;      //!< all else sent to it [byte]
    uint64_t received = 0;  //!< from it [byte]
};

/**
 * @ingroup collab-learning
 * @brief The processes of a run, as rank 0 sees them: all others compute for it.
 */
class RankGroup
{
  public:
    /// @param link of this process, which is rank 0
    explicit RankGroup(std::unique_ptr<RankLink> link);
    ~RankGroup();

    /// @return number of the other processes
    uint32_t CountWorkers() const;
    /// @return rank of the next learner, by turns
    uint32_t ChooseRank();
    /// @return number of the next learner
    uint32_t TakeNumber();

    /// @brief Send a request. Any thread may call it.
    /// @param rank receiver
    /// @param write writes the request
    /// @param isTraining whether it is a training job
    /// @return the answer
    std::future<std::string> Ask(uint32_t rank,
                                 const std::function<void(RankWriter&)>& write,
                                 bool isTraining = false);
    /// @brief Take note of an answer.
    /// @param rank sender
    /// @param bytes size of it [byte]
    void CountAnswer(uint32_t rank, std::size_t bytes);

    /// @return what was sent so far, rank by rank from 1 on
    std::vector<RankTraffic> GetTraffic() const;
    /// @brief End the other processes.
    void End();

  private:
    struct Worker;
    struct State;

    std::unique_ptr<RankLink> m_link; //!< to the others
    std::unique_ptr<State> m_state;   //!< what is known of them
};

/// @ingroup collab-learning
/// @return the processes of this run if they have joined and this one is rank 0; else null
std::shared_ptr<RankGroup> GetRankGroup();

/// @ingroup collab-learning
/// @brief Join the processes of this run, or let them end.
/// @param group group of this process; null for none
void SetRankGroup(std::shared_ptr<RankGroup> group);

/// @ingroup collab-learning
/// @return a link between the processes that mpirun or srun has started
/// @throws UserError if the module was built without MPI
std::unique_ptr<RankLink> OpenRankLink();

} // namespace ns3::collab

#endif /* COLLAB_RANK_GROUP_H */
