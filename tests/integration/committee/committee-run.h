/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_RUN_H
#define COMMITTEE_RUN_H

#include "committee/committee-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"

#include <set>
#include <string>

namespace tests
{

/// Whole runs of twelve devices for four rounds on a small part of Fashion-MNIST
class CommitteeRun : public ScenarioTest
{
  protected:
    PlayedRun
    Run(const std::string& arguments)
    {
        return Play(RunCommittee, SMALL + arguments);
    }

    const std::string SMALL = SmallFashion::Argument() +
                              "devices=12 activePercent=100 samples=60 referenceSamples=20 "
                              "testSamples=50 minimumSamples=4 model=mlp:4 rounds=4 ";
};

} // namespace tests

#endif /* COMMITTEE_RUN_H */
