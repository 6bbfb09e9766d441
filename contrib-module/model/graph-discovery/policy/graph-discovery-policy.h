/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_POLICY_H
#define GRAPH_DISCOVERY_POLICY_H

#include "ns3/collab-random.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Which rewards psiR and psiC of (7) are made of.
enum class PsiRule
{
    WINDOW,     //!< sum and count of the buffer's entries of the state and peer: text and Table I
    PRINTED,    //!< sum of the whole buffer and min(t, H) at the last update of the state and
                //!< peer, as printed in Sec. IV-E: does not learn
    CUMULATIVE, //!< sum and count of all weighted rewards of the state and peer so far
};

/// @ingroup collab
/// @brief Value of a state and peer that were not tried, 0 / 0 in (7).
enum class UntriedRule
{
    MEAN, //!< mean of the buffer
    ZERO, //!< 0: the first try is repeated if its reward is high
};

/// @ingroup collab
/// @brief How a policy learns.
struct PolicyOptions
{
    PsiRule psi = PsiRule::WINDOW;           //!< what it is made of
    UntriedRule untried = UntriedRule::MEAN; //!< value of what was not tried
    uint32_t buffer = 256;                   //!< H; at least 1
    double reduction = 0.9;                  //!< delta, from 0 to 1
    uint32_t levels = 1;                     //!< levels of each link's RSS; 1 for a constant state
};

/**
 * @ingroup collab
 * @brief One device's policy, (7), and its update, Sec. IV-E of Wagle et al.
 *
 * Peers are numbered 0 to A - 1. A peer that is masked is never chosen: the device itself, those
 * that an earlier edge comes from, and those out of reach.
 *
 * With more than one level a peer's row of the table is that of its own level. A peer that was not
 * tried in it counts by UntriedRule; the mean of an empty buffer is 0.
 *
 * beta = 1 - delta if the reward is less than the mean of the buffer as it was before, else 1; beta
 * times the reward goes to the buffer's place t mod H. A negative reward below the mean is shrunk
 * towards 0, which rewards it: as printed.
 *
 * A draw costs O(A), an update O(1); after the first H updates neither allocates memory. An object
 * is not to be asked by two threads at a time.
 */
class GraphDiscoveryPolicy
{
  public:
    /// What choose() gives if all peers are masked
    static constexpr uint32_t NOBODY = std::numeric_limits<uint32_t>::max();

    /// @param peers A; at least 1
    /// @param options how it learns
    /// @throws std::invalid_argument if a value is not allowed
    GraphDiscoveryPolicy(uint32_t peers, const PolicyOptions& options);

    /// @param peer that is never to be chosen from now on
    void Mask(uint32_t peer);
    /// @param peer to ask about
    /// @return whether it is masked
    bool IsMasked(uint32_t peer) const;

    /// @param levels of all peers' RSS, each below PolicyOptions::levels; not read with one level
    /// @return (7): probability of each peer, 0 of masked ones; all 0 if all are masked
    /// @throws std::invalid_argument if there are not as many levels as peers, or one is too high
    std::vector<double> GetProbabilities(const std::vector<uint32_t>& levels) const;
    /// @param levels as in GetProbabilities()
    /// @param generator to draw with, by one number in any case
    /// @return a peer drawn by (7); NOBODY if all are masked
    uint32_t Draw(const std::vector<uint32_t>& levels, RandomGenerator& generator) const;
    /// @param levels as in GetProbabilities()
    /// @return the most probable peer, of equal ones the lowest; NOBODY if all are masked
    uint32_t GetBest(const std::vector<uint32_t>& levels) const;
    /// @param levels when the peer was chosen
    /// @param peer that was chosen
    /// @param reward R; finite
    /// @throws std::invalid_argument if the peer or a level is out of range or the reward not
    /// finite
    void Learn(const std::vector<uint32_t>& levels, uint32_t peer, double reward);

    /// @return mean of the buffer's entries; 0 if it is empty
    double GetBufferMean() const;
    /// @return how often it has learned since it was made
    uint64_t GetSteps() const;

  private:
    /// Instead of the weight of a cell that has no rewards
    static constexpr double UNTRIED = -1;

    /// @brief A sum to twice the precision of double: a window that slides does not drift.
    struct Sum
    {
        double value = 0; //!< rounded
        double error = 0; //!< what rounding left out

        /// @param term to add
        void Add(double term);
        /// @return it, rounded once
        double Get() const;
        /// @param factor of the product
        /// @param count other factor
        /// @return whether it is more than the product. So no reward is below the mean of its
        /// equals
        bool IsMoreThan(double factor, double count) const;
    };
    /// @brief psiR and psiC of a state and a peer.
    struct Cell
    {
        Sum rewards;        //!< psiR
        uint64_t count = 0; //!< psiC

        /// @return psiR / psiC, where psiC is not 0
        double GetMean() const;
    };
    /// @brief A weighted reward, and what it was for.
    struct Entry
    {
        std::size_t place = 0; //!< of its cell
        double reward = 0;     //!< beta R
    };

    /// @param levels of all peers
    /// @throws std::invalid_argument if there are not as many as peers, or one is too high
    void CheckLevels(const std::vector<uint32_t>& levels) const;
    /// @param levels of all peers, checked
    /// @param peer a peer
    /// @return place of its cell in the table
    std::size_t FindPlace(const std::vector<uint32_t>& levels, std::size_t peer) const;
    /// @brief Put psiR / psiC of all peers into m_values, and -infinity for masked ones.
    /// @param levels of all peers, checked
    void ReadValues(const std::vector<uint32_t>& levels) const;
    /// @brief Put kept weights into m_values.
    /// @param levels of all peers, checked
    /// @param[out] sum of them
    /// @return whether they hold: all may be masked, or too far from the reference
    bool WeighFast(const std::vector<uint32_t>& levels, double& sum) const;
    /// @brief Put numbers proportional to probabilities into m_values.
    /// @param levels of all peers
    /// @return their sum; 0 if all are masked
    double Weigh(const std::vector<uint32_t>& levels) const;
    /// @return value of what was not tried
    double GetUntried() const;
    /// @return what the buffer's mean is divided by; 1 if it is empty
    double GetDivisor() const;
    /// @brief Keep the weight of a cell that has changed.
    /// @param place of the cell
    void UpdateWeight(std::size_t place);
    /// @brief Take the oldest entry out of the table if the buffer is full.
    void DropOldest();

    PolicyOptions m_options;       //!< how it learns
    std::vector<uint8_t> m_masked; //!< by peer
    std::vector<Entry> m_buffer;   //!< Omega, in the order of its places
    Sum m_sum;                     //!< of the buffer
    uint64_t m_steps = 0;          //!< t
    std::vector<Cell> m_cells;     //!< table, row by row
    std::vector<double>
        m_weights;          //!< exp(psiR / psiC - reference) of each cell: spares exponentials
    double m_reference = 0; //!< near the values of the table
    mutable std::vector<double> m_values; //!< of the last question; saves allocations
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_POLICY_H */
