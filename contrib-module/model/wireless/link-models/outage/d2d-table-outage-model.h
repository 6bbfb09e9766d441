/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TABLE_OUTAGE_MODEL_H
#define D2D_TABLE_OUTAGE_MODEL_H

#include "d2d-outage-model.h"

#include <memory>
#include <string>

namespace ns3::collab
{

class D2dRateTable;

/// @ingroup collab-wireless
/// @brief How the signal-to-noise ratio of a fragment varies about its mean.
enum class D2dTableFading
{
    NONE,     //!< it does not: the table's channel may have fading of its own
    RAYLEIGH, //!< it is exponential, constant over a fragment
};

/**
 * @ingroup collab-wireless
 * @brief Outage by rate and length of the fragment, from a table of packet error rates.
 *
 * See D2dRateTable for the file and for what holds between its points. With Fading at Rayleigh the
 * PER is averaged over an exponential SNR, in closed form. Interference adds to the noise. A sender
 * must have a rate that the table has, or a lower one, which is then sent by the next faster MCS of
 * the table; adaptive rate control chooses among the rates of the table.
 */
class D2dTableOutageModel : public D2dOutageModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dTableOutageModel();
    ~D2dTableOutageModel() override;

  private:
    double DoGetOutageProbability(const D2dSignal& signal) const override;
    double DoGetSpectralEfficiency(const D2dSignal& signal,
                                   double targetOutage,
                                   double least,
                                   double greatest) const override;

    /// @param fileName attribute FileName
    void SetFileName(const std::string& fileName);
    /// @return attribute FileName
    std::string
    GetFileName() const
    {
        return m_fileName;
    }
    /// @return the table, which is read at its first use
    const D2dRateTable& GetTable() const;

    std::string m_fileName;                              //!< attribute FileName
    D2dTableFading m_fading = D2dTableFading::RAYLEIGH;  //!< attribute Fading
    mutable std::unique_ptr<const D2dRateTable> m_table; //!< what the file says
};

} // namespace ns3::collab

#endif /* D2D_TABLE_OUTAGE_MODEL_H */
