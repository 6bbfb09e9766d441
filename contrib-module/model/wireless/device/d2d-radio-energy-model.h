/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RADIO_ENERGY_MODEL_H
#define D2D_RADIO_ENERGY_MODEL_H

#include "d2d-net-device.h"

#include "ns3/collab-itemized-energy-model.h"
#include "ns3/collab-state-clock.h"
#include "ns3/double.h"

#include <array>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What a radio is doing.
enum class D2dRadioState : std::size_t
{
    OFF,  //!< it is not powered
    IDLE, //!< it neither transmits nor listens
    RX,   //!< it listens and does not transmit
    TX,   //!< it transmits, and may listen besides
};

/// Number of states of a radio
constexpr std::size_t D2D_RADIO_STATE_COUNT = 4;

/// @ingroup collab-wireless
/// @brief With whom a radio speaks, and so on which account its energy goes.
enum class D2dRadioAccount
{
    D2D, //!< with other devices: tx and rx
    D2S, //!< with a base station: d2s_tx and d2s_rx
};

/**
 * @ingroup collab-wireless
 * @brief Energy of a D2dNetDevice: transmitting, listening, idle.
 *
 * Each transmitted signal, a burst or an acknowledgment, draws P_tx / eta + P_circuit for its
 * airtime, an analog signal the same with its own power. Listening draws RxPower however many
 * bursts are heard at once. A radio that does neither draws IdlePower. A radio without energy is
 * switched off.
 */
class D2dRadioEnergyModel : public ItemizedEnergyModel, private D2dPhyListener
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param device the radio; call after SetEnergySource()
    void SetDevice(Ptr<D2dNetDevice> device);
    /// @return the radio; null before SetDevice()
    Ptr<D2dNetDevice>
    GetDevice() const
    {
        return m_device;
    }

    /// @return power drawn while one signal is transmitted [W]
    double GetTxPowerW() const;

    /// @param state a state
    /// @return how long the radio was in it since SetDevice(); all states add up to the time since
    Time GetStateDuration(D2dRadioState state) const;

  protected:
    void DoDispose() override;

  private:
    void DoSwitchOff() override;
    void DoSwitchOn() override;
    void HandleActivity(const D2dRadioActivity& activity, const Time& now) override;
    /// @brief What the radio does takes another power from now on.
    void HandlePowers();
    /// @param value value of an attribute of the power, in force from now on
    template <double D2dRadioEnergyModel::*PART>
    void
    SetPart(double value)
    {
        this->*PART = value;
        HandlePowers();
    }
    /// @return value of an attribute of the power
    template <double D2dRadioEnergyModel::*PART>
    double
    GetPart() const
    {
        return this->*PART;
    }
    /// @return accessor of an attribute of the power
    template <double D2dRadioEnergyModel::*PART>
    static Ptr<const AttributeAccessor>
    MakePartAccessor()
    {
        return MakeDoubleAccessor(&D2dRadioEnergyModel::SetPart<PART>,
                                  &D2dRadioEnergyModel::GetPart<PART>);
    }
    /// @brief What was booked for a duty cycle was not all that there was, or too much.
    /// @param correction correction of it
    void Correct(const D2dCorrection& correction);
    /// @param activity what a radio does
    /// @param now the present moment
    void EnterState(const D2dRadioActivity& activity, const Time& now);
    /// @brief Add what GetCycled() says of the duty cycle, which ends, to m_cycled.
    void SettleCycle();
    /// @param activity what a radio does
    /// @return what it draws then
    PowerDraw MakeDraw(const D2dRadioActivity& activity) const;
    /// @brief Do all that is to be done, if a radio without duty cycle begins or stops to listen.
    /// @param activity what a radio does
    /// @param now the present moment
    /// @return whether it was no more than that
    bool ListensByTurns(const D2dRadioActivity& activity, const Time& now);
    /// @param state a state
    /// @return how much longer than by m_clock it was in it, since its duty cycle says so
    Time GetCycled(D2dRadioState state) const;

    Ptr<D2dNetDevice> m_device;                               //!< the radio
    Ptr<D2dPhy> m_phy;                                        //!< what transmits and listens of it
    double m_efficiency;                                      //!< attribute AmplifierEfficiency
    double m_circuitPowerW;                                   //!< attribute CircuitPower [W]
    double m_rxPowerW;                                        //!< attribute RxPower [W]
    double m_idlePowerW;                                      //!< attribute IdlePower [W]
    D2dRadioAccount m_account;                                //!< attribute Account
    StateClock<D2dRadioState, D2D_RADIO_STATE_COUNT> m_clock; //!< durations of the states
    std::array<Time, D2D_RADIO_STATE_COUNT> m_cycled; //!< see GetCycled(), before the present state
    D2dRadioState m_state = D2dRadioState::IDLE;      //!< the present state, without duty cycle
    D2dDutyCycle m_cycle;                             //!< the present duty cycle
    Time m_cycleSince;                                //!< when it began
    mutable double m_txPowerDbm = 0;   //!< power on the air that m_airPowerW is for [dBm]
    mutable double m_airPowerW = 1e-3; //!< the same in watts
};

} // namespace ns3::collab

#endif /* D2D_RADIO_ENERGY_MODEL_H */
