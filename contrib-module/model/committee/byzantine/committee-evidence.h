/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_EVIDENCE_H
#define COMMITTEE_EVIDENCE_H

#include "committee-block.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Two statements that no honest member makes both: of one place in the protocol, with
 * different digests.
 *
 * Of scores, proposals and consents a member signs one each in a place. Evidence is of constant
 * size, whatever was signed. Keys sign for one federation only, so does what they prove.
 *
 * On the wire: the statement (kind and vote 1 byte each; round, member and view 4 each), and twice
 * a digest (32) and an authenticator.
 */
struct Evidence
{
    Statement statement;                         //!< where the member contradicts itself
    Digest digests[2] = {};                      //!< what it has signed there
    std::vector<uint8_t> authenticators[2] = {}; //!< its own

    /// @param fields visitor of the evidence as a part of a message
    /// @param authenticatorBytes size of an authenticator [B], which all know
    template <typename V>
    void
    Fields(V& fields, std::size_t authenticatorBytes)
    {
        fields(statement);
        for (std::size_t i = 0; i < 2; ++i)
        {
            fields(digests[i]);
            fields.Vector(authenticators[i], authenticatorBytes, "bytes of an authenticator");
        }
    }

    /// @param keys of all devices
    /// @return whether it proves that the member lies
    bool IsProof(const KeyRing& keys) const;
};

/// Committees of all rounds from the first one on, each ascending
using CommitteeHistory = std::vector<std::vector<uint32_t>>;

/// @ingroup collab
/// @brief The first statement of each member in each place of a round: a second one is evidence.
class CommitteeWitness
{
  public:
    /// What a member has signed
    struct Signed
    {
        Digest digest = {};                 //!< of what it has said
        std::vector<uint8_t> authenticator; //!< its own
    };

    /// @param statement of a member of the committee, verified
    /// @param said there
    /// @return evidence, if it has said something else there before
    std::optional<Evidence> Note(const Statement& statement, const Signed& said);
    /// @param statement of a member
    /// @return what it has said there first, if anything
    std::optional<Signed> Find(const Statement& statement) const;
    /// @param view forget statements of those below, but scores
    void Forget(uint32_t view);
    /// @return statements that are kept
    std::size_t GetSize() const;

  private:
    std::map<Statement, Signed> m_first; //!< by place
};

} // namespace ns3::collab

#endif /* COMMITTEE_EVIDENCE_H */
