/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_ALGORITHM_H
#define FEDERATED_ALGORITHM_H

#include "federated-strategy.h"

#include <cstdint>
#include <memory>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How devices and a server learn one model.
enum class FederatedAlgorithm : uint8_t
{
    FEDAVG,   //!< McMahan et al., AISTATS 2017, algorithm 1
    FEDPROX,  //!< Li et al., MLSys 2020: a proximal term on the devices
    SCAFFOLD, //!< Karimireddy et al., ICML 2020, algorithm 1 with option II: control variates
    FEDDYN,   //!< Acar et al., ICLR 2021, algorithm 1: a dynamic regularizer
    FEDSGD,   //!< McMahan et al., section 2: one step of gradient descent on all samples a round
    SEMI_DECENTRALIZED, //!< Lin et al., JSAC 2021: averages within sets of devices, which the
                        //!< server samples
    FEDAVGM,            //!< Hsu et al., 2019: momentum on the server
    FEDNOVA,            //!< Wang et al., NeurIPS 2020: changes divided by the steps that made them
    FEDBUFF,            //!< Nguyen et al., AISTATS 2022: asynchronous, with a buffer of updates
    FEDDF,    //!< Lin et al., NeurIPS 2020: FedAvg, then the server distills the devices' ensemble
    FEDKSEED, //!< Qin et al., ICML 2024: FedAvg of the scalars of MakeSeedLearner(), which train by
              //!< forward passes along directions that seeds stand for
};

/// @ingroup collab
/// @brief Constants of a federated algorithm.
struct FederatedOptions
{
    FederatedAlgorithm algorithm = FederatedAlgorithm::FEDAVG; //!< which one
    double mu = 0.01;            //!< FEDPROX: weight of |w - x|^2 / 2; not negative
    double alpha = 0.01;         //!< FEDDYN: weight of the regularizer; positive
    double serverRate = 1;       //!< SCAFFOLD, FEDBUFF: the server's step size eta_g; positive
    double serverMomentum = 0.9; //!< FEDAVGM: beta; from 0 to below 1
    double localMomentum = 0;    //!< FEDNOVA: rho of the devices' SGD; from 0 to below 1
    StalenessWeight stalenessWeight = StalenessWeight::POLYNOMIAL; //!< FEDBUFF: s(tau)

    /// @return what applications have to know of it
    FederatedTraits GetTraits() const;

    /// @throws std::invalid_argument if a constant is not allowed
    void Check() const;
};

/// @param options which algorithm
/// @return its mathematics, for the server or one device
/// @throws std::invalid_argument if a constant is not allowed
std::unique_ptr<FederatedStrategy> MakeFederatedStrategy(const FederatedOptions& options);

} // namespace ns3::collab

#endif /* FEDERATED_ALGORITHM_H */
