/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ridge-committee.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <map>
#include <numeric>

using namespace ns3::collab;

namespace
{

using Point = std::array<double, 2>;  //!< a model
using Square = std::array<double, 3>; //!< a, b, d of the symmetric matrix (a b; b d)

/// @param m a positive definite matrix
/// @return what gives the vector when the matrix is applied to it
Point
Solve(const Square& m, const Point& right)
{
    const double determinant = m[0] * m[2] - m[1] * m[1];
    return {(m[2] * right[0] - m[1] * right[1]) / determinant,
            (m[0] * right[1] - m[1] * right[0]) / determinant};
}

/// Ridge regression: F_k(w) = 1 / (2 n) |X w - y|^2 + l2 / 2 |w|^2 with two unknowns, of which all
/// that Theorem 1 asks for is known in closed form
class RidgeClients
{
  public:
    static constexpr double L2 = 0.5;          //!< weight of the regularizer
    static constexpr std::size_t SAMPLES = 20; //!< of a client

    /// @param count number of clients
    /// @param spread standard deviation of their true models
    /// @param seed of their samples
    RidgeClients(std::size_t count, double spread, uint64_t seed)
    {
        RandomGenerator generator(seed);
        boost::random::normal_distribution<double> normal;
        for (std::size_t k = 0; k < count; ++k)
        {
            const Point truth = {1 + spread * normal(generator), -1 + spread * normal(generator)};
            Client client;
            for (std::size_t i = 0; i < SAMPLES; ++i)
            {
                const Point x = {normal(generator), normal(generator)};
                client.x.push_back(x);
                client.y.push_back(x[0] * truth[0] + x[1] * truth[1] + 0.1 * normal(generator));
            }
            Prepare(client);
            m_clients.push_back(client);
        }
        Square hessian = {};
        Point right = {};
        for (const auto& client : m_clients)
        {
            for (int i = 0; i < 3; ++i)
            {
                hessian[i] += client.hessian[i] / count;
            }
            right = {right[0] + client.right[0] / count, right[1] + client.right[1] / count};
        }
        optimum = Solve(hessian, right);
    }

    /// @param k client
    /// @param w model
    /// @return F_k(w)
    double
    Loss(std::size_t k, const Point& w) const
    {
        double loss = L2 / 2 * (w[0] * w[0] + w[1] * w[1]);
        for (std::size_t i = 0; i < SAMPLES; ++i)
        {
            const double error = Error(k, i, w);
            loss += error * error / (2 * SAMPLES);
        }
        return loss;
    }

    /// @param w model
    /// @return F_k(w) of all clients
    std::vector<double>
    Losses(const Point& w) const
    {
        std::vector<double> losses;
        for (std::size_t k = 0; k < m_clients.size(); ++k)
        {
            losses.push_back(Loss(k, w));
        }
        return losses;
    }

    /// @param k client
    /// @param w model
    /// @return gradient of this sample's loss
    Point
    Gradient(std::size_t k, std::size_t sample, const Point& w) const
    {
        const double error = Error(k, sample, w);
        const Point& x = m_clients[k].x[sample];
        return {error * x[0] + L2 * w[0], error * x[1] + L2 * w[1]};
    }

    /// @return F_k*
    std::vector<double>
    LocalOptima() const
    {
        std::vector<double> optima;
        for (std::size_t k = 0; k < m_clients.size(); ++k)
        {
            optima.push_back(Loss(k, Solve(m_clients[k].hessian, m_clients[k].right)));
        }
        return optima;
    }

    double smoothness = 0;  //!< L, the greatest eigenvalue of any client's Hessian
    double convexity = 1e9; //!< mu, the least one
    Point optimum = {};     //!< w*

  private:
    /// A client's regression
    struct Client
    {
        std::vector<Point> x;  //!< samples
        std::vector<double> y; //!< targets
        Square hessian = {};   //!< of F_k
        Point right = {};      //!< X^T y / n
    };

    /// @param k client
    /// @param i sample
    /// @param w model
    /// @return prediction less target
    double
    Error(std::size_t k, std::size_t sample, const Point& w) const
    {
        const Client& client = m_clients[k];
        return client.x[sample][0] * w[0] + client.x[sample][1] * w[1] - client.y[sample];
    }

    /// @param[in,out] client whose Hessian is computed
    void
    Prepare(Client& client)
    {
        for (std::size_t i = 0; i < SAMPLES; ++i)
        {
            const Point& x = client.x[i];
            client.hessian[0] += x[0] * x[0] / SAMPLES;
            client.hessian[1] += x[0] * x[1] / SAMPLES;
            client.hessian[2] += x[1] * x[1] / SAMPLES;
            client.right[0] += x[0] * client.y[i] / SAMPLES;
            client.right[1] += x[1] * client.y[i] / SAMPLES;
        }
        client.hessian[0] += L2;
        client.hessian[2] += L2;
        const double mean = (client.hessian[0] + client.hessian[2]) / 2;
        const double radius =
            std::hypot((client.hessian[0] - client.hessian[2]) / 2, client.hessian[1]);
        smoothness = std::max(smoothness, mean + radius);
        convexity = std::min(convexity, mean - radius);
    }

    std::vector<Client> m_clients; //!< all of them
};

/// @return the mean of some values
double
Mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// A run, round by round
class RidgeRun
{
  public:
    explicit RidgeRun(const RidgeCommitteeOptions& options)
        : m_options(options),
          m_problem(options.clients, options.spread, options.problemSeed),
          m_atOptimum(m_problem.Losses(m_problem.optimum)),
          m_gap(std::vector<double>(options.clients, 1.0 / options.clients),
                m_problem.LocalOptima(),
                options.committee),
          m_generator(options.seed)
    {
        ConvergenceConstants& constants = m_run.constants;
        constants.smoothness = m_problem.smoothness;
        constants.convexity = m_problem.convexity;
        constants.localSteps = options.localSteps;
        constants.heterogeneity =
            ComputeHeterogeneity(Mean(m_atOptimum),
                                 std::vector<double>(options.clients, 1.0 / options.clients),
                                 m_problem.LocalOptima());
        constants.startSquare = std::pow(m_model[0] - m_problem.optimum[0], 2) +
                                std::pow(m_model[1] - m_problem.optimum[1], 2);
    }

    /// @return what was measured over all rounds
    RidgeCommitteeRun
    Run()
    {
        for (uint64_t round = 1; round <= m_options.rounds; ++round)
        {
            Step(round);
            m_run.errors.push_back(Mean(m_problem.Losses(m_model)) - Mean(m_atOptimum));
        }
        m_run.constants.variance = m_run.constants.gradientSquare; // E|g - grad F|^2 <= E|g|^2
        m_run.constants.gapMin = m_gap.GetMin();
        m_run.constants.gapMax = m_gap.GetMax();
        return m_run;
    }

  private:
    void
    Step(uint64_t round)
    {
        const auto order = DrawPermutation(m_options.clients, m_generator);
        if (m_committee.empty())
        {
            m_committee.assign(order.begin(), order.begin() + m_options.committee);
        }
        m_gradients.clear();
        const uint64_t begin = (round - 1) * m_options.localSteps + 1; // t of the first iteration
        std::for_each(m_committee.begin(), m_committee.end(), [this, begin](uint32_t client) {
            Train(client, begin);
        });
        std::vector<uint32_t> training;
        for (const uint32_t client : order)
        {
            if (m_gradients.count(client) == 0 && training.size() < m_options.training)
            {
                training.push_back(client);
                Train(client, begin);
            }
        }
        const auto ranking = RankClients(Score(training), m_options.committee);
        const auto chosen = SelectClients(
            ranking, m_options.selection, CountAccepted(training.size(), m_options.acceptPercent));
        for (uint32_t i = 0; i < m_options.localSteps; ++i)
        {
            Account(chosen);
            const double rate = FindRate(begin + i) / static_cast<double>(chosen.size());
            for (const uint32_t client : chosen)
            {
                m_model[0] -= rate * m_gradients[client][i][0];
                m_model[1] -= rate * m_gradients[client][i][1];
            }
        }
        m_committee = ElectCommittee(ranking, ElectionStrategy::MIDDLE, m_options.committee, 0);
    }

    /// @param iteration t, from 1
    /// @return eta_t
    double
    FindRate(uint64_t iteration) const
    {
        return ComputeConvergentRate(m_problem.smoothness, m_problem.convexity, iteration);
    }

    /// @param client who takes tau local steps
    /// @param begin t of the first of them
    void
    Train(uint32_t client, uint64_t begin)
    {
        boost::random::uniform_int_distribution<std::size_t> sample(0, RidgeClients::SAMPLES - 1);
        Point model = m_model;
        for (uint32_t i = 0; i < m_options.localSteps; ++i)
        {
            const Point g = m_problem.Gradient(client, sample(m_generator), model);
            double& greatest = m_run.constants.gradientSquare;
            greatest = std::max(greatest, g[0] * g[0] + g[1] * g[1]);
            m_gradients[client].push_back({static_cast<float>(g[0]), static_cast<float>(g[1])});
            model[0] -= FindRate(begin + i) * g[0];
            model[1] -= FindRate(begin + i) * g[1];
        }
    }

    /// @return scores of the training clients by all members
    ScoreTables
    Score(const std::vector<uint32_t>& training)
    {
        ScoreTables tables;
        for (const uint32_t member : m_committee)
        {
            for (const uint32_t client : training)
            {
                tables[member][client] = ComputeScore(
                    m_gradients[client].back().data(), m_gradients[member].back().data(), 2);
            }
        }
        return tables;
    }

    void
    Account(const std::vector<uint32_t>& chosen)
    {
        const std::vector<std::size_t> aggregated(chosen.begin(), chosen.end());
        const auto losses = m_problem.Losses(m_model);
        m_gap.Add(aggregated, losses, m_atOptimum);
        m_run.gaps.push_back(m_gap.Compute(aggregated, losses));
        double& spread = m_run.constants.objectiveSpread;
        spread = std::max(spread, m_gap.ComputeObjectiveSpread(aggregated));
    }

    RidgeCommitteeOptions m_options;   //!< of the run
    RidgeClients m_problem;            //!< the clients
    std::vector<double> m_atOptimum;   //!< F_k(w*)
    AggregationGap m_gap;              //!< of all rounds
    RandomGenerator m_generator;       //!< of what is random
    Point m_model = {4, 3};            //!< w
    std::vector<uint32_t> m_committee; //!< of the next round
    /// of the round, by client and iteration
    std::map<uint32_t, std::vector<std::array<float, 2>>> m_gradients;
    RidgeCommitteeRun m_run; //!< what is measured
};

} // namespace

RidgeCommitteeRun
RunRidgeCommittee(const RidgeCommitteeOptions& options)
{
    return RidgeRun(options).Run();
}
