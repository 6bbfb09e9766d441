/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The library that is loaded if mpirun or srun has started several processes: all that uses MPI.

#include "collab-rank-link.h"

#include <algorithm>
#include <atomic>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace
{

namespace mpi = boost::mpi;
using ns3::collab::RankError;
using Clock = std::chrono::steady_clock;

/// What a message is: its tag
enum Tag : int
{
    REQUEST = 1, //!< ends with its number
    ANSWER,      //!< ends with the number of the request
    BEAT,        //!< the sender is alive
    END,         //!< the run is over
};

constexpr std::chrono::seconds BEAT_INTERVAL(1);
constexpr std::chrono::microseconds SHORTEST_NAP(20);  //!< between two looks for messages
constexpr std::chrono::microseconds LONGEST_NAP(1000); //!< dto.

/// @return how long a rank may be silent until it counts as gone
std::chrono::duration<double>
ReadPatience()
{
    const char* text = std::getenv("COLLAB_RANK_PATIENCE");
    const double given = text ? std::atof(text) : 0;
    return std::chrono::duration<double>(given > 0 ? given : 30);
}

/// @param number number of a request
/// @param[in,out] bytes message to which it is appended
void
AddNumber(uint64_t number, std::string& bytes)
{
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

/// @param[in,out] bytes message from which the number is taken
/// @return the number
uint64_t
TakeNumber(std::string& bytes)
{
    uint64_t number = 0;
    const std::size_t begin = bytes.size() - sizeof(number);
    std::memcpy(&number, bytes.data() + begin, sizeof(number));
    bytes.resize(begin);
    return number;
}

/**
 * Messages by MPI. One thread makes all calls of MPI but those of the beginning and the end, and
 * sleeps between two looks for messages: MPI's own waits would keep a core busy.
 */
class MpiLink : public ns3::collab::RankLink
{
  public:
    MpiLink()
        : m_environment(mpi::threading::serialized, false),
          m_rank(static_cast<uint32_t>(m_world.rank())),
          m_size(static_cast<uint32_t>(m_world.size())),
          m_silence(m_size)
    {
        mpi::all_gather(m_world, mpi::environment::processor_name(), m_hosts);
        m_thread = std::thread([this]() { Run(); });
    }

    ~MpiLink() override
    {
        End();
    }

    MpiLink(const MpiLink&) = delete;
    MpiLink& operator=(const MpiLink&) = delete;

    uint32_t
    GetRank() const override
    {
        return m_rank;
    }

    uint32_t
    GetSize() const override
    {
        return m_size;
    }

    std::string
    GetHost(uint32_t rank) const override
    {
        return m_hosts.at(rank);
    }

    std::future<std::string>
    Ask(uint32_t rank, std::string request) override
    {
        std::promise<std::string> promise;
        auto answer = promise.get_future();
        {
            const std::lock_guard<std::mutex> lock(m_access);
            if (!m_fault.empty())
            {
                throw RankError(m_fault);
            }
            const uint64_t number = m_next++;
            AddNumber(number, request);
            m_asked.emplace(number, std::move(promise));
            Queue(rank, REQUEST, std::move(request));
        }
        m_wake.notify_all();
        return answer;
    }

    void
    Serve(const Answer& answer) override
    {
        while (true)
        {
            std::string request;
            {
                std::unique_lock<std::mutex> lock(m_access);
                m_wake.wait(lock, [this]() { return m_isOver || !m_requests.empty(); });
                if (m_isOver)
                {
                    return;
                }
                request = std::move(m_requests.front());
                m_requests.pop_front();
            }
            const uint64_t number = TakeNumber(request);
            std::string bytes = answer(std::move(request));
            AddNumber(number, bytes);
            {
                const std::lock_guard<std::mutex> lock(m_access);
                Queue(0, ANSWER, std::move(bytes));
            }
            m_wake.notify_all();
        }
    }

    void
    End() override
    {
        if (!m_thread.joinable())
        {
            return;
        }
        {
            const std::lock_guard<std::mutex> lock(m_access);
            for (uint32_t rank = 1; m_rank == 0 && rank < m_size; ++rank)
            {
                Queue(rank, END, "");
            }
            m_isOver = true;
        }
        m_wake.notify_all();
        m_thread.join();
        if (!m_fault.empty()) // MPI would wait for the one that is gone
        {
            std::cout.flush();
            std::cerr.flush();
            m_world.abort(EXIT_FAILURE);
        }
    }

  private:
    /// A message on its way
    struct Sending
    {
        std::string bytes;    //!< the message
        mpi::request request; //!< tells whether they are needed any more
    };

    /// A message to be sent
    struct Queued
    {
        uint32_t rank;     //!< receiver
        Tag tag;           //!< what it is
        std::string bytes; //!< the message
    };

    /// @param rank receiver
    /// @param tag what it is
    /// @param bytes the message
    /// @throws std::length_error if it is longer than MPI allows
    void
    Queue(uint32_t rank, Tag tag, std::string bytes)
    {
        if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        {
            throw std::length_error(
                fmt::format("{} bytes for rank {}, MPI sends 2 GiB at a time", bytes.size(), rank));
        }
        m_queue.push_back({rank, tag, std::move(bytes)});
    }

    /// The thread that calls MPI
    void
    Run()
    {
        auto nap = SHORTEST_NAP;
        auto last = Clock::now();
        auto nextBeat = last;
        while (true)
        {
            try
            {
                const auto now = Clock::now();
                if (now >= nextBeat)
                {
                    Beat();
                    nextBeat = now + BEAT_INTERVAL;
                }
                const bool hasSent = Send();
                const bool hasReceived = Receive();
                Watch(std::min<Clock::duration>(now - last, BEAT_INTERVAL));
                last = now;
                nap = hasSent || hasReceived ? SHORTEST_NAP : std::min(2 * nap, LONGEST_NAP);
            }
            catch (const std::exception& error)
            {
                Fail(fmt::format("MPI: {}", error.what()));
            }
            std::unique_lock<std::mutex> lock(m_access);
            const bool isIdle = m_queue.empty() && m_sending.empty();
            if (m_isOver && (isIdle || !m_fault.empty()))
            {
                return;
            }
            m_wake.wait_for(lock, m_sending.empty() ? nap : SHORTEST_NAP, [this]() {
                return m_isOver || !m_queue.empty();
            });
        }
    }

    /// Let the others know that this process lives
    void
    Beat()
    {
        const std::lock_guard<std::mutex> lock(m_access);
        for (uint32_t rank = m_rank == 0 ? 1 : 0; rank < (m_rank == 0 ? m_size : 1); ++rank)
        {
            Queue(rank, BEAT, "");
        }
    }

    /// @return whether messages were sent
    bool
    Send()
    {
        std::deque<Queued> queue;
        {
            const std::lock_guard<std::mutex> lock(m_access);
            queue.swap(m_queue);
        }
        for (Queued& message : queue)
        {
            m_sending.push_back({std::move(message.bytes), {}});
            Sending& sending = m_sending.back();
            sending.request = m_world.isend(static_cast<int>(message.rank),
                                            message.tag,
                                            sending.bytes.data(),
                                            static_cast<int>(sending.bytes.size()));
        }
        m_sending.remove_if([](Sending& sending) { return sending.request.test().has_value(); });
        return !queue.empty();
    }

    /// @return whether messages were there
    bool
    Receive()
    {
        bool isAny = false;
        while (const auto found = m_world.iprobe(mpi::any_source, mpi::any_tag))
        {
            std::string bytes(static_cast<std::size_t>(found->count<char>().value_or(0)), '\0');
            m_world.recv(
                found->source(), found->tag(), bytes.data(), static_cast<int>(bytes.size()));
            m_silence[static_cast<std::size_t>(found->source())] = {};
            isAny = isAny || found->tag() != BEAT;
            Take(static_cast<Tag>(found->tag()), std::move(bytes));
        }
        return isAny;
    }

    /// @param tag what it is
    /// @param bytes a message
    void
    Take(Tag tag, std::string bytes)
    {
        const std::lock_guard<std::mutex> lock(m_access);
        if (tag == REQUEST)
        {
            m_requests.push_back(std::move(bytes));
        }
        else if (tag == ANSWER)
        {
            const auto asked = m_asked.find(TakeNumber(bytes));
            if (asked != m_asked.end()) // else it was given up with all others; see Fail()
            {
                asked->second.set_value(std::move(bytes));
                m_asked.erase(asked);
            }
        }
        else if (tag == END)
        {
            m_isOver = true;
        }
        m_wake.notify_all();
    }

    /// @brief Look for ranks that are gone.
    /// @param awake time since the last look; little if this process itself was stopped
    void
    Watch(Clock::duration awake)
    {
        for (uint32_t rank = m_rank == 0 ? 1 : 0; rank < (m_rank == 0 ? m_size : 1); ++rank)
        {
            m_silence[rank] += awake;
            if (m_silence[rank] > m_patience)
            {
                Fail(fmt::format("rank {} on {} is gone: silent for {:g} s",
                                 rank,
                                 m_hosts[rank],
                                 m_patience.count()));
            }
        }
    }

    /// @brief Nothing works any more.
    /// @param fault why
    void
    Fail(const std::string& fault)
    {
        if (m_rank != 0)
        {
            std::_Exit(EXIT_FAILURE); // rank 0, if it lives, says so
        }
        const std::lock_guard<std::mutex> lock(m_access);
        m_fault = m_fault.empty() ? fault : m_fault;
        for (auto& [number, promise] : m_asked)
        {
            promise.set_exception(std::make_exception_ptr(RankError(m_fault)));
        }
        m_asked.clear();
    }

    mpi::environment m_environment;                                  //!< begins and ends MPI
    mpi::communicator m_world;                                       //!< all processes
    const uint32_t m_rank;                                           //!< of this process
    const uint32_t m_size;                                           //!< number of processes
    const std::chrono::duration<double> m_patience = ReadPatience(); //!< with silent ranks
    std::vector<std::string> m_hosts;                                //!< by rank
    std::vector<std::chrono::duration<double>> m_silence;            //!< by rank
    std::list<Sending> m_sending;                                    //!< on their way
    std::thread m_thread;                                            //!< calls MPI

    std::mutex m_access;                                   //!< of what follows
    std::condition_variable m_wake;                        //!< when some of it has changed
    std::deque<Queued> m_queue;                            //!< to be sent
    std::deque<std::string> m_requests;                    //!< to be answered here
    std::map<uint64_t, std::promise<std::string>> m_asked; //!< requests without an answer
    uint64_t m_next = 0;                                   //!< number of the next request
    bool m_isOver = false;                                 //!< whether to end
    std::string m_fault;                                   //!< what has failed; empty: nothing
};

} // namespace

/// @return a new link, to be deleted
extern "C" ns3::collab::RankLink*
CollabOpenMpiLink()
{
    return new MpiLink;
}
