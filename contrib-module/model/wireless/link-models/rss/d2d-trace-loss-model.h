/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TRACE_LOSS_MODEL_H
#define D2D_TRACE_LOSS_MODEL_H

#include "ns3/nstime.h"
#include "ns3/propagation-loss-model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3::collab
{

class D2dLinkTrace;

/// @ingroup collab-wireless
/// @brief What links do between the rows of a trace.
enum class D2dTraceInterpolation
{
    HOLD,   //!< keep the value of the last row
    LINEAR, //!< change linearly in decibels
};

/**
 * @ingroup collab-wireless
 * @brief Path gains or received powers from a file that says them by time and link.
 *
 * Device numbers of the file are numbers of nodes. Positions play no part. A path gain is added to
 * the power given to the model, a received power replaces it. Values are constant between instants
 * that are known: the times of the file, or with LINEAR the multiples of Resolution between its
 * first and last time. Bursts on air read their links again at these instants.
 */
class D2dTraceLossModel : public PropagationLossModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dTraceLossModel();
    ~D2dTraceLossModel() override;

    /// @param trace trace, which replaces the file
    void SetTrace(std::shared_ptr<const D2dLinkTrace> trace);
    /// @param node node that the trace calls server
    void SetServer(uint32_t node);
    /// @return how long all values stay as they are; 0 for ever
    Time GetTimeToChange() const;

  private:
    double DoCalcRxPower(double txPowerDbm,
                         Ptr<MobilityModel> a,
                         Ptr<MobilityModel> b) const override;
    int64_t DoAssignStreams(int64_t stream) override;

    /// @param fileName attribute FileName
    void SetFileName(const std::string& fileName);
    /// @return attribute FileName
    std::string
    GetFileName() const
    {
        return m_fileName;
    }
    /// @return the trace
    /// @throws DataFileError if the file is bad
    /// @throws UserError if there is none
    const D2dLinkTrace& GetTrace() const;
    /// @return the instant from which on values are as they are now; the first one before it
    Time GetInstant() const;
    /// @return attribute Changes
    uint64_t CountChanges() const;
    /// @param mobility mobility model of a node
    /// @return number of the device in the trace
    uint32_t GetDevice(const Ptr<MobilityModel>& mobility) const;

    std::string m_fileName; //!< attribute FileName
    D2dTraceInterpolation m_interpolation =
        D2dTraceInterpolation::HOLD;                     //!< attribute Interpolation
    Time m_resolution;                                   //!< attribute Resolution
    std::optional<uint32_t> m_server;                    //!< see SetServer()
    uint64_t m_changes = 0;                              //!< by a script
    mutable std::shared_ptr<const D2dLinkTrace> m_trace; //!< read when it is first needed
};

} // namespace ns3::collab

#endif /* D2D_TRACE_LOSS_MODEL_H */
