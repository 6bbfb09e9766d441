/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_THEORY_INPUTS_H
#define BELIEF_THEORY_INPUTS_H

#include "ns3/belief-consensus-sample-bound.h"
#include "ns3/collab-matrix.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

/// @file
/// The inputs of tests/reference/make-belief-theory-reference.py, and smaller ones.

/// @param users N
/// @param values row by row
/// @return a square matrix
inline ns3::collab::Matrix<double>
MakeSquare(std::size_t users, std::initializer_list<double> values)
{
    ns3::collab::Matrix<double> matrix(users, users);
    matrix.values = values;
    return matrix;
}

/// @param users N
/// @return a directed W without a pattern
inline ns3::collab::Matrix<double>
MakeReferenceWeights(std::size_t users)
{
    ns3::collab::Matrix<double> w(users, users);
    for (std::size_t i = 0; i < users; ++i)
    {
        for (std::size_t j = 0; j < users; ++j)
        {
            const bool positive =
                (i + 2 * j) % 3 != 0 || j == (i + 1) % users || (i == j && i % 2 == 0);
            w(i, j) = positive ? std::exp(2 * std::sin(1.0 + 3.0 * i + 5.0 * j)) : 0;
        }
        const double sum = std::accumulate(w.Row(i), w.Row(i) + users, 0.0);
        for (std::size_t j = 0; j < users; ++j)
        {
            w(i, j) /= sum;
        }
    }
    return w;
}

/// @param users N
/// @return probabilities with which messages are missed
inline ns3::collab::Matrix<double>
MakeReferenceLosses(std::size_t users)
{
    ns3::collab::Matrix<double> losses(users, users);
    for (std::size_t i = 0; i < users; ++i)
    {
        for (std::size_t j = 0; j < users; ++j)
        {
            losses(i, j) = i == j ? 0 : 0.1 + 0.3 * ((i + j) % 3);
        }
    }
    return losses;
}

/// @param user who sees it
/// @param input index of the input
/// @param label index of the label, below 3
/// @param theta parameter
/// @return log l_j(y; theta, x)
inline double
GetReferenceLogLikelihood(std::size_t user, std::size_t input, std::size_t label, double theta)
{
    const auto logit = [&](std::size_t y) {
        return 1.5 * std::sin(1.0 + 3.0 * user + 5.0 * input + 7.0 * y + 11 * theta);
    };
    return logit(label) - std::log(std::exp(logit(0)) + std::exp(logit(1)) + std::exp(logit(2)));
}

/// @param truth the true parameter
/// @return outcomes of three users with two inputs and three labels under hypotheses 0 to 4
inline std::vector<ns3::collab::SampleTable>
MakeReferenceTables(double truth)
{
    std::vector<ns3::collab::SampleTable> users(3);
    for (std::size_t j = 0; j < users.size(); ++j)
    {
        for (std::size_t x = 0; x < 2; ++x)
        {
            for (std::size_t y = 0; y < 3; ++y)
            {
                ns3::collab::SampleOutcome outcome;
                outcome.inputProbability = x == 0 ? 0.3 : 0.7;
                outcome.logTruth = GetReferenceLogLikelihood(j, x, y, truth);
                for (std::size_t theta = 0; theta < 5; ++theta)
                {
                    outcome.logLikelihoods.push_back(
                        GetReferenceLogLikelihood(j, x, y, static_cast<double>(theta)));
                }
                users[j].push_back(outcome);
            }
        }
    }
    return users;
}

/**
 * @brief Users who each see one of two bits, with labels that are right with probability 0.7.
 *
 * Hypothesis 2 b + a says that the first bit is a and the second one b; 0 is true.
 *
 * @param bits by user: which bit it sees
 * @return their outcomes
 */
inline std::vector<ns3::collab::SampleTable>
MakeBitTables(const std::vector<uint32_t>& bits)
{
    std::vector<ns3::collab::SampleTable> users;
    for (const uint32_t bit : bits)
    {
        ns3::collab::SampleTable table;
        for (const uint32_t label : {0, 1})
        {
            ns3::collab::SampleOutcome outcome;
            outcome.inputProbability = 1;
            outcome.logTruth = std::log(label == 0 ? 0.7 : 0.3);
            for (uint32_t theta = 0; theta < 4; ++theta)
            {
                outcome.logLikelihoods.push_back(std::log((theta >> bit & 1) == label ? 0.7 : 0.3));
            }
            table.push_back(outcome);
        }
        users.push_back(table);
    }
    return users;
}

#endif /* BELIEF_THEORY_INPUTS_H */
