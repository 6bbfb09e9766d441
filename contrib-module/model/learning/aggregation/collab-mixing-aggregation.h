/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MIXING_AGGREGATION_H
#define COLLAB_MIXING_AGGREGATION_H

#include "ns3/collab-matrix.h"
#include "ns3/collab-vector-stack.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * What clips vectors, or mixes them with those near to them, against Byzantine ones:
 * - NNM, NNA: Allouah, Farhadkhani, Guerraoui, Gupta, Pinot, Stephan, "Fixing by Mixing: A Recipe
 *   for Optimal Byzantine ML under Heterogeneity" (AISTATS 2023), and Farhadkhani et al., "Robust
 *   Collaborative Learning with Linear Gradient Overhead" (ICML 2023; MoNNA).
 * - ARC: Allouah, Guerraoui, Gupta, Jellouli, Rizk, Stephan, "Adaptive Gradient Clipping for Robust
 *   Federated Learning" (ICLR 2025).
 * - Centered clipping: Karimireddy, He, Jaggi, "Learning from History for Byzantine Robust
 *   Optimization" (ICML 2021).
 * - Self-centered clipping: He, Karimireddy, Jaggi, "Byzantine-Robust Decentralized Learning via
 *   ClippedGossip" (arXiv:2202.01545, 2022).
 */

/// @param vectors n vectors of d elements
/// @param center d elements
/// @return n Euclidean distances from the center; infinite where float cannot hold the square
/// @throws std::invalid_argument if an element is not finite
std::vector<double> GetDistances(const VectorStack& vectors, const float* center);

/**
 * @brief Nearest-neighbor mixing: in the place of each vector the mean of the n - f nearest to it,
 * of which it is one (Allouah et al., algorithm 2).
 *
 * Of vectors at one distance those with the lowest index. O(n^2 d).
 *
 * @param vectors n vectors of d elements
 * @param byzantine f
 * @return n x d
 * @throws std::invalid_argument if n < 2 f + 1 or an element is not finite
 */
Matrix<float> MixNearest(const VectorStack& vectors, std::size_t byzantine);

/// @brief Nearest-neighbor averaging: the mean of the vectors nearest to one of them, which MoNNA's
/// devices take of their own and their peers' models.
/// @param vectors n vectors of d elements
/// @param own index of the one
/// @param byzantine f: the mean is that of n - f
/// @return d elements
/// @throws std::invalid_argument if n < f + 1 or an element is not finite
std::vector<float> AverageNearest(const VectorStack& vectors,
                                  std::size_t own,
                                  std::size_t byzantine);

/**
 * @brief Adaptive robust clipping: all vectors are clipped to the norm of the (k+1)-longest,
 * k = floor(2 (f / n) (n - f)) (Allouah et al., algorithm 2).
 *
 * @param vectors n vectors of d elements
 * @param byzantine f
 * @return n x d
 * @throws std::invalid_argument if n < 2 f + 1 or an element is not finite
 */
Matrix<float> ClipAdaptively(const VectorStack& vectors, std::size_t byzantine);

/**
 * @brief Centered clipping: v <- v + 1/n sum_i (x_i - v) min(1, tau / |x_i - v|), several times.
 *
 * @param vectors n vectors x_i of d elements
 * @param radius tau
 * @param iterations L, how often
 * @param[in,out] center v, d elements: where to start from, and the result
 * @throws std::invalid_argument if an element is not finite
 */
void ClipAround(const VectorStack& vectors, double radius, uint32_t iterations, float* center);

/// @param distances of neighbors' models from the own one
/// @param byzantine f
/// @return the (f + 1)-largest distance, or the least if there are not so many; 0 for none. With
/// f = 1 it is the clipping radius of the public program of ClippedGossip's authors
double FindClippingRadius(std::vector<double> distances, std::size_t byzantine);

} // namespace ns3::collab

#endif /* COLLAB_MIXING_AGGREGATION_H */
