/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-table-outage-model.h"

#include "d2d-rate-table.h"

#include "ns3/abort.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-error.h"
#include "ns3/string.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dTableOutageModel);

TypeId
D2dTableOutageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dTableOutageModel")
            .SetParent<D2dOutageModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dTableOutageModel>()
            .AddAttribute(
                "FileName",
                "File with packet error rates: in each line rate (bit/s/Hz), bytes, SNR (dB) "
                "and PER.",
                StringValue(""),
                MakeStringAccessor(&D2dTableOutageModel::SetFileName,
                                   &D2dTableOutageModel::GetFileName),
                MakeStringChecker())
            .AddAttribute("Fading",
                          "Whether the PER is that at the mean SNR (None), or its mean over an SNR "
                          "under Rayleigh fading (Rayleigh).",
                          compat::EnumAttribute(D2dTableFading::RAYLEIGH),
                          compat::EnumAccessor(&D2dTableOutageModel::m_fading),
                          compat::EnumChecker(
                              D2dTableFading::RAYLEIGH, "Rayleigh", D2dTableFading::NONE, "None"));
    return tid;
}

D2dTableOutageModel::D2dTableOutageModel() = default;

D2dTableOutageModel::~D2dTableOutageModel() = default;

void
D2dTableOutageModel::SetFileName(const std::string& fileName)
{
    m_fileName = fileName;
    m_table.reset();
}

const D2dRateTable&
D2dTableOutageModel::GetTable() const
{
    if (m_fileName.empty())
    {
        throw UserError("ns3::collab::D2dTableOutageModel needs a table: set FileName");
    }
    if (!m_table)
    {
        m_table = std::make_unique<const D2dRateTable>(m_fileName);
    }
    return *m_table;
}

double
D2dTableOutageModel::DoGetOutageProbability(const D2dSignal& signal) const
{
    NS_ABORT_MSG_UNLESS(signal.fragmentBytes > 0,
                        "D2dTableOutageModel: a signal needs the length of its fragment "
                        "(D2dSignal::fragmentBytes)");
    const double snr = signal.rssW / (signal.noiseW + signal.interferenceW);
    const D2dRateTable::Curve curve =
        GetTable().MakeCurve(signal.spectralEfficiency, signal.fragmentBytes);
    return m_fading == D2dTableFading::RAYLEIGH ? curve.GetMeanPer(snr) : curve.GetPer(snr);
}

double
D2dTableOutageModel::DoGetSpectralEfficiency(const D2dSignal& signal,
                                             double targetOutage,
                                             double least,
                                             double greatest) const
{
    double best = least;
    D2dSignal probe = signal;
    for (const double rate : GetTable().GetRates())
    {
        probe.spectralEfficiency = rate;
        if (rate >= least && rate <= greatest && DoGetOutageProbability(probe) <= targetOutage)
        {
            best = rate;
        }
    }
    return best;
}

} // namespace ns3::collab
