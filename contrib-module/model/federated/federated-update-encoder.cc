/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-update-encoder.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/collab-specification.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::collab
{

UpdatePrivacy
ReadUpdatePrivacy(const std::string& text)
{
    constexpr double LEAST = 1e-9;
    constexpr double MOST = 1e9;
    Specification given("privacy of updates", "gaussian:" + text);
    CheckArgument(given.Has("clip") && given.Has("sigma"),
                  "clip and sigma must be given, such as clip=1,sigma=0.5");
    UpdatePrivacy privacy;
    privacy.clip = given.GetNumber("clip", privacy.clip, LEAST, MOST);
    privacy.sigma = given.GetNumber("sigma", privacy.sigma, LEAST, MOST);
    privacy.delta = given.GetNumber("delta", privacy.delta, 1e-30, 1 - LEAST);
    given.CheckKeys();
    return privacy;
}

UpdateEncoder::UpdateEncoder(std::shared_ptr<const Compressor> compressor,
                             bool feedsBack,
                             std::optional<UpdatePrivacy> privacy,
                             uint64_t noiseSeed)
    : m_compressor(std::move(compressor)),
      m_noiseSeed(noiseSeed)
{
    if (feedsBack)
    {
        m_feedback.emplace(m_compressor);
    }
    if (privacy)
    {
        m_privacy.emplace(privacy->clip, privacy->sigma, privacy->delta);
    }
}

EncodedVector
UpdateEncoder::Encode(const FlatVector& change, uint64_t seed, uint32_t multiplicity)
{
    if (!change || multiplicity > 1 || !AreFinite(*change))
    {
        m_isExposed = m_isExposed || change; // it goes without noise
        return EncodeVector(change, *m_compressor, seed, multiplicity);
    }
    FlatVector sent = change;
    if (m_privacy)
    {
        std::vector<float> released = *change;
        m_privacy->Release(released.data(), released.size(), SplitMix64(m_noiseSeed++));
        sent = std::make_shared<const std::vector<float>>(std::move(released));
    }
    if (!m_feedback)
    {
        return EncodeVector(sent, *m_compressor, seed, multiplicity);
    }
    const auto bytes = m_feedback->Encode(sent->data(), sent->size(), seed);
    WireReader reader(bytes.data(), bytes.size());
    EncodedVector encoded = EncodedVector::Expect(sent->size(), 1);
    encoded.Read(reader);
    return encoded;
}

double
UpdateEncoder::GetEpsilon() const
{
    return m_privacy && !m_isExposed ? m_privacy->GetEpsilonSpent()
                                     : std::numeric_limits<double>::infinity();
}

} // namespace ns3::collab
