/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONTRACT_CONTRACT_TEST_CASE_H
#define CONTRACT_CONTRACT_TEST_CASE_H

#include "contract/protocols.h"

#include <gtest/gtest.h>

namespace tests
{

/// Runs of one of the protocols
class ContractTest : public ::testing::TestWithParam<Protocol>
{
  protected:
    /// @param setting of a new run, whose applications are installed
    void Make(const ContractSetting& setting = {});
    /// @brief Run to the end, which must come by itself.
    void Run();
    /// @brief Check what every run without forged messages obeys.
    void ExpectSoundBooks() const;
    /// @param gone devices that need not have done all rounds
    void ExpectAllDone(const std::set<uint32_t>& gone = {}) const;
    /// @return number of nodes
    uint32_t CountNodes() const;

    ContractBench m_bench; //!< the run
};

} // namespace tests

#endif /* CONTRACT_CONTRACT_TEST_CASE_H */
