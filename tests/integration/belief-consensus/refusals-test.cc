/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-run.h"

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Arguments that make no sense
using BeliefRefusalsTest = tests::BeliefRun;

} // namespace

TEST_F(BeliefRefusalsTest, MistakesBeforeAnythingIsWritten)
{
    const std::string given = "weights=given devices=2 ";
    const std::string networks = "family=mean-field ";
    ExpectRefusals(RunBeliefConsensus,
                   SMALL,
                   {{"method=d-psgd", "--method=d-psgd"},
                    {"malicious=0,1,2,3", "not all users"},
                    {"malicious=1 method=alone", "--method=alone"},
                    {given + "matrix=0,1;1,0 unsuitable=warn pooling=clipped", "--clipRadius"},
                    {"interval=1e-4", "--interval=0.0001"},
                    {"loss=partial", "--method=d-psgd"},
                    {"knowledge=rss", "needs the D2dRayleighOutageModel"},
                    {"weights=metropolis-heard method=gossip", "has no instants"},
                    {"weights=confidence", "confidence"},
                    {"weights=given", "--matrix"},
                    {given + "matrix=0,1;1,0", "period"},
                    {given + "matrix=0.5,0.6;0.5,0.5", "1.1"},
                    {"lie=negative-precision malicious=1", "precision"},
                    {"theta=1,x", "--theta=1,x"},
                    {networks + "model=stub:1000", "--model=stub:1000"},
                    {networks + "method=d-psgd evidencePower=network", "--evidencePower=network"},
                    {networks + "method=d-psgd optimizer=natural", "--optimizer=natural"},
                    {networks + "optimizer=natural learningRate=2", "--learningRate=2"},
                    {networks + "method=gossip dataUse=cavity", "--dataUse=cavity"},
                    {networks + "novelLabel=10", "less than the 10 classes"},
                    {"dataUse=cavity", "--dataUse=cavity"},
                    {"evidencePower=estimated missing=stale", "--evidencePower=estimated"},
                    {"evidencePower=estimated method=gossip", "--evidencePower=estimated"},
                    {"trueProbability=0.4", "--trueProbability=0.4"},
                    {"design=witness witness=4", "--witness=4"},
                    {"omit=rounds", "--omit=rounds"},
                    {"labels=3,0", "--labels=3,0"},
                    {"pooling=wasserstein", "wasserstein"},
                    {GAUSSIAN + "pooling=clipped", "--clipRadius"},
                    // for which no such distance is known
                    {"method=gossip pooling=clipped", "--clipRadius"},
                    {"weights=reliability D2dPhy::RateControl=Adaptive",
                     "--weights=reliability is not allowed; it must be another one with "
                     "ns3::collab::D2dPhy::RateControl=Adaptive"},
                    {"BeliefUserApplication::Lie=Wrong", "give --malicious and --lie"}});
}

TEST_F(BeliefRefusalsTest, NumbersThatOverflow)
{
    ExpectRefusals(RunBeliefConsensus,
                   SMALL,
                   {{"updateRate=1e-10", "--updateRate=1e-10"},
                    {"priorVariance=1e-310", "--priorVariance="},
                    {"lieStrength=1e-308", "--lieStrength="},
                    {"clipRadius=1e-310", "--clipRadius="},
                    {"learningRate=1e300", "--learningRate="},
                    {"initialDeviation=1e-300", "--initialDeviation="}});
}
