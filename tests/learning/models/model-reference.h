/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Made by tests/reference/make-model-reference.py; not to be edited by hand.

#ifndef MODEL_REFERENCE_H
#define MODEL_REFERENCE_H

#include <vector>

namespace model_reference
{

// clang-format off
/// Outputs of samples 0 to 2.
const std::vector<double> LINEAR_OUTPUTS = {
    0.38188731, -0.382166264, -1.42364609,
    -0.306513025, -0.480889585, 1.21239318,
    0.0384233665, 0.0406920666, -0.0395833049,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> LINEAR_GRADIENT = {
    51, 1.22418071, 0.570049842, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> POLYNOMIAL_OUTPUTS = {
    0.753762416, 0.387468744,
    -0.190678139, -0.208112447,
    0.11819951, 0.0150222814,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> POLYNOMIAL_GRADIENT = {
    70, 0.623823265, -0.319325615, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> MLP_OUTPUTS = {
    0.731060813, -0.737859295, -0.214941662, -0.271840597,
    0.3395153, -0.0868865905, -0.0435888684, -0.100718697,
    0.0771696812, -0.624275684, 0.229505595, -0.813431231,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> MLP_GRADIENT = {
    134, 1.05772859, -0.341768948, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> NETCNN_OUTPUTS = {
    0.32163067, -0.682728796, 0.234226135, 0.717954563, -2.15572129, 0.586647016, -1.32143929, -1.24911455, 1.03945018, -0.688227323,
    -0.250939689, -0.548866315, 1.18385699, 0.723629228, -1.20375736, 1.28238183, -0.472395001, -0.736919536, -0.305968908, -0.327913059,
    -0.0747068298, -0.682054394, 0.872978483, 0.347016257, -2.20465492, 0.0911088178, -0.8270199, -0.35706674, 0.105335514, -0.284731874,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> NETCNN_GRADIENT = {
    582026, 2.19132961, -2.5826486, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> LENET_32_OUTPUTS = {
    1.11918132, -0.0205670203, -1.69746785, -0.820178155, 0.363773803, 0.914442842, 0.0438355937, 1.09339819, 0.354033593, 0.217549952,
    0.866956367, -0.120739052, -1.44915727, -0.507437025, 0.187620604, 0.772046441, -0.494425651, 0.639482511, -0.356814172, 0.357635674,
    0.827742768, -0.365780349, -1.1728568, -0.752274298, 0.200704661, 0.682490706, -0.197821727, 0.574697383, 0.508209658, -0.129622298,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> LENET_32_GRADIENT = {
    62006, 2.62976351, 7.82333948, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> LENET_28_OUTPUTS = {
    0.649897768, -0.358542553, 0.443969151, 1.0402287, -0.615627755, -1.84133948, 0.461237496, 1.15357181, 1.12115508, -0.322469347,
    0.612111968, 0.0991064689, 0.423977475, 0.923460073, 0.00257517377, -1.72184633, 0.397642801, 0.940633487, 0.670233602, -0.515516776,
    0.550694159, 0.380293204, -0.287896572, 0.715326784, -0.333031662, -2.19054271, 0.0184684882, 0.816268431, 0.118538971, -0.180328895,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> LENET_28_GRADIENT = {
    61706, 2.50338618, -3.94309199, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> ALEXNET_32_OUTPUTS = {
    -0.0269494492, 1.04195654, -0.679700441, 0.738944524, 0.523042886, 0.689863101, 0.816930004, 0.623978444, 0.296998198, -1.37084416,
    0.0919787825, 0.769967877, -0.607335742, 0.957046374, 0.0641798623, 0.682638857, 0.544041931, 0.616691528, 0.192417322, -1.24481497,
    0.140034066, 0.737704131, -0.536648068, 0.849256508, 0.298913608, 0.456351553, 0.385023698, 0.480702463, 0.212440343, -1.15757415,
};

/// Outputs of samples 0 to 2.
const std::vector<double> ALEXNET_28_OUTPUTS = {
    0.625600609, -0.12218951, -0.0492903381, 0.27781938, -0.296002159, -0.971510666, 0.61534014, 0.935369305, -0.373266391, -0.072250609,
    0.532669858, -0.0853236694, -0.145692169, 0.219318344, -0.267678409, -1.00065627, 0.525405622, 0.565628764, -0.377690338, -0.24963895,
    0.43779194, -0.149131542, -0.113495489, 0.134475021, -0.363692491, -0.83712507, 0.491507651, 0.460317834, -0.22703144, 0.0590619309,
};

/// Outputs of samples 0 to 2.
const std::vector<double> ALEXNET_SIGNAL_OUTPUTS = {
    -0.113699187, -0.248306839, -0.126289179, -0.0358277013, -0.819569984, -0.0777318915, 0.291582525, -0.842137973, -0.223839649, 0.0831589375,
    -0.169940422, -0.347789007, -0.193583545, 0.00712306917, -0.680035895, -0.332661647, 0.573522503, -0.589098083, -0.25566497, -0.0134083292,
    -0.0331995329, -0.214602927, -0.0518875314, -0.133608107, -0.512277457, -0.342075486, 0.247494371, -0.50960329, -0.38662888, -0.121167329,
};

/// Outputs of samples 0 to 2.
const std::vector<double> CONV4_OUTPUTS = {
    3.84018571, -0.401439537, -0.173741122, -2.73937699, 0.0258025317, 0.803661036, -3.6251878, -1.99952547,
    2.94058078, -0.810102859, -0.40065447, -2.7495981, 0.480586098, 1.11822443, -3.16286334, -1.4050076,
    2.73658262, -0.639548379, -0.222359078, -2.89690586, 0.0584614805, 1.44872705, -3.32242032, -1.59971797,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> CONV4_GRADIENT = {
    65512, 2.48799295, -15.0624184, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> FC3_OUTPUTS = {
    -0.15725334, -0.57158501, 1.23675192, -0.830567523, -0.437173645, 0.621496371, 1.18626059, -0.141469898,
    0.232897504, -0.348256909, 0.989793424, 0.201839381, 0.162005216, -0.582499646, 0.253166656, 0.189429192,
    0.403451905, -0.551446514, 1.57821769, -0.641245727, -0.13026361, 0.253845018, 1.34219349, 0.459185672,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> FC3_GRADIENT = {
    234888, 2.14382289, 2.81699794, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> RESNET20_BN_OUTPUTS = {
    -4.69723903, 10.8213243, 0.138736397, 12.4764802, -9.15819092, -4.93741217, 6.67144775, 8.76003492, 4.87393853, -16.4610357,
    -5.14080606, 9.77720009, 0.498797462, 12.2794136, -8.90600931, -5.21588722, 6.91679378, 8.79853859, 4.46717189, -16.0385716,
    -5.80113857, 11.0620594, 0.134475664, 13.8132126, -10.3369302, -5.68783657, 7.49423862, 10.986917, 5.39082514, -18.4833804,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> RESNET20_BN_GRADIENT = {
    269722, 3.62820343, -13.9543742, 8.98868771,
};

/// Outputs of samples 0 to 2.
const std::vector<double> RESNET20_GN_OUTPUTS = {
    -2.18480113, 3.07049806, 1.07056444, 3.10557411, -2.31330812, -2.60851652, 3.34022219, 1.76129617, 0.733172306, -5.0407262,
    -1.90341716, 3.0846503, 1.66789365, 3.55472847, -3.19165651, -2.6908541, 3.43017971, 1.40340016, 0.64440157, -4.85796097,
    -1.65446894, 3.08055968, 1.33927363, 3.16409884, -3.01919685, -2.48974769, 3.83072026, 0.887066408, 0.569307385, -4.59071863,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> RESNET20_GN_GRADIENT = {
    269722, 3.79465035, -11.1643954, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> EFFICIENTNET_OUTPUTS = {
    -0.0573074222, -0.0487429375, -0.0811018766, 0.120137625, -0.196173842, -0.26306801, 0.1688063, 0.0883441517, 0.291782058, 0.166776523,
    -0.0553043641, -0.0499766354, -0.0917351749, 0.124296003, -0.190957075, -0.255216722, 0.182627204, 0.0890123965, 0.308275486, 0.171188641,
    -0.0578271859, -0.0477020511, -0.0917257712, 0.122544489, -0.197051192, -0.255629819, 0.176708759, 0.0858464591, 0.300467787, 0.167671968,
};

/// Outputs of samples 0 to 2.
const std::vector<double> CHAR_LSTM_OUTPUTS = {
    -0.130594258, -0.0575601362, -0.00139114858, -0.27489816, 0.137192367, -0.0589850714, -0.142629877, -0.49447172, -0.207117671, -0.153765198, 0.0183363594,
    -0.0811498456, -0.019299967, 0.0892172451, -0.328734115, 0.0708232557, 0.00701292759, -0.230731067, -0.594166698, -0.284687864, -0.103053343, 0.0647275037,
    -0.101055611, -0.138564691, 0.0781735668, -0.229878344, 0.234911117, -0.0277859552, -0.11910448, -0.415047958, -0.165933928, -0.127793297, 0.0735399168,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> CHAR_LSTM_GRADIENT = {
    125999, 2.32427214, -0.421067547, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> SENTIMENT_LSTM_OUTPUTS = {
    -0.122598251, 0.374644924,
    -0.104728714, 0.329262163,
    -0.0626719202, 0.24475949,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> SENTIMENT_LSTM_GRADIENT = {
    821762, 0.776835183, 0.257377587, 0,
};

/// Outputs of samples 0 to 2.
const std::vector<double> GCN_OUTPUTS = {
    0.29031347, -0.775094777, 0.258442601,
    0.29031347, -0.775094777, 0.258442601,
    0.29031347, -0.775094777, 0.258442601,
};

/// Parameters, cross-entropy in training, its gradient times cosines, state after it.
const std::vector<double> GCN_GRADIENT = {
    128, 1.20439968, -0.195772526, 0,
};

/// Loss of the last step and the weights times cosines.
const std::vector<double> TRAINED_SGD = {
    1.14876607, -0.0715065966,
};

/// Loss of the last step and the weights times cosines.
const std::vector<double> TRAINED_MOMENTUM = {
    0.80671827, -0.403765366,
};

/// Loss of the last step and the weights times cosines.
const std::vector<double> TRAINED_NESTEROV = {
    0.722543818, -0.521127191,
};

/// Loss of the last step and the weights times cosines.
const std::vector<double> TRAINED_ADAM = {
    1.33972409, 0.147442937,
};

/// Loss of the last step and the weights times cosines.
const std::vector<double> TRAINED_ADAM_BETAS = {
    1.34394734, -0.0829285687,
};

/// The same with a term added to the loss.
const std::vector<double> TRAINED_PROXIMAL = {
    1.10264567, 0.00274231079,
};

/// The same with a term added to the loss.
const std::vector<double> TRAINED_CORRECTION = {
    1.14401537, -0.0776797307,
};

/// The same with a term added to the loss.
const std::vector<double> TRAINED_L2 = {
    1.14412606, -0.0703710832,
};

/// Losses, weights times cosines, error, determination.
const std::vector<double> REGRESSION = {
    0.312887992, 0.145712152, 0.779984244, 0.259686407, -0.55811844,
};

/// Loss and its gradient times cosines.
const std::vector<double> TRIPLETS = {
    0.62601201, -18.7249031,
};

/// By m, then by r.
const std::vector<double> BELIEF_GRADIENT = {
    0.1, 0.537533638, -0.0754308867, 0.230298488, -0.0185515483, -0.362591351, -0.503092623, -0.503123537,
};

/// KL(belief || prior).
const std::vector<double> BELIEF_DIVERGENCE = {
    1.69075915,
};

// clang-format on

} // namespace model_reference

#endif /* MODEL_REFERENCE_H */
