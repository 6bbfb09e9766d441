/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-gradient-adversary.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

/// Rounds that colluding devices may be apart
constexpr std::size_t KEPT_ROUNDS = 4;

/// What an attack sees of what devices upload, and what is uploaded of what it makes
class TargetFrame
{
  public:
    /// @param upload upload of the device
    /// @throws std::invalid_argument if there are no weights to forge
    explicit TargetFrame(const GradientAdversary::Upload& upload)
        : m_model(upload.target == AttackTarget::WEIGHTS ? upload.model : nullptr),
          m_step(upload.step)
    {
        CheckArgument(upload.target != AttackTarget::WEIGHTS ||
                          (m_model && m_model->size() == upload.honest->size() && m_step != 0),
                      "an attack on weights without a model to start from");
    }

    /// @param uploaded update that an honest device uploads
    /// @return what the attack reads
    FlatVector
    See(const FlatVector& uploaded) const
    {
        if (!m_model)
        {
            return uploaded;
        }
        auto weights = std::make_shared<std::vector<float>>(*uploaded);
        for (std::size_t i = 0; i < weights->size(); ++i)
        {
            (*weights)[i] = static_cast<float>((*m_model)[i] + m_step * (*weights)[i]);
        }
        return weights;
    }

    /// @param[in,out] forged what the attack has made; gets what is uploaded
    void
    Upload(std::vector<float>& forged) const
    {
        for (std::size_t i = 0; m_model && i < forged.size(); ++i)
        {
            const double change = static_cast<double>(forged[i]) - (*m_model)[i];
            forged[i] = static_cast<float>(change / m_step);
        }
    }

  private:
    FlatVector m_model; //!< w; null if the target is the gradient
    double m_step;      //!< s
};

} // namespace

void
GradientCollusion::Begin(uint32_t round, uint32_t device)
{
    m_rounds[round].computing.insert(device);
    while (m_rounds.size() > KEPT_ROUNDS)
    {
        m_rounds.erase(m_rounds.begin());
    }
}

void
GradientCollusion::Know(
    uint32_t round, uint32_t device, FlatVector honest, Receiver receiver, bool uploads)
{
    Round& known = m_rounds[round];
    known.computing.erase(device);
    known.honest[device] = std::move(honest);
    if (receiver)
    {
        known.receivers[device] = std::move(receiver);
    }
    known.forging += uploads ? 1 : 0;
    Check(round);
}

void
GradientCollusion::Withdraw(uint32_t device)
{
    std::vector<uint32_t> changed;
    for (auto& [number, round] : m_rounds)
    {
        round.receivers.erase(device);
        if (round.computing.erase(device) > 0)
        {
            changed.push_back(number);
        }
    }
    for (const uint32_t number : changed)
    {
        Check(number);
    }
}

void
GradientCollusion::Check(uint32_t round)
{
    const auto found = m_rounds.find(round);
    if (found == m_rounds.end() || !found->second.computing.empty())
    {
        return;
    }
    const Gradients honest = found->second.honest;
    const std::size_t forging = found->second.forging;
    const auto receivers = std::exchange(found->second.receivers, {});
    for (const auto& [device, receiver] : receivers)
    {
        receiver(honest, forging);
    }
}

void
GradientAdversary::SetAttack(std::string specification)
{
    m_attack = specification.empty() ? nullptr : MakeGradientAttack(specification);
    m_name = std::move(specification);
}

const std::string&
GradientAdversary::GetAttack() const
{
    return m_name;
}

void
GradientAdversary::SetCollusion(std::shared_ptr<GradientCollusion> collusion, uint32_t device)
{
    m_collusion = std::move(collusion);
    m_device = device;
}

bool
GradientAdversary::NeedsAccomplices() const
{
    return m_attack && m_attack->NeedsHonest();
}

bool
GradientAdversary::Colludes() const
{
    return m_collusion && NeedsAccomplices();
}

void
GradientAdversary::Begin(uint32_t round) const
{
    if (Colludes())
    {
        m_collusion->Begin(round, m_device);
    }
}

void
GradientAdversary::Forge(const Upload& upload, std::function<void(FlatVector)> done) const
{
    const bool hasDiverged = !AreFinite(*upload.honest);
    if (!m_attack || (hasDiverged && !Colludes()))
    {
        done(upload.honest);
        return;
    }
    const TargetFrame frame(upload);
    const FlatVector seen = frame.See(upload.honest);
    AttackKnowledge knowledge;
    knowledge.own = seen->data();
    knowledge.dimension = upload.honest->size();
    knowledge.count = upload.count;
    knowledge.byzantine = 1;
    knowledge.seed = upload.seed;
    if (!Colludes())
    {
        auto forged = std::make_shared<std::vector<float>>(upload.honest->size());
        m_attack->Forge(knowledge, forged->data());
        frame.Upload(*forged);
        done(std::move(forged));
        return;
    }
    const auto receive =
        [attack = m_attack, frame, knowledge, seen, own = upload.honest, hasDiverged, done](
            const GradientCollusion::Gradients& honest, std::size_t forging) {
            std::vector<FlatVector> kept;
            std::vector<const float*> rows;
            for (const auto& [device, gradient] : honest)
            {
                if (AreFinite(*gradient))
                {
                    kept.push_back(frame.See(gradient));
                    rows.push_back(kept.back()->data());
                }
            }
            if (knowledge.count < GradientAdversary::FEWEST_UPLOADS || hasDiverged || rows.empty())
            {
                done(own);
                return;
            }
            const VectorStack stack(rows, knowledge.dimension);
            AttackKnowledge all = knowledge;
            all.honest = &stack;
            all.byzantine = std::min(std::max<std::size_t>(1, forging), (knowledge.count - 1) / 2);
            auto forged = std::make_shared<std::vector<float>>(knowledge.dimension);
            attack->Forge(all, forged->data());
            frame.Upload(*forged);
            done(std::move(forged));
        };
    m_collusion->Know(upload.round, m_device, upload.honest, receive, upload.isSent);
}

void
GradientAdversary::Tell(uint32_t round, FlatVector honest) const
{
    if (Colludes())
    {
        m_collusion->Know(round, m_device, std::move(honest), nullptr, false);
    }
}

void
GradientAdversary::Withdraw() const
{
    if (Colludes())
    {
        m_collusion->Withdraw(m_device);
    }
}

} // namespace ns3::collab
