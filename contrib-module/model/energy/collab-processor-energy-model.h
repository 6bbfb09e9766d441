/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PROCESSOR_ENERGY_MODEL_H
#define COLLAB_PROCESSOR_ENERGY_MODEL_H

#include "collab-itemized-energy-model.h"
#include "collab-processor.h"

namespace ns3::collab
{

/// @ingroup collab-energy
/// @brief Energy of a Processor: computing and idle.
class ProcessorEnergyModel : public ItemizedEnergyModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param processor the processor; call after SetEnergySource()
    void SetProcessor(Ptr<Processor> processor);
    /// @return the processor; null before SetProcessor()
    Ptr<Processor> GetProcessor() const;

  protected:
    void DoDispose() override;

  private:
    void DoSwitchOff() override;
    void DoSwitchOn() override;
    /// @param on whether the processor is powered from now on
    /// @param busy whether a job runs
    void HandleState(bool on, bool busy);
    /// @brief The processor, whatever it does, takes another power from now on.
    void HandlePower();

    Ptr<Processor> m_processor; //!< the processor
};

} // namespace ns3::collab

#endif /* COLLAB_PROCESSOR_ENERGY_MODEL_H */
