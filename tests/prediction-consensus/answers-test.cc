/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/prediction-consensus-answers.h"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

/// @return three samples of four classes: 2, 0 and 3
DataView
MakeThree()
{
    auto data = std::make_shared<DataSet>();
    data->classes = 4;
    DataView view;
    view.data = data;
    view.indices = {5, 6, 7};
    view.labels = {2, 0, 3};
    return view;
}

TEST(AnswersTest, AreOneAtTheClass)
{
    const Matrix<float> answers = ListAnswers(MakeThree(), 4);
    EXPECT_EQ(answers.values, (std::vector<float>{0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(ScorePseudoLabels(MakeThree(), answers), 1);
}

TEST(AnswersTest, AreTheTargetsInRegression)
{
    auto data = std::make_shared<DataSet>();
    data->outputs = 2;
    data->targets = {0, 1, 2, 3, 4, 5};
    DataView view;
    view.data = data;
    view.indices = {2, 0};
    EXPECT_EQ(ListAnswers(view, 2).values, (std::vector<float>{4, 5, 0, 1}));
}

TEST(AnswersTest, MustBeThere)
{
    DataView view = MakeThree();
    EXPECT_THROW(ListAnswers(view, 3), std::invalid_argument); // class 3 is the fourth one
    view.labels = {2, 0};
    EXPECT_THROW(ListAnswers(view, 4), std::invalid_argument);
    EXPECT_TRUE(std::isnan(ScorePseudoLabels(view, Matrix<float>(3, 4))));
}

TEST(AnswersTest, ScoreIsThePartOfRightClasses)
{
    Matrix<float> pseudoLabels(3, 4, 0.2F);
    pseudoLabels.Row(0)[2] = 0.3F;                                    // right
    pseudoLabels.Row(1)[3] = 0.4F;                                    // wrong
    EXPECT_EQ(ScorePseudoLabels(MakeThree(), pseudoLabels), 1 / 3.0); // of equals the first
    pseudoLabels.Row(2)[3] = 0.21F;
    EXPECT_EQ(ScorePseudoLabels(MakeThree(), pseudoLabels), 2 / 3.0);
}

} // namespace
