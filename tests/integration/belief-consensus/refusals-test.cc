/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-run.h"

#include "ns3/collab-error.h"
#include "ns3/string.h"

#include <functional>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;

namespace
{

/// Arguments that make no sense
class BeliefRefusalsTest : public tests::BeliefRun
{
  protected:
    /// What is said about a run that is refused, or nothing; it has written nothing
    std::string
    Refuse(const std::function<void(BeliefParameters&)>& change) const
    {
        auto p = Small("discrete", "refused");
        change(p);
        std::string text;
        try
        {
            Run(p);
        }
        catch (const UserError& error)
        {
            text = error.what();
        }
        EXPECT_FALSE(std::filesystem::exists(p.runDir));
        EXPECT_FALSE(std::filesystem::exists(p.runDir + ".partial"));
        return text;
    }
};

} // namespace

TEST_F(BeliefRefusalsTest, MistakesBeforeAnythingIsWritten)
{
    using P = BeliefParameters&;
    EXPECT_THAT(Refuse([](P p) { p.method = "d-psgd"; }), HasSubstr("--method=d-psgd"));
    EXPECT_THAT(Refuse([](P p) { p.malicious = "0,1,2,3"; }), HasSubstr("not all users"));
    EXPECT_THAT(Refuse([](P p) {
                    p.malicious = "1";
                    p.method = "alone";
                }),
                HasSubstr("--method=alone"));
    EXPECT_THAT(Refuse([](P p) {
                    p.weights = "given";
                    p.devices = 2;
                    p.matrix = "0,1;1,0";
                    p.unsuitable = "warn";
                    p.pooling = "clipped";
                }),
                HasSubstr("--clipRadius"));
    EXPECT_THAT(Refuse([](P p) { p.interval = 1e-4; }), HasSubstr("--interval=0.0001"));
    EXPECT_THAT(Refuse([](P p) { p.weights = "confidence"; }), HasSubstr("confidence"));
    EXPECT_THAT(Refuse([](P p) { p.weights = "given"; }), HasSubstr("--matrix"));
    EXPECT_THAT(Refuse([](P p) {
                    p.weights = "given";
                    p.devices = 2;
                    p.matrix = "0,1;1,0";
                }),
                HasSubstr("period"));
    EXPECT_THAT(Refuse([](P p) {
                    p.weights = "given";
                    p.devices = 2;
                    p.matrix = "0.5,0.6;0.5,0.5";
                }),
                HasSubstr("1.1"));
    EXPECT_THAT(Refuse([](P p) {
                    p.lie = "negative-precision";
                    p.malicious = "1";
                }),
                HasSubstr("precision"));
    EXPECT_THAT(Refuse([](P p) { p.theta = "1,x"; }), HasSubstr("--theta=1,x"));
    EXPECT_THAT(Refuse([](P p) {
                    p.family = "mean-field";
                    p.model = "stub:1000";
                }),
                HasSubstr("--model=stub:1000"));
    EXPECT_THAT(Refuse([](P p) {
                    p.family = "mean-field";
                    p.method = "d-psgd";
                    p.evidencePower = "network";
                }),
                HasSubstr("--evidencePower=network"));
    EXPECT_THAT(Refuse([](P p) { p.omit = "rounds"; }), HasSubstr("--omit=rounds"));
    EXPECT_THAT(Refuse([](P p) { p.labels = "3,0"; }), HasSubstr("--labels=3,0"));
    EXPECT_THAT(Refuse([](P p) { p.pooling = "wasserstein"; }), HasSubstr("wasserstein"));
    EXPECT_THAT(Refuse([](P p) {
                    p.family = "gaussian";
                    p.pooling = "clipped";
                }),
                HasSubstr("--clipRadius"));
}

TEST_F(BeliefRefusalsTest, WeightsByRatesThatNobodySendsAt)
{
    Config::SetDefault("ns3::collab::D2dPhy::RateControl", StringValue("Adaptive"));
    EXPECT_THAT(Refuse([](BeliefParameters& p) { p.weights = "reliability"; }),
                HasSubstr("--weights=reliability is not allowed; it must be another one with "
                          "ns3::collab::D2dPhy::RateControl=Adaptive"));
}

TEST_F(BeliefRefusalsTest, LiesThatNobodyIsNamedFor)
{
    Config::SetDefault("ns3::collab::BeliefUserApplication::Lie", StringValue("Wrong"));
    EXPECT_THAT(Refuse([](BeliefParameters&) {}), HasSubstr("give --malicious and --lie"));
}

TEST_F(BeliefRefusalsTest, NumbersThatOverflow)
{
    using P = BeliefParameters&;
    EXPECT_THAT(Refuse([](P p) { p.updateRate = "1e-10"; }), HasSubstr("--updateRate=1e-10"));
    EXPECT_THAT(Refuse([](P p) { p.priorVariance = 1e-310; }), HasSubstr("--priorVariance="));
    EXPECT_THAT(Refuse([](P p) { p.lieStrength = 1e-308; }), HasSubstr("--lieStrength="));
    EXPECT_THAT(Refuse([](P p) { p.clipRadius = 1e-310; }), HasSubstr("--clipRadius="));
    EXPECT_THAT(Refuse([](P p) { p.learningRate = 1e300; }), HasSubstr("--learningRate="));
    EXPECT_THAT(Refuse([](P p) { p.initialDeviation = 1e-300; }), HasSubstr("--initialDeviation="));
}
