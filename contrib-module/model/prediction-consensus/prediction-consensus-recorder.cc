/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-recorder.h"

#include "prediction-consensus-answers.h"

#include "ns3/collab-table-registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <limits>
#include <utility>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A peer to whom a device gave a weight.
struct TrustRow
{
    uint32_t round;           //!< collaborative round
    uint32_t device;          //!< agent i
    TrustRecord::Entry entry; //!< of its row

    /// @return the table trust
    static TableColumns<TrustRow>
    GetTable()
    {
        using Row = TrustRow;
        using Entry = TrustRecord::Entry;
        return {"trust",
                "a peer to whom a device gave a weight in a collaborative round",
                {{"round", "", "number of the round, from 0", &Row::round},
                 {"device", "", "device that trusts", &Row::device},
                 {"peer",
                  "",
                  "device that is trusted; the device itself too",
                  Within(&Row::entry, &Entry::peer)},
                 {"weight",
                  "1",
                  "weight of its predictions; a device's add up to 1",
                  Within(&Row::entry, &Entry::weight)},
                 {"age_rounds",
                  "rounds",
                  "how old the predictions were; 0 if of this round, negative if of a later one",
                  Within(&Row::entry, &Entry::ageRounds)}}};
    }
};

/// @ingroup collab
/// @brief A device in a collaborative round.
struct InfluenceRow
{
    uint32_t round;    //!< collaborative round
    uint32_t device;   //!< who is trusted
    double columnSum;  //!< of W
    double importance; //!< mean weight in the product of all W
    double ensemble;   //!< accuracy of its pseudo-labels for the global test set

    /// @return the table influence
    static TableColumns<InfluenceRow>
    GetTable()
    {
        using Row = InfluenceRow;
        return {"influence",
                "a device in a collaborative round, seen by the researcher",
                {{"round", "", "number of the round, from 0", &Row::round},
                 {"device", "", "device that is trusted", &Row::device},
                 {"column_sum",
                  "1",
                  "sum of all devices' weights for it in this round, its own among them",
                  &Row::columnSum},
                 {"importance",
                  "1",
                  "its weight in the product of all W so far, mean over devices; all add up to 1",
                  &Row::importance},
                 {"ensemble_global",
                  "1",
                  "part of the global test set to which its row of W, of all devices' predictions "
                  "at the end of the round before, would give the right class; NaN unless measured",
                  &Row::ensemble}}};
    }
};

namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< cell without a number

} // namespace

/// @ingroup collab
/// @brief A round, seen by the researcher.
struct ConsensusRow
{
    uint32_t round;                                    //!< its number
    PredictionDistance distance;                       //!< of the devices at its end
    double trace = NONE;                               //!< of W
    double uniformDistance = NONE;                     //!< of W
    double rowDifference = NONE;                       //!< of the product of all W
    double bound = NONE;                               //!< of that
    UpdateResidual residual = {NONE, NONE};            //!< eq. (4)
    LowImportanceMargins margins = {NONE, NONE, NONE}; //!< of W
    double importance = NONE;                          //!< margin of the product of all W
    ConfidenceEffect effect = {NONE, NONE};            //!< of confidence weights on W

    /// @return columns of the distance of the devices' predictions
    static Columns<ConsensusRow> GetDistanceColumns();
    /// @return columns of the trust matrix
    static Columns<ConsensusRow> GetTrustColumns();
    /// @return columns of devices with bad data
    static Columns<ConsensusRow> GetMarginColumns();

    /// @return the table consensus
    static TableColumns<ConsensusRow>
    GetTable()
    {
        return {"consensus",
                "a round, seen by the researcher",
                Columns<ConsensusRow>{
                    {"round", "", "number of the round, from 0", &ConsensusRow::round}} +
                    GetDistanceColumns() + GetTrustColumns() + GetMarginColumns()};
    }
};

Columns<ConsensusRow>
ConsensusRow::GetDistanceColumns()
{
    const auto of = [](double PredictionDistance::*member) {
        return Within(&ConsensusRow::distance, member);
    };
    return {{"class_disagreement_mean",
             "1",
             "part of X* to which two devices give different classes at the end of the round, mean "
             "over pairs",
             of(&PredictionDistance::meanClasses)},
            {"class_disagreement_max",
             "1",
             "the same, greatest of the pairs",
             of(&PredictionDistance::maxClasses)},
            {"distance_mean",
             "",
             "l2 distance of two devices' predictions of a sample of X* at the end of the round, "
             "mean over X* and pairs",
             of(&PredictionDistance::meanDistance)},
            {"distance_max",
             "",
             "the same, mean over X* for the pair that is farthest apart",
             of(&PredictionDistance::maxDistance)},
            {"difference_max",
             "",
             "greatest difference of one predicted number, over X* and pairs",
             of(&PredictionDistance::maxDifference)}};
}

Columns<ConsensusRow>
ConsensusRow::GetTrustColumns()
{
    using Row = ConsensusRow;
    return {{"trace", "1", "trace of the trust matrix W of the round", &Row::trace},
            {"uniform_distance",
             "1",
             "greatest distance of a weight in W from 1 / number of devices",
             &Row::uniformDistance},
            {"row_difference",
             "1",
             "delta of the product of all W so far: 0 if all devices' predictions have the same "
             "influence everywhere",
             &Row::rowDifference},
            {"bound", "1", "bound of row_difference by the product of lambda(W)", &Row::bound},
            {"update_residual",
             "",
             "Frobenius norm of Psi(t) - W Psi(t-1), eq. (4): all devices' predictions of X* at "
             "the end of the round, and those that W mixes of the end of the round before; NaN if "
             "some are missing",
             Within(&Row::residual, &UpdateResidual::norm)},
            {"update_residual_relative",
             "1",
             "the same, divided by that of Psi(t)",
             Within(&Row::residual, &UpdateResidual::relative)}};
}

Columns<ConsensusRow>
ConsensusRow::GetMarginColumns()
{
    using Row = ConsensusRow;
    using Margins = LowImportanceMargins;
    return {{"column_sum_margin",
             "1",
             "least column sum of W of a regular device minus the greatest of one of low quality: "
             "Proposition 4 (ii), 7 (i), 8 (i) hold above 0; NaN without devices of low quality",
             Within(&Row::margins, &Margins::columnSums)},
            {"gap_margin",
             "1",
             "least preference of all regular devices for a regular device r to one of low quality "
             "b, minus b's own w_bb - w_br: Proposition 8 (ii) holds above 0",
             Within(&Row::margins, &Margins::gap)},
            {"row_margin",
             "1",
             "least weight for a regular device minus that for one of low quality, in the rows of "
             "all others than the latter: Proposition 4 (i), 7 (ii), 8 (iii) hold from 0",
             Within(&Row::margins, &Margins::rows)},
            {"importance_margin",
             "1",
             "least importance (table influence) of a regular device minus the greatest of one of "
             "low quality: above 0 as Propositions 4 and 8 conclude",
             &Row::importance},
            {"confidence_premise",
             "1",
             "part of the pairs of a regular device and one of low quality for which eq. (20) of "
             "Appendix F holds, where the half of X* with the lowest entropies is confident",
             Within(&Row::effect, &ConfidenceEffect::premise)},
            {"confidence_conclusion",
             "1",
             "part of these pairs for which trust is below that without confidence weights, as "
             "Appendix F concludes",
             Within(&Row::effect, &ConfidenceEffect::conclusion)}};
}

static const TableRegistration g_tables("prediction-consensus",
                                        {DescribeTable<TrustRow>,
                                         DescribeTable<ConsensusRow>,
                                         DescribeTable<InfluenceRow>});

namespace
{

/// @param bad places of the devices with bad data
/// @param w a trust matrix
/// @return whether there are bad devices and others
bool
HasBadDevices(const std::set<std::size_t>& bad, const Matrix<double>& w)
{
    return !bad.empty() && bad.size() < w.rows;
}

} // namespace

PredictionConsensusRecorder::PredictionConsensusRecorder(TableStore& store,
                                                         const ApplicationContainer& applications,
                                                         const std::set<std::size_t>& lowQuality,
                                                         std::shared_ptr<const DataView> global)
    : m_trust(store.Add<TrustRow>()),
      m_consensus(store.Add<ConsensusRow>()),
      m_influence(store.Add<InfluenceRow>()),
      m_lowQuality(lowQuality),
      m_global(std::move(global))
{
    using Recorder = PredictionConsensusRecorder;
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        auto application = DynamicCast<PredictionConsensusApplication>(applications.Get(i));
        m_places[application->GetDeviceId()] = i;
        m_left.insert(i);
        m_isRegression = application->IsRegression();
        m_mode = application->GetConsensusMode();
        application->TraceConnectWithoutContext("Trust",
                                                MakeCallback(&Recorder::HandleTrust, this));
        application->TraceConnectWithoutContext("Prediction",
                                                MakeCallback(&Recorder::HandlePrediction, this));
        application->TraceConnectWithoutContext("Round",
                                                MakeCallback(&Recorder::HandleRound, this));
        application->TraceConnectWithoutContext("End", MakeCallback(&Recorder::HandleEnd, this));
    }
}

void
PredictionConsensusRecorder::HandleTrust(const TrustRecord& record)
{
    for (const auto& entry : record.row)
    {
        m_trust.Write({record.round, record.device, entry});
    }
    m_rounds[record.round].trust[m_places.at(record.device)] = record;
}

void
PredictionConsensusRecorder::HandlePrediction(const PredictionRecord& record)
{
    if (record.name == REFERENCE)
    {
        m_rounds[record.round].predictions[m_places.at(record.device)] = record.predictions;
    }
    else if (record.name == GLOBAL)
    {
        m_rounds[record.round].global[m_places.at(record.device)] = record.predictions;
    }
}

void
PredictionConsensusRecorder::HandleRound(const RoundRecord& record)
{
    m_rounds[record.round].ended.insert(m_places.at(record.device));
    WriteRounds();
}

void
PredictionConsensusRecorder::HandleEnd(uint32_t device, bool finished)
{
    if (!finished)
    {
        m_left.erase(m_places.at(device));
        WriteRounds();
    }
}

void
PredictionConsensusRecorder::WriteRounds()
{
    while (!m_rounds.empty())
    {
        const auto first = m_rounds.begin();
        const auto& ended = first->second.ended;
        if (ended.empty() || ended.size() < m_left.size() ||
            !std::includes(ended.begin(), ended.end(), m_left.begin(), m_left.end()))
        {
            return;
        }
        WriteRound(first->first, first->second);
        m_rounds.erase(first);
    }
}

void
PredictionConsensusRecorder::WriteRound(uint32_t number, const Round& round)
{
    ConsensusRow row = {number, Compare(round)};
    if (!round.trust.empty() && m_places.size() <= MOST_TRACKED)
    {
        m_last = AssembleTrust(round);
        Count(m_last);
        MeasureTrust(round, row);
        WriteInfluence(number);
    }
    m_consensus.Write(row);
    m_before = round.predictions;
    m_globalBefore = round.global;
}

void
PredictionConsensusRecorder::MeasureTrust(const Round& round, ConsensusRow& row) const
{
    row.trace = ComputeTrace(m_last);
    row.uniformDistance = ComputeDistanceFromUniform(m_last);
    row.rowDifference = ComputeRowDifference(m_tracker.product);
    row.bound = m_tracker.bound;
    row.residual = CompareWithUpdate(round);
    if (HasBadDevices(m_lowQuality, m_last))
    {
        row.margins = ComputeLowImportance(m_last, m_lowQuality);
        row.importance = ComputeLowImportance(m_tracker.product, m_lowQuality).columnSums /
                         static_cast<double>(m_places.size());
        const auto before = ListAll(m_before);
        if (!m_isRegression && !before.empty())
        {
            row.effect = CompareWithoutConfidence(m_last, before, m_lowQuality);
        }
    }
}

UpdateResidual
PredictionConsensusRecorder::CompareWithUpdate(const Round& round) const
{
    const auto before = ListAll(m_before);
    const auto after = ListAll(round.predictions);
    return before.empty() || after.empty() ? UpdateResidual{NONE, NONE}
                                           : ComputeUpdateResidual(m_last, before, after);
}

std::vector<const Matrix<float>*>
PredictionConsensusRecorder::ListAll(const Predictions& predictions) const
{
    std::vector<const Matrix<float>*> all;
    if (predictions.size() == m_places.size() && m_places.size() <= MOST_COMPARED)
    {
        for (const auto& entry : predictions)
        {
            all.push_back(entry.second.get());
        }
    }
    return all;
}

std::vector<double>
PredictionConsensusRecorder::ScoreEnsembles() const
{
    std::vector<double> scores;
    const auto predictions = ListAll(m_globalBefore);
    for (std::size_t place = 0; m_global && !predictions.empty() && place < m_last.rows; ++place)
    {
        const std::vector<double> row(m_last.Row(place), m_last.Row(place) + m_last.columns);
        scores.push_back(ScorePseudoLabels(
            *m_global, PoolPredictions(row, predictions, m_isRegression, m_mode)));
    }
    return scores;
}

PredictionDistance
PredictionConsensusRecorder::Compare(const Round& round) const
{
    std::vector<const Matrix<float>*> predictions;
    const std::size_t step = (round.predictions.size() + MOST_COMPARED - 1) / MOST_COMPARED;
    std::size_t number = 0;
    for (const auto& [place, matrix] : round.predictions)
    {
        if (number++ % step == 0)
        {
            predictions.push_back(matrix.get());
        }
    }
    return predictions.size() > 1 ? ComputeDisagreement(predictions, m_isRegression)
                                  : PredictionDistance{NONE, NONE, NONE, NONE, NONE};
}

Matrix<double>
PredictionConsensusRecorder::AssembleTrust(const Round& round) const
{
    const std::size_t devices = m_places.size();
    Matrix<double> w(devices, devices);
    for (std::size_t place = 0; place < devices; ++place)
    {
        const auto known = round.trust.find(place);
        if (known == round.trust.end())
        {
            w(place, place) = 1;
            continue;
        }
        for (const auto& entry : known->second.row)
        {
            w(place, m_places.at(entry.peer)) = entry.weight;
        }
    }
    return w;
}

void
PredictionConsensusRecorder::Count(const Matrix<double>& w)
{
    m_tracker.Add(w);
    m_counts.positive += IsPositive(w) ? 1 : 0;
    m_counts.selfConfident += IsSelfConfident(w) ? 1 : 0;
    if (HasBadDevices(m_lowQuality, w))
    {
        const LowImportanceMargins margins = ComputeLowImportance(w, m_lowQuality);
        m_counts.columnSums += margins.columnSums > 0 ? 1 : 0;
        m_counts.all += margins.All() ? 1 : 0;
    }
}

void
PredictionConsensusRecorder::WriteInfluence(uint32_t round)
{
    const auto sums = ComputeColumnSums(m_last);
    const auto products = ComputeColumnSums(m_tracker.product);
    const auto ensembles = ScoreEnsembles();
    for (const auto& [device, place] : m_places)
    {
        m_influence.Write({round,
                           device,
                           sums[place],
                           products[place] / static_cast<double>(m_places.size()),
                           ensembles.empty() ? NONE : ensembles[place]});
    }
}

void
PredictionConsensusRecorder::WriteChecks(std::ostream& os) const
{
    const uint64_t rounds = m_tracker.rounds;
    if (rounds == 0)
    {
        return;
    }
    fmt::print(os, "trust matrices of {} collaborative rounds:\n", rounds);
    fmt::print(os, "  positive (Theorem 1): in {} rounds\n", m_counts.positive);
    fmt::print(os, "  self-confident: in {} rounds\n", m_counts.selfConfident);
    fmt::print(os,
               "  row difference of their product, eq. (10): {:.3g}, bound {:.3g}\n",
               ComputeRowDifference(m_tracker.product),
               m_tracker.bound);
    fmt::print(os,
               "  trace grew (against Claim 3) in {} rounds; last W is {:.3g} from uniform\n",
               m_tracker.traceIncreases,
               ComputeDistanceFromUniform(m_last));
    if (HasBadDevices(m_lowQuality, m_last))
    {
        fmt::print(os,
                   "  bad devices received the least trust in {} rounds; all conditions of "
                   "Proposition {} in {}\n",
                   m_counts.columnSums,
                   m_lowQuality.size() == 1 ? 4 : 8,
                   m_counts.all);
    }
}

} // namespace ns3::collab
