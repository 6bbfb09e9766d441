/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Loss models as a user might write them, which count how often they are asked.
 */

#ifndef TESTS_COUNTED_LOSS_H
#define TESTS_COUNTED_LOSS_H

#include "ns3/mobility-model.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab::tests
{

/// 100 dB at any distance; says nothing of its changes
class CountedLoss : public PropagationLossModel
{
  public:
    static TypeId
    GetTypeId()
    {
        static TypeId tid =
            TypeId("CountedLoss").SetParent<PropagationLossModel>().AddConstructor<CountedLoss>();
        return tid;
    }

    mutable uint64_t asked = 0; //!< powers that were computed
    double lossDb = 100;        //!< loss at 1 m [dB]
    double perDecadeDb = 0;     //!< more at ten times the distance [dB]

  private:
    double
    DoCalcRxPower(double txPowerDbm, Ptr<MobilityModel> a, Ptr<MobilityModel> b) const override
    {
        ++asked;
        return txPowerDbm - lossDb - perDecadeDb * std::log10(std::max(a->GetDistanceFrom(b), 1.0));
    }

    int64_t
    DoAssignStreams(int64_t) override
    {
        return 0;
    }
};

/// The same, which tells that it has changed
class TellingLoss : public CountedLoss
{
  public:
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("TellingLoss")
                                .SetParent<CountedLoss>()
                                .AddConstructor<TellingLoss>()
                                .AddAttribute("Changes",
                                              "How often it has changed.",
                                              TypeId::ATTR_GET,
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&TellingLoss::m_changes),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    /// @param loss from now on [dB]
    void
    SetLossDb(double loss)
    {
        lossDb = loss;
        ++m_changes;
    }

  private:
    uint32_t m_changes = 0; //!< see SetLossDb()
};

/// The same, over distance
class TellingPathLoss : public TellingLoss
{
  public:
    TellingPathLoss()
    {
        lossDb = 46.7;
        perDecadeDb = 30;
    }

    static TypeId
    GetTypeId()
    {
        static TypeId tid =
            TypeId("TellingPathLoss").SetParent<TellingLoss>().AddConstructor<TellingPathLoss>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(CountedLoss);
NS_OBJECT_ENSURE_REGISTERED(TellingLoss);
NS_OBJECT_ENSURE_REGISTERED(TellingPathLoss);

} // namespace ns3::collab::tests

#endif /* TESTS_COUNTED_LOSS_H */
