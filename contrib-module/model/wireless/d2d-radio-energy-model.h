/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RADIO_ENERGY_MODEL_H
#define D2D_RADIO_ENERGY_MODEL_H

#include "collab-itemized-energy-model.h"
#include "d2d-net-device.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Energy of a D2dNetDevice: transmitting, listening, idle.
 *
 * Each transmitted signal, a burst or an acknowledgment, draws P_tx / eta + P_circuit for its
 * airtime. Listening draws RxPower however many bursts are heard at once. A radio that does neither
 * draws IdlePower. A radio without energy is switched off.
 */
class D2dRadioEnergyModel : public ItemizedEnergyModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param device the radio; call after SetEnergySource()
     */
    void SetDevice(Ptr<D2dNetDevice> device);

    /// @return power drawn while one signal is transmitted [W]
    double GetTxPowerW() const;

  protected:
    void DoDispose() override;

  private:
    void DoSwitchOff() override;
    void DoSwitchOn() override;
    /// @param activity what the radio does from now on
    void HandleActivity(const D2dRadioActivity& activity);

    Ptr<D2dNetDevice> m_device; //!< the radio
    double m_efficiency;        //!< attribute AmplifierEfficiency
    double m_circuitPowerW;     //!< attribute CircuitPower [W]
    double m_rxPowerW;          //!< attribute RxPower [W]
    double m_idlePowerW;        //!< attribute IdlePower [W]
};

} // namespace collab
} // namespace ns3

#endif /* D2D_RADIO_ENERGY_MODEL_H */
