/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-distributed-pca.h"
#include "ns3/collab-pseudo-labels.h"
#include "ns3/collab-random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

namespace pseudo_labels_test
{

using namespace ns3::collab;
using namespace tests;

/// Views of 240 samples of 3 classes in a random order, 20 % of which have labels.
class PseudoLabelsTest : public testing::Test
{
  protected:
    PseudoLabelsTest()
    {
        const Matrix<float> blobs = MakeBlobs(300, 8, 3, 1.5F, 3);
        const auto data = MakeDataSet(
            FeatureKind::NUMBERS, {8}, 300, 3, [&](auto i, auto j) { return blobs(i, j); });
        RandomGenerator generator(5);
        std::vector<uint32_t> order = DrawPermutation(300, generator);
        order.resize(240);
        m_view = MakeView(data, order);
        m_views = SplitLabeled(m_view, 0.2, 1);
        m_subspace = FindSubspace(FindPrincipalComponents(DecodeSamples(m_view), 4));
        m_few.neighbors = 5;
    }

    /// @return subspace of one device alone
    static Matrix<float>
    FindSubspace(const PrincipalComponents& components)
    {
        return CombinePrincipalComponents({&components},
                                          static_cast<uint32_t>(components.singularValues.size()));
    }

    /// Expect all samples in their order, given labels as they were.
    void
    ExpectWhole(const DataView& believed) const
    {
        EXPECT_EQ(believed.data, m_view.data);
        EXPECT_EQ(believed.indices, m_view.indices);
        ASSERT_EQ(believed.labels.size(), 240U);
        std::size_t next = 0;
        for (std::size_t i = 0; i < 240; ++i)
        {
            if (m_views.isLabeled[i])
            {
                EXPECT_EQ(believed.labels[i], m_views.labeled.labels[next++]);
            }
            EXPECT_GE(believed.labels[i], 0);
            EXPECT_LT(believed.labels[i], 3);
        }
    }

    DataView m_view;             //!< with all true labels
    SemiSupervisedViews m_views; //!< of it
    Matrix<float> m_subspace;    //!< of its samples
    PropagationOptions m_few;    //!< with few neighbors
};

TEST_F(PseudoLabelsTest, PropagationLabelsWhatWasSplit)
{
    m_views.labeled.labels[0] = (m_views.labeled.labels[0] + 1) % 3; // owners may be wrong
    const DataView believed = LabelByPropagation(m_views, m_subspace, m_few);
    ExpectWhole(believed);
    EXPECT_GT(MeasureLabelingAccuracy(m_views, believed), 0.9);
    std::vector<int64_t> known(240, NO_LABEL);
    std::size_t next = 0;
    for (std::size_t i = 0; i < 240; ++i)
    {
        known[i] = m_views.isLabeled[i] ? m_views.labeled.labels[next++] : NO_LABEL;
    }
    const Matrix<float> projected = Project(DecodeSamples(m_view), m_subspace);
    EXPECT_EQ(believed.labels, PropagateLabels(projected, known, m_few).labels);
}

TEST_F(PseudoLabelsTest, ModelsLabelWhatWasSplit)
{
    for (const char* name : {"linear", "mlp:16"})
    {
        LabelingModel model;
        model.model = name;
        const DataView believed = LabelByModel(m_views, model, 1);
        ExpectWhole(believed);
        EXPECT_GT(MeasureLabelingAccuracy(m_views, believed), 0.9) << name;
        EXPECT_EQ(LabelByModel(m_views, model, 1).labels, believed.labels);
        model.epochs = 1;
        const DataView less = LabelByModel(m_views, model, 1);
        EXPECT_LT(MeasureLabelingAccuracy(m_views, less),
                  MeasureLabelingAccuracy(m_views, believed))
            << name;
    }
}

TEST_F(PseudoLabelsTest, OfAllLabelsStayAsTheyAre)
{
    m_views = SplitLabeled(m_view, 1, 1);
    EXPECT_EQ(LabelByPropagation(m_views, m_subspace, m_few).labels, m_view.labels);
    const DataView believed = LabelByModel(m_views, {}, 1);
    EXPECT_EQ(believed.labels, m_view.labels);
    EXPECT_TRUE(std::isnan(MeasureLabelingAccuracy(m_views, believed)));
}

TEST_F(PseudoLabelsTest, AccuracyIsOfSamplesWithoutLabels)
{
    DataView believed = m_view;
    EXPECT_EQ(MeasureLabelingAccuracy(m_views, believed), 1);
    const auto count = static_cast<double>(m_views.unlabeled.Size());
    bool hasChanged[] = {false, false};
    for (std::size_t i = 0; i < 240; ++i) // one wrong of each kind
    {
        if (!hasChanged[m_views.isLabeled[i]])
        {
            believed.labels[i] = (believed.labels[i] + 1) % 3;
            hasChanged[m_views.isLabeled[i]] = true;
        }
    }
    EXPECT_DOUBLE_EQ(MeasureLabelingAccuracy(m_views, believed), (count - 1) / count);
    believed.indices.pop_back();
    EXPECT_THROW(MeasureLabelingAccuracy(m_views, believed), std::invalid_argument);
}

TEST_F(PseudoLabelsTest, RefuseViewsThatDoNotBelongTogether)
{
    SemiSupervisedViews wrong = m_views;
    wrong.isLabeled.clear();
    EXPECT_THROW(LabelByPropagation(wrong, m_subspace), std::invalid_argument);
    wrong = SplitLabeled(m_view, 0, 1);
    EXPECT_THROW(LabelByModel(wrong, {}, 1), std::invalid_argument);
    wrong = m_views;
    wrong.unlabeled.data = std::make_shared<DataSet>(*m_view.data);
    EXPECT_THROW(LabelByModel(wrong, {}, 1), std::invalid_argument);
    wrong = m_views;
    wrong.isLabeled.flip();
    EXPECT_THROW(LabelByModel(wrong, {}, 1), std::invalid_argument);
}

TEST_F(PseudoLabelsTest, ModelsCostTrainingAndPrediction)
{
    LabelingModel model;
    const uint64_t fifty = CountModelLabelFlops(m_views, model);
    model.epochs = 25;
    const uint64_t half = CountModelLabelFlops(m_views, model);
    m_views.unlabeled.indices.clear();
    m_views.isLabeled.assign(m_views.labeled.Size(), true);
    EXPECT_EQ(fifty - half, CountModelLabelFlops(m_views, model));
}

} // namespace pseudo_labels_test
