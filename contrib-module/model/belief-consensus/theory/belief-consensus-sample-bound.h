/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_SAMPLE_BOUND_H
#define BELIEF_CONSENSUS_SAMPLE_BOUND_H

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * How many samples are enough: Theorem 1 and Corollary 1 of Lalitha et al., for users whose samples
 * have finitely many outcomes, and sharper ones. Logarithms are natural, information is in nat.
 * N users, M hypotheses; I_j(theta, psi) = KL_j(psi) - KL_j(theta).
 */

/// @ingroup collab
/// @brief An input and a label that a user may see.
struct SampleOutcome
{
    double inputProbability = 0;        //!< P_j(x)
    double logTruth = 0;                //!< log l_j(y; theta*, x); minus infinity if impossible
    std::vector<double> logLikelihoods; //!< log l_j(y; theta, x) by hypothesis
    uint32_t input = 0;                 //!< index of x, which its labels share
};

/**
 * @ingroup collab
 * @brief All outcomes of one user's sample.
 *
 * The probabilities P_j(x) l_j(y; theta*, x) sum to 1. Outcomes that only other hypotheses allow
 * belong to it as well: they count in alpha, L and R.
 */
using SampleTable = std::vector<SampleOutcome>;

/// @brief Check that tables are of the same hypotheses and that probabilities sum to 1.
/// @param users by user: its outcomes
/// @throws std::invalid_argument that says which user's outcome has NaN, plus infinity, another
/// number of hypotheses or no probability, whose probabilities do not sum to 1 within 1e-9, or that
/// there are no users or no hypotheses
void CheckSampleTables(const std::vector<SampleTable>& users);

/// @param users by user: its outcomes
/// @return KL_j(theta) = E_{P_j} KL(l_j(theta*) || l_j(theta)) [nat]: a row for each user j, a
/// column for each hypothesis; infinity if a hypothesis rules out what happens
Matrix<double> ComputeDivergences(const std::vector<SampleTable>& users);

/// @ingroup collab
/// @brief Theta*_M: what users ought to learn.
struct LearnableHypotheses
{
    std::vector<uint32_t> hypotheses; //!< ascending; not empty
    /// Whether they are everybody's best ones. If not, no hypothesis is, they have the least sum of
    /// v_j KL_j instead, and the user should be warned: the theorem does not say so.
    bool areCommon = true;

    /// @param hypothesis index of any
    /// @return whether it is one of them: not an error
    bool Contains(uint32_t hypothesis) const;
};

/// @param divergences see ComputeDivergences(); differences of up to 1e-12 nat are none
/// @param influence v, by user
/// @return Theta*_M, the intersection of all users' argmin KL_j
LearnableHypotheses FindLearnable(const Matrix<double>& divergences,
                                  const std::vector<double>& influence);

/// @param divergences see ComputeDivergences()
/// @param theta index of a hypothesis of Theta*_M
/// @return I_j(theta, psi) [nat]: a row for each user j, a column for each psi
Matrix<double> ComputeInformation(const Matrix<double>& divergences, uint32_t theta);

/// @param information see ComputeInformation()
/// @param weights by user: v_j, or another weighting
/// @return by psi: sum of weight_j I_j(theta, psi) [nat per instant], the speed at which psi's
/// log belief falls behind
std::vector<double> ComputeLearningRates(const Matrix<double>& information,
                                         const std::vector<double>& weights);

/// @ingroup collab
/// @brief K(Theta_M), and the rival whom it takes longest to rule out.
struct LearningSpeed
{
    double rate = 0;    //!< least rate outside Theta*_M [nat per instant]; infinity without a rival
    uint32_t rival = 0; //!< its lowest psi; M if there is no rival
};

/// @brief K(Theta_M), printed as a minimum over all pairs, which is never positive: here it is the
/// one over psi outside Theta*_M.
/// @param rates by psi, see ComputeLearningRates()
/// @param learnable Theta*_M
/// @return the least rate
LearningSpeed FindLearningSpeed(const std::vector<double>& rates,
                                const LearnableHypotheses& learnable);

/// @ingroup collab
/// @brief Bounds of the likelihoods over all users, inputs, labels and hypotheses.
struct LikelihoodRange
{
    double least = 0;            //!< alpha of Assumption 3, not the noise
    double greatest = 0;         //!< L
    double ratio = 0;            //!< C = L / alpha; infinity if alpha is 0
    double greatestLogRatio = 0; //!< R, of the likelihoods of two hypotheses for one sample [nat]
};

/// @param users by user: its outcomes
/// @return alpha, L, C and R
LikelihoodRange ComputeLikelihoodRange(const std::vector<SampleTable>& users);

/**
 * @brief Check whether Theorem 1 may be applied: Assumptions 1 to 3, but for the prior of the
 * third, which is the user's.
 *
 * 1: everybody outside Theta*_M is told apart by someone. 2: W is irreducible and aperiodic. 3: all
 * likelihoods are greater than 0, and finite.
 *
 * @param users by user: its outcomes
 * @param learnable Theta*_M
 * @param w the matrix W
 * @return sentences for a user on those that do not hold; empty if all hold
 */
std::string CheckAssumptions(const std::vector<SampleTable>& users,
                             const LearnableHypotheses& learnable,
                             const Matrix<double>& w);

/// @ingroup collab
/// @brief What bounds of the number of samples depend on.
struct SampleBoundInputs
{
    std::size_t users = 0;      //!< N
    std::size_t hypotheses = 0; //!< M
    double delta = 0;           //!< allowed probability of an error, in (0, 1)
    double speed = 0;           //!< K [nat per instant]
    LikelihoodRange range;      //!< C and R
    double lambda = 0;          //!< (4): second greatest modulus of W's eigenvalues
    double mixingSum = 0;       //!< sharper: S
    /// Sharper: sum of v_j^2 if users' samples are independent of each other, and 1 if not.
    double varianceShare = 1;
};

/**
 * @ingroup collab
 * @brief A number of samples of each user that is enough, by the three reasons that it has.
 *
 * From that instant on, with a uniform prior, the probability that any user believes in any rival
 * with 1 / (2M) or more is at most delta.
 */
struct SampleBound
{
    double mixing = 0;     //!< until information has spread [instants]
    double evidence = 0;   //!< until chance is ruled out [instants]
    double confidence = 0; //!< until the prior is forgotten [instants]
    double instants = 0;   //!< greatest one, rounded up; infinity if K is not positive
};

/// @param inputs numbers of W, the likelihoods and the problem
/// @return (4): 16 C log N / (K (1 - lambda)), 16 C log(N M / delta) / K^2, 2 log(2M) / K
/// @throws std::invalid_argument if delta is not in (0, 1)
SampleBound ComputePaperBound(const SampleBoundInputs& inputs);

/// @brief The proof of Theorem 1 with S itself, Hoeffding's inequality and a union over rivals
/// only, since the sum over v is the same for all users.
/// @param inputs numbers of W, the likelihoods and the problem
/// @return 4 S R / K, 32 R^2 share log((M - 1) / delta) / K^2, 2 log(2M) / K
/// @throws std::invalid_argument if delta is not in (0, 1)
SampleBound ComputeSharperBound(const SampleBoundInputs& inputs);

/**
 * @brief How fast the probability of an error falls: Chernoff's exponent.
 *
 * max over s >= 0 of - sum_j log E exp(-s weight_j z_j), z_j = log l_j(theta) - log l_j(psi), for
 * users whose samples are independent of each other. Samples in common are those of one user with
 * the joint outcomes, weight 1 and the weighted sum of log-likelihoods.
 *
 * @param users by user: its outcomes
 * @param weights by user: v_j, or 1 for a central user who has all samples
 * @param theta index of a hypothesis of Theta*_M
 * @param psi index of a rival
 * @return exponent [nat per instant]; 0 if psi is no worse than theta; infinity if one sample is
 * sure to rule psi out
 */
double ComputeErrorExponent(const std::vector<SampleTable>& users,
                            const std::vector<double>& weights,
                            uint32_t theta,
                            uint32_t psi);

/// @ingroup collab
/// @brief The least error exponent, and whose it is.
struct WorstExponent
{
    double exponent = 0; //!< [nat per instant]; infinity without a rival
    uint32_t rival = 0;  //!< its lowest psi; M if there is no rival
};

/// @param users by user: its outcomes
/// @param weights by user: v_j, or 1 for a central user who has all samples
/// @param learnable Theta*_M
/// @return the least exponent of all psi outside Theta*_M
WorstExponent FindWorstExponent(const std::vector<SampleTable>& users,
                                const std::vector<double>& weights,
                                const LearnableHypotheses& learnable);

/// @ingroup collab
/// @brief Corollary 1: how much more users risk with the best hypothesis than with the truth.
struct RiskBounds
{
    /// The left side, mean |R_i(theta*) - R_i(theta)|, of a risk of 1 for labels other than the one
    /// that theta holds likeliest given x, and else 0; B is 1
    double labelRisk = 0;
    double totalVariation = 0; //!< B times the mean of E |l - l'|_1
    double divergence = 0;     //!< B sqrt(2 mean KL), not less
    double printed = 0;        //!< B / 2 sqrt(mean KL), as it is printed
};

/// @param users by user: its outcomes, for every input with all labels
/// @param theta index of a hypothesis of Theta*_M
/// @param greatestRisk B: no |r_i(x, y)| is greater
/// @return bounds of the mean of |R_i(theta*) - R_i(theta)| over all users
RiskBounds ComputeRiskBounds(const std::vector<SampleTable>& users,
                             uint32_t theta,
                             double greatestRisk);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_SAMPLE_BOUND_H */
