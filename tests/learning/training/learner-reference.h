/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Made by tests/reference/make-learner-reference.py; not to be edited by hand.

#ifndef LEARNER_REFERENCE_H
#define LEARNER_REFERENCE_H

#include <vector>

namespace learner_reference
{

// clang-format off
/// Class probabilities of samples 0 to 7 by the initial parameters.
const std::vector<double> LINEAR_INITIAL = {
    0.320847249, 0.365489782, 0.313662969,
    0.330356101, 0.329822088, 0.339821811,
    0.334940354, 0.326721843, 0.338337803,
    0.327517771, 0.326454094, 0.346028135,
    0.344635496, 0.320405897, 0.334958607,
    0.315224498, 0.352953707, 0.331821795,
    0.335216446, 0.321369691, 0.343413863,
    0.337395527, 0.31911103, 0.343493442,
};

/// Losses of the second epoch.
const std::vector<double> LINEAR_PRETRAINED_LOSS = {
    1.09289478, 0,
};

/// Losses of the third epoch with targets.
const std::vector<double> LINEAR_DISTILLED_LOSS = {
    1.02506417, 1.10577745,
};

/// Class probabilities of samples 0 to 7 after two epochs without and three with targets.
const std::vector<double> LINEAR_TRAINED = {
    0.371107724, 0.338204458, 0.290687818,
    0.338634495, 0.361424921, 0.299940583,
    0.322206316, 0.307072955, 0.370720728,
    0.382854803, 0.315790682, 0.301354514,
    0.334597214, 0.347268759, 0.318134027,
    0.307653652, 0.36502288, 0.327323468,
    0.308690173, 0.331282545, 0.360027282,
    0.334716665, 0.316640939, 0.348642396,
};

/// Class probabilities of samples 0 to 7 by the initial parameters.
const std::vector<double> MLP_INITIAL = {
    0.367930851, 0.320445079, 0.31162407,
    0.368631285, 0.320304118, 0.311064597,
    0.368986344, 0.320322591, 0.310691065,
    0.368190192, 0.320103943, 0.311705865,
    0.368619766, 0.320057991, 0.311322243,
    0.368919833, 0.320796712, 0.310283455,
    0.3688275, 0.320248939, 0.310923562,
    0.368849299, 0.320133268, 0.311017433,
};

/// Losses of the second epoch.
const std::vector<double> MLP_PRETRAINED_LOSS = {
    1.02750173, 0,
};

/// Losses of the third epoch with targets.
const std::vector<double> MLP_DISTILLED_LOSS = {
    0.870442329, 1.09853004,
};

/// Class probabilities of samples 0 to 7 after two epochs without and three with targets.
const std::vector<double> MLP_TRAINED = {
    0.530218876, 0.313608072, 0.156173052,
    0.483251314, 0.337119564, 0.179629122,
    0.320550812, 0.319076561, 0.360372627,
    0.618728714, 0.262966716, 0.11830457,
    0.355518878, 0.425770569, 0.218710552,
    0.32771816, 0.314260714, 0.358021126,
    0.339297451, 0.330238974, 0.330463575,
    0.344399599, 0.334638193, 0.320962208,
};

/// Class probabilities of samples 0 to 7 by the initial parameters.
const std::vector<double> NETCNN_INITIAL = {
    0.267191246, 0.477919342, 0.254889412,
    0.267632551, 0.477038103, 0.255329346,
    0.267191255, 0.477918966, 0.254889779,
    0.267161776, 0.477962462, 0.254875762,
    0.267103994, 0.478064001, 0.254832005,
    0.26773263, 0.47683965, 0.25542772,
    0.267251705, 0.477802966, 0.254945329,
    0.266923111, 0.478478298, 0.254598591,
};

/// Losses of the second epoch.
const std::vector<double> NETCNN_PRETRAINED_LOSS = {
    1.08525302, 0,
};

/// Losses of the third epoch with targets.
const std::vector<double> NETCNN_DISTILLED_LOSS = {
    1.0033387, 1.09956915,
};

/// Class probabilities of samples 0 to 7 after two epochs without and three with targets.
const std::vector<double> NETCNN_TRAINED = {
    0.469524505, 0.23904029, 0.291435205,
    0.275156071, 0.537550055, 0.187293874,
    0.424701182, 0.250870758, 0.32442806,
    0.455566131, 0.235048037, 0.309385832,
    0.347913374, 0.384938094, 0.267148532,
    0.371657416, 0.347919032, 0.280423552,
    0.450014948, 0.237866622, 0.31211843,
    0.359873015, 0.346919993, 0.293206992,
};

/// Losses of the second epoch of the cycle.
const std::vector<double> CYCLE_LOSS = {
    0.434138321, 1.17266775,
};

/// Class probabilities of samples 0 to 7 after the cycle.
const std::vector<double> CYCLE_TRAINED = {
    0.831875873, 0.101536885, 0.0665872427,
    0.418166462, 0.298338452, 0.283495087,
    0.447042155, 0.281376768, 0.271581077,
    0.443116263, 0.284575162, 0.272308574,
    0.687951995, 0.168138202, 0.143909803,
    0.426604068, 0.256142201, 0.317253731,
    0.384455332, 0.334331167, 0.281213502,
    0.470003167, 0.258389306, 0.271607527,
};

// clang-format on

} // namespace learner_reference

#endif /* LEARNER_REFERENCE_H */
