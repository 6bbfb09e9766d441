/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-analog-paths.h"

#include <utility>

namespace ns3::collab
{

namespace
{

/// What of a path a random number is for; blocks have so many numbers
enum class PathDraw : uint64_t
{
    FADING,
    AMPLITUDE,
    PHASE,
    NOISE,
    COUNT,
};

/// @return counter of a random number
uint64_t
CountPathDraw(uint64_t block, PathDraw purpose)
{
    return block * static_cast<uint64_t>(PathDraw::COUNT) + static_cast<uint64_t>(purpose);
}

} // namespace

D2dAnalogPaths::D2dAnalogPaths(Ptr<D2dMedium> medium,
                               const D2dAnalogSettings& settings,
                               int64_t stream)
    : m_medium(std::move(medium)),
      m_settings(settings)
{
    m_random.SetStream(stream);
}

D2dAnalogPaths::Path
D2dAnalogPaths::Draw(const D2dPhy& sender, const D2dPhy& receiver, uint64_t block) const
{
    const D2dLink link = m_medium->Links().GetLink(sender, receiver);
    if (!link.inRange)
    {
        return {};
    }
    const uint32_t from = sender.GetChannelIndex();
    const uint32_t to = receiver.GetChannelIndex();
    const double fading = m_medium->Losses().GetFading(
        sender, link, m_random.GetUniform(from, to, CountPathDraw(block, PathDraw::FADING)));
    const auto normal = [&](PathDraw purpose) {
        return m_random.GetNormal(from, to, CountPathDraw(block, purpose));
    };
    Path path;
    path.powerW = fading < m_settings.threshold ? 0.0 : link.rssW * fading;
    path.factor = (1 + m_settings.amplitudeError * normal(PathDraw::AMPLITUDE)) *
                  std::polar(1.0, m_settings.phaseError * normal(PathDraw::PHASE));
    return path;
}

D2dAnalogNoise
D2dAnalogPaths::GetNoise(const D2dPhy& receiver, uint64_t block) const
{
    const uint32_t index = receiver.GetChannelIndex();
    return D2dAnalogNoise(m_random.GetBits(index, index, CountPathDraw(block, PathDraw::NOISE)));
}

double
D2dAnalogPaths::GetMeanPowerW(const D2dPhy& sender, const D2dPhy& receiver) const
{
    const D2dLink link = m_medium->Links().GetLink(sender, receiver);
    return link.inRange ? link.rssW : 0.0;
}

Time
D2dAnalogPaths::GetCoherenceTime() const
{
    return m_medium->Losses().GetOutageModel()->GetCoherenceTime();
}

uint64_t
D2dAnalogPaths::TakeBlock()
{
    return m_blocks++;
}

} // namespace ns3::collab
