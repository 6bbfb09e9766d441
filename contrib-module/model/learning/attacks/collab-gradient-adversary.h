/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_GRADIENT_ADVERSARY_H
#define COLLAB_GRADIENT_ADVERSARY_H

#include "collab-gradient-attack.h"

#include "ns3/collab-learner.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief What colluding devices know of each other's gradients without any message: the strongest
 * adversary.
 *
 * A device says that it begins to compute its gradient of a round, and what it is when it knows it.
 * Once all that have begun know theirs or have given up, those that wait get them all. So nobody
 * waits for a device that never takes part.
 */
class GradientCollusion
{
  public:
    /// Honest gradients of the colluding devices, by device
    using Gradients = std::map<uint32_t, FlatVector>;
    /// Gets the gradients, and the number of devices that forge theirs
    using Receiver = std::function<void(const Gradients& honest, std::size_t forging)>;

    /// @param round number of the round
    /// @param device device that begins to compute its gradient
    void Begin(uint32_t round, uint32_t device);
    /// @param round number of the round
    /// @param device device that has begun it
    /// @param honest its gradient
    /// @param receiver called when all are known, perhaps at once; empty for a device that only
    /// tells
    /// @param uploads whether the device uploads what it forges
    void Know(uint32_t round, uint32_t device, FlatVector honest, Receiver receiver, bool uploads);
    /// @param device device that gives up whatever it has begun and not done
    void Withdraw(uint32_t device);

  private:
    /// What is known of a round
    struct Round
    {
        std::set<uint32_t> computing;           //!< devices that have begun
        Gradients honest;                       //!< known ones
        std::map<uint32_t, Receiver> receivers; //!< of devices that wait
        std::size_t forging = 0;                //!< devices that upload
    };

    /// @param round round whose receivers are served if nobody computes any more
    void Check(uint32_t round);

    std::map<uint32_t, Round> m_rounds; //!< the newest ones, by number
};

/// @ingroup collab-learning
/// @brief What an attack is applied to.
enum class AttackTarget : uint8_t
{
    GRADIENT, //!< the gradient, or change, that a device uploads
    WEIGHTS,  //!< the weights that it stands for: as if devices uploaded their weights
};

/**
 * @ingroup collab-learning
 * @brief Whether and how a device forges the gradients that it uploads.
 *
 * A device that is asked for a gradient can forge the weights that it stands for all the same: of
 * weights w + s u it sends (a(w + s u) - w) / s, with w the model that it has trained from, u what
 * it would upload, and s how much of that a step takes.
 */
class GradientAdversary
{
  public:
    /// Fewest uploads of which one can be a minority; of fewer none is forged by who colludes
    static constexpr std::size_t FEWEST_UPLOADS = 3;

    /// @param specification specification of an attack, as MakeGradientAttack() takes it; empty for
    /// an honest device
    /// @throws std::invalid_argument as MakeGradientAttack() does
    void SetAttack(std::string specification);
    /// @return the attack as given
    const std::string& GetAttack() const;
    /// @return whether the attack reads gradients of other devices
    bool NeedsAccomplices() const;
    /// @param collusion collusion of all devices that plan together
    /// @param device number of this one
    void SetCollusion(std::shared_ptr<GradientCollusion> collusion, uint32_t device);

    /// @param round round whose gradient the device begins to compute
    void Begin(uint32_t round) const;

    /// A gradient to be uploaded
    struct Upload
    {
        uint32_t round = 0;    //!< number of the round
        FlatVector honest;     //!< what an honest device would upload
        std::size_t count = 0; //!< gradients that are uploaded in the round, as far as is known
        bool isSent = true;    //!< whether it is uploaded at all, or only worked out
        uint64_t seed = 0;     //!< of what is random in the attack
        AttackTarget target = AttackTarget::GRADIENT; //!< of the attack
        FlatVector model; //!< w, that the device has trained from, for WEIGHTS
        double step = 1;  //!< s, not 0: weights are model + step * honest
    };

    /**
     * @brief Forge a gradient, or leave it as it is.
     *
     * An attack that needs other gradients takes those of the colluding devices for an estimate of
     * all. It believes that less than half of the uploads are forged, whatever the truth, for no
     * such attack is defined beyond; of fewer than 3 uploads none is forged.
     *
     * @param upload what would be uploaded
     * @param done called with what is uploaded; for attacks that need other devices' gradients
     * later, or never if Withdraw() comes first; for others at once
     * @throws std::invalid_argument if the attack needs accomplices, and there is no collusion, or
     * if its target is weights, and there is no model of as many elements
     */
    void Forge(const Upload& upload, std::function<void(FlatVector)> done) const;
    /// @brief Tell accomplices a gradient that is not uploaded.
    /// @param round number of the round
    /// @param honest the gradient
    void Tell(uint32_t round, FlatVector honest) const;
    /// @brief The device does not go on with what it has begun.
    void Withdraw() const;

  private:
    /// @return whether the device needs accomplices
    bool Colludes() const;

    std::string m_name;                             //!< the attack as given
    std::shared_ptr<const GradientAttack> m_attack; //!< made of it; null for none
    std::shared_ptr<GradientCollusion> m_collusion; //!< of all that plan together
    uint32_t m_device = 0;                          //!< number of this device
};

/// @ingroup collab-learning
/// @brief Tells accomplices at the end of a round, however it ends, that a device does not go on
/// with it.
class GradientWithdrawal
{
  public:
    /// @param adversary of the device; must outlive this object
    explicit GradientWithdrawal(const GradientAdversary& adversary)
        : m_adversary(adversary)
    {
    }

    ~GradientWithdrawal()
    {
        m_adversary.Withdraw();
    }

    GradientWithdrawal(const GradientWithdrawal&) = delete;
    GradientWithdrawal& operator=(const GradientWithdrawal&) = delete;

  private:
    const GradientAdversary& m_adversary; //!< of the device
};

} // namespace ns3::collab

#endif /* COLLAB_GRADIENT_ADVERSARY_H */
