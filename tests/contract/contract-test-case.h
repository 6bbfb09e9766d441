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
    /// @brief Check the books of messages of a run without forged ones.
    void ExpectSoundBooks() const;
    /// @brief Check that joules by kind add up to what batteries have lost.
    void ExpectSoundEnergy() const;
    /// @param gone device that need not have done all rounds; if it serves, others have ended
    /// theirs
    void ExpectAllDone(std::optional<uint32_t> gone = std::nullopt) const;
    /// @brief Check that a device has sent and done nothing while it was gone.
    void ExpectSilence(uint32_t device, ns3::Time from, ns3::Time to = ns3::Time::Max()) const;
    /// @return number of devices, with a base station
    static uint32_t CountNodes();
    /// @return the protocol's forms, the usual one first
    static std::vector<ProtocolForm> GetForms();

    ContractBench m_bench; //!< the run
};

} // namespace tests

#endif /* CONTRACT_CONTRACT_TEST_CASE_H */
