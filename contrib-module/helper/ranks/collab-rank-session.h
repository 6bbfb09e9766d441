/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_SESSION_H
#define COLLAB_RANK_SESSION_H

#include <optional>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief The part of this process in a run that mpirun or srun has started as several processes.
 *
 * Rank 0 plays the run. Learners live at the other ranks, which write and print nothing. A process
 * that was started alone does not load MPI.
 */
class RankSession
{
  public:
    /// @brief Join the other processes. At all ranks but 0 this takes until rank 0 has ended.
    /// @param program name in errors
    explicit RankSession(const std::string& program);
    /// Leave; after rank 0 all others end too
    ~RankSession();

    RankSession(const RankSession&) = delete;
    RankSession& operator=(const RankSession&) = delete;

    /// @return the exit status of a process that has nothing to play; nothing for others
    std::optional<int> GetStatus() const;
    /// @return whether there are other processes
    static bool HasRanks();
    /// @brief Refuse to play as one of several processes that know nothing of each other.
    /// @param program name in the error, which rank 0 prints
    /// @return whether this is one
    static bool RefusesSeveral(const std::string& program);

  private:
    /// @brief Join, or serve.
    /// @return see GetStatus()
    static std::optional<int> Join();

    std::optional<int> m_status; //!< see GetStatus()
};

} // namespace ns3::collab

#endif /* COLLAB_RANK_SESSION_H */
