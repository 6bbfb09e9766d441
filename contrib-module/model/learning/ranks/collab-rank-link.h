/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_LINK_H
#define COLLAB_RANK_LINK_H

#include <cstdint>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief A process of the run is gone; what() names its rank and host.
class RankError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @ingroup collab-learning
 * @brief Carries requests from rank 0 of a run to its other processes, and answers back.
 *
 * Requests to a rank arrive in the order of the calls of Ask().
 */
class RankLink
{
  public:
    /// Makes an answer of a request
    using Answer = std::function<std::string(std::string request)>;

    virtual ~RankLink() = default;

    /// @return rank of this process
    virtual uint32_t GetRank() const = 0;
    /// @return number of processes
    virtual uint32_t GetSize() const = 0;
    /// @param rank rank of a process
    /// @return name of the machine that it runs on
    virtual std::string GetHost(uint32_t rank) const = 0;

    /// @brief At rank 0: send a request. Any thread may call it.
    /// @param rank receiver
    /// @param request any bytes
    /// @return the answer, or a RankError
    virtual std::future<std::string> Ask(uint32_t rank, std::string request) = 0;
    /// @brief At all other ranks: answer requests until rank 0 ends.
    /// @param answer called by this thread for each request, in their order
    virtual void Serve(const Answer& answer) = 0;
    /// @brief Leave: at rank 0 all others end too.
    virtual void End() = 0;
};

} // namespace ns3::collab

#endif /* COLLAB_RANK_LINK_H */
