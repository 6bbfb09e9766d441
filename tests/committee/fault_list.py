# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Faults of the committee mechanism, each the least change that brings it back."""

from dataclasses import dataclass

MODEL = "contrib-module/model/committee/"
STATEMENT = MODEL + "log/committee-certificate.cc"
CERTIFICATE = MODEL + "log/committee-certificate.h"
CHAIN = MODEL + "byzantine/committee-chain.cc"
VOTES = MODEL + "byzantine/committee-byzantine.cc"
LOG = MODEL + "log/committee-log-member.h"
LOG_OPTIONS = MODEL + "log/committee-log-options.h"
INBOX = MODEL + "device/committee-inbox.cc"
INBOX_HEADER = MODEL + "device/committee-inbox.h"
SCORE = MODEL + "committee-score.cc"
NODE = MODEL + "device/committee-node.cc"
WORKER = MODEL + "device/committee-worker.cc"
MESSAGE = MODEL + "committee-message.cc"
STATE = MODEL + "log/committee-log-state.h"
SYNC = MODEL + "device/committee-sync.cc"
CONSENSUS = MODEL + "committee-consensus.cc"
EVIDENCE = MODEL + "log/committee-certificate.cc"


@dataclass(frozen=True)
class Edit:
    """A text that is in its file exactly once, and what takes its place."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Fault:
    """What goes wrong, in plain words, and the edits that make it so."""

    name: str
    edits: tuple

    @classmethod
    def of(cls, name, file, old, new):
        """A fault of one edit."""
        return cls(name, (Edit(file, old, new),))


def unbind(field, statement, blank_statement):
    """Signatures no longer cover a field of votes, neither of messages nor of certificates."""
    blank = f"ConsensusMessage bare = *this;\n    bare.{field} = {{}};\n    "
    return (
        *(
            Edit(MESSAGE.replace(".cc", ".h"), f"{call}(sender, GetBody()", f"{blank}{call}(sender, bare.GetBody()")
            for call in ("authenticator = keys.Sign", "return keys.Verify")
        ),
        Edit(STATEMENT, statement, blank_statement),
    )


LATER_ROUNDS = [
    Fault.of(
        "a block is taken without a look at its certificate",
        CHAIN,
        "if (isByzantine\n"
        "            ? !next.IsCertified(CommitteeVote::ELECTION, members, quorum, *m_keys)\n"
        "            : CountConsents(next.consents, statement, block.GetDigest(), members, *m_keys) < quorum)",
        "if (quorum == 0)",
    ),
    Fault.of(
        "one consent certifies a block",
        CHAIN,
        "isByzantine ? GetCertificateQuorum(members.size()) : 1;",
        "1;",
    ),
    Fault.of(
        "a quorum is one member less",
        LOG_OPTIONS,
        "return (members + GetGreatestFaults(members) + 2) / 2;",
        "return (members + GetGreatestFaults(members)) / 2;",
    ),
    Fault.of(
        "consents of devices that are not in the committee count",
        STATEMENT,
        "Contains(members, consent.member) &&",
        "!members.empty() &&",
    ),
    Fault.of(
        "signatures of consents are not verified",
        STATEMENT,
        "keys.Verify(consent.member, statement.GetBytes(entry), consent.authenticator))",
        "keys.Verify(consent.member,\n"
        "                        statement.GetBytes(entry),\n"
        "                        keys.Sign(consent.member, statement.GetBytes(entry))))",
    ),
    Fault.of(
        "a member counts as often as its consent is there",
        STATEMENT,
        "std::set<uint32_t> consenting;\n"
        "    for (const auto& consent : given)\n"
        "    {\n"
        "        statement.member = consent.member;\n"
        "        if (Contains(members, consent.member) && consenting.count(consent.member) == 0 &&",
        "std::multiset<uint32_t> consenting;\n"
        "    for (const auto& consent : given)\n"
        "    {\n"
        "        statement.member = consent.member;\n"
        "        if (Contains(members, consent.member) &&",
    ),
    Fault.of(
        "a block after other blocks than one's own is taken",
        CHAIN,
        "block.parent != m_head || block.round < GetNextRound()",
        "block.round < GetNextRound()",
    ),
    Fault.of(
        "a block may skip rounds",
        CHAIN,
        "(isByzantine && block.round > GetNextRound())",
        "(isByzantine && block.round > GetNextRound() + 1000)",
    ),
    Fault.of(
        "sets of a block are not checked",
        CHAIN,
        "block.kind == BlockKind::AGREED && !HasPossibleSets(block)",
        "block.kind == BlockKind::AGREED && block.clients.empty()",
    ),
    Fault.of(
        "a longer chain takes the place of one's own",
        CHAIN,
        "if (m_options.rule == QuorumRule::BYZANTINE || blocks.empty() ||",
        "if (blocks.empty() ||",
    ),
    Fault.of(
        "a model that is labeled with a later round is adopted",
        NODE,
        "message.digest == m_chain.GetModel() && !HasModel();",
        "(message.digest == m_chain.GetModel() && !HasModel()) ||\n"
        "                       block.round > m_chain.GetNextRound();",
    ),
    Fault.of(
        "a later round is believed if f + 1 devices anywhere claim one",
        NODE,
        "const bool isBelieved = !IsByzantine() && Contains(m_chain.GetCommittee(), member);",
        "const bool isBelieved =\n"
        "        IsByzantine()\n"
        "            ? m_ahead.size() >= GetGreatestFaults(m_chain.GetCommittee().size())\n"
        "            : Contains(m_chain.GetCommittee(), member);",
    ),
]

ABANDONING = [
    Fault.of(
        "an abandoned round keeps its committee",
        CHAIN,
        ": DrawSuccessors(m_options, GetCommittee(), next.block, *m_keys));",
        ": GetCommittee());",
    ),
    Fault.of(
        "successors can be foretold",
        CHAIN,
        "boost::endian::load_little_u64(signature.data());",
        "options.seed + abandoned.round + 0 * signature[0];",
    ),
    Fault.of(
        "an abandoned round needs no shares",
        CERTIFICATE,
        "(needsShares ? areRight(shares, ANY_VIEW) : shares.empty());",
        "(needsShares || shares.empty());",
    ),
    Fault.of(
        "an abandoned round may name its successors",
        CHAIN,
        "block.expelled != GetExpelled() || !block.committee.empty()))",
        "block.expelled != GetExpelled()))",
    ),
    Fault.of(
        "an abandoned round may change the model",
        CHAIN,
        "!block.clients.empty() || block.model != GetModel() ||",
        "!block.clients.empty() ||",
    ),
    Fault.of(
        "a primary can abandon a round at will",
        LOG,
        "MayAbandon() && request.ballot->block == m_policy.MakeAbandoned();",
        "request.ballot->block == m_policy.MakeAbandoned();",
    ),
    Fault.of(
        "a round is abandoned before an honest primary has had its turn",
        LOG_OPTIONS,
        "return std::max(maxAttempts, faults + 1);",
        "return maxAttempts;",
    ),
    Fault.of(
        "members do not wait for clients from whom a round is hidden",
        WORKER,
        "if (!mayComeLate || m_hasCalled)",
        "if (!mayComeLate || m_options.rounds > 0)",
    ),
    Fault.of(
        "a member that is locked consents to the end of its round",
        LOG,
        "const bool isOpen = !lock || lock->block == proposed.block;",
        "const bool isOpen = !lock || lock->block == proposed.block ||\n"
        "                        proposed.block.kind == BlockKind::ABANDONED;",
    ),
    Fault.of(
        "a primary that is locked abandons its round",
        LOG,
        "if (!request.ballot && MayAbandon())",
        "if ((!request.ballot || m_view >= m_options.GetAttempts()) && MayAbandon())",
    ),
]

GRADIENTS = [
    Fault.of(
        "gradients of clients that do not train are kept",
        INBOX,
        "if (!std::binary_search(m_clients.begin(), m_clients.end(), gradient->sender))",
        "if (m_clients.empty())",
    ),
    Fault.of(
        "gradients that come early are kept, whoever trains",
        INBOX,
        "            Add(gradient);\n",
        "            m_gradients.emplace(sender, gradient);\n",
    ),
    Fault.of(
        "gradients of any later round take the place of the next one's",
        INBOX,
        "if (gradient->round == m_round + 1)",
        "if (gradient->round > m_round)",
    ),
    Fault.of(
        "scores of clients that do not train count",
        VOTES,
        "if (Contains(options.clients, client))",
        "if (!options.clients.empty())",
    ),
    Fault.of(
        "a gradient counts that few members report",
        VOTES,
        "if (scores.size() < least)",
        "if (scores.empty())",
    ),
    Fault.of(
        "signatures of gradients are not verified",
        WORKER,
        "if (gradient->samples == 0 || !gradient->IsAuthentic(*m_keys))",
        "if (gradient->samples == 0)",
    ),
]

BUFFERS = [
    Fault.of(
        "early messages are kept without bound",
        INBOX,
        "message->round != m_round + 1 || heard.size() >= MOST_EARLY",
        "message->round != m_round + 1",
    ),
    Fault.of(
        "signatures of early messages are not verified",
        NODE,
        "!m_inbox.Allows(*message) || !message->IsAuthentic(*m_keys))",
        "!m_inbox.Allows(*message))",
    ),
    Fault.of(
        "who repeats early messages of another device fills its place",
        NODE,
        "if (message->sender != sender || !m_inbox.AddEarly(message))",
        "if (!m_inbox.AddEarly(message))",
    ),
    Fault.of(
        "proposals of any later view are kept",
        LOG,
        "if (message.attempt < m_view || !isNear)",
        "if (message.attempt < m_view || m_options.members.empty())",
    ),
    Fault.of(
        "questions are answered as often as they come",
        SYNC,
        "if (answers.count >= most)",
        "if (answers.count > 1000000)",
    ),
]

EVIDENCE_FAULTS = [
    Fault.of(
        "evidence is taken against devices that were no members",
        NODE,
        "m_chain.WasMember(lie.round, lie.member);",
        "lie.round < UINT32_MAX;",
    ),
    Fault.of(
        "a primary can expel devices that were no members",
        LOG_OPTIONS,
        "return evidence.round == round && Contains(members, evidence.member);",
        "return evidence.round < UINT32_MAX;",
    ),
    Fault.of(
        "what a device signs in one federation counts in another",
        EVIDENCE,
        "    hmac_sha256_update(&context, m_federation.size(), m_federation.data());\n",
        "",
    ),
    Fault.of(
        "two proposals in one view are no evidence",
        EVIDENCE,
        "if (isNew || known->second.digest == said.digest)",
        "if (isNew || known->second.digest == said.digest || statement.kind == REQUEST_STATEMENT)",
    ),
    Fault.of(
        "two consents in one view are no evidence",
        EVIDENCE,
        "if (isNew || known->second.digest == said.digest)",
        "if (isNew || known->second.digest == said.digest || statement.kind == CONSENT_STATEMENT)",
    ),
    Fault.of(
        "a primary may tell different members different proposals",
        LOG,
        "            message.heard = m_witness.Find(GetProposal(m_view - 1));\n",
        "",
    ),
    Fault.of(
        "devices are expelled until no committee can be formed",
        CONSENSUS.replace(".cc", ".h"),
        "return federation.devices.size() > expelled + 2 * members.size();",
        "return federation.devices.size() > expelled;",
    ),
    Fault(
        "a table may name any number of clients",
        (
            Edit(
                VOTES,
                "               return Contains(m_options.clients, score.first);",
                "               return score.first < UINT32_MAX;",
            ),
            Edit(MESSAGE, "areOthers = message.scores.size() <= clients && ", "areOthers = "),
        ),
    ),
    Fault.of(
        "a proposal may be of any size",
        VOTES,
        "if (!m_bounds.Allows(message))",
        "if (m_bounds.devices == 0)",
    ),
    Fault.of(
        "a certificate may carry what is no consent",
        CERTIFICATE,
        "CountConsents(given, GetStatement(vote, inView), digest, members, keys) ==\n"
        "                       given.size();",
        "CountConsents(given, GetStatement(vote, inView), digest, members, keys) >= quorum;",
    ),
    Fault.of(
        "early messages may be of any size",
        INBOX_HEADER,
        "return !m_bounds || m_bounds->Allows(message);",
        "return true || m_bounds->Allows(message);",
    ),
    Fault.of(
        "early proposals are kept without bound",
        INBOX,
        "isRequest && m_requests >= MOST_EARLY_REQUESTS)",
        "isRequest && m_requests > 1000000)",
    ),
    Fault.of(
        "any device gets gradients for a question",
        SYNC,
        "if (!Contains(m_chain.GetCommittee(), peer))",
        "if (m_chain.GetCommittee().empty())",
    ),
    Fault.of(
        "one member's word keeps others from telling all how a round has ended",
        SYNC,
        "if (m_tellers.size() > m_most)",
        "if (!m_tellers.empty())",
    ),
    Fault.of(
        "who hears how a round has ended leaves it to others to tell all",
        NODE,
        "if (comesNext && m_session && m_session->voting.round == block.round)",
        "if (comesNext && m_session && m_options.rounds == 0)",
    ),
]

LOCKS = [
    Fault.of(
        "a member that sees a preparation is not locked",
        LOG,
        "        m_memory->Lock(certified);\n        if (certified.view > m_view)",
        "        if (certified.view > m_view)",
    ),
    Fault.of(
        "a lock does not keep from other blocks",
        LOG,
        "const bool isOpen = !lock || lock->block == proposed.block;",
        "const bool isOpen = !lock || lock->block.round == proposed.block.round;",
    ),
    Fault.of(
        "a lock is not told to the next primary",
        LOG,
        "        message.ballot = m_memory->lock;\n",
        "",
    ),
    Fault.of(
        "a primary does not wait for locks of others",
        LOG,
        "(!m_hasWaited || reached < m_options.GetQuorum())",
        "reached < 1",
    ),
    Fault.of(
        "a lock is lost when its member starts again",
        VOTES,
        "if (m_memory->round != m_options.round)\n    {",
        "m_memory->lock.reset();\n    if (m_memory->round != m_options.round)\n    {",
    ),
    Fault.of(
        "promises are lost in a crash",
        NODE,
        "    m_sync.Forget();\n    m_lies.Clear();\n",
        "    m_sync.Forget();\n    m_lies.Clear();\n    *m_memory = ConsensusMemory();\n",
    ),
    Fault.of(
        "models that a member has consented to are lost in a crash",
        NODE,
        "    m_sync.Forget();\n    m_lies.Clear();\n",
        "    m_sync.Forget();\n    m_lies.Clear();\n    m_models.ClearResults();\n",
    ),
    Fault.of(
        "a lower lock takes the place of a higher one",
        STATE,
        "if (!lock || prepared.view > lock->view)",
        "if (!lock || prepared.view != lock->view)",
    ),
    Fault.of(
        "a higher preparation does not unlock",
        STATE,
        "if (!lock || prepared.view > lock->view)",
        "if (!lock)",
    ),
    Fault.of(
        "a lock that is told is believed without its certificate",
        LOG,
        "if (message.ballot && IsProven(*message.ballot, m_vote))",
        "if (message.ballot)",
    ),
    Fault.of(
        "a preparation is believed without its certificate",
        LOG,
        "if (!IsProven(certified, message.vote))",
        "if (message.vote == CommitteeVote::ELECTION && !IsProven(certified, message.vote))",
    ),
    Fault.of(
        "a decision is believed without its certificate",
        LOG,
        "if (!IsProven(certified, message.vote))",
        "if (message.vote == CommitteeVote::AGGREGATION && !IsProven(certified, message.vote))",
    ),
    Fault.of(
        "a proposal is taken for a prepared one without its certificate",
        LOG,
        "if (proposed.view >= m_view || !IsProven(proposed, m_vote))",
        "if (proposed.view >= m_view)",
    ),
    Fault.of(
        "a member consents to two blocks in one view",
        STATE,
        "if (promise && promise->view == view && promise->block != block)",
        "if (promise && promise->view > view)",
    ),
    Fault(
        "a member goes back to a lower view when it starts again",
        (
            Edit(
                STATE,
                "if (promise && promise->view > view)\n            {\n                return false;",
                "if (promise && promise->view > view + 1000)\n            {\n                return false;",
            ),
            Edit(
                LOG,
                "m_view = std::max(m_view, promise ? promise->view : 0);",
                "m_view = std::max(m_view, promise ? m_view : 0);",
            ),
        ),
    ),
]

SCORES = [
    Fault.of(
        "the mean of scores decides, and so does one liar",
        CONSENSUS.replace(".cc", ".h"),
        ": rule == QuorumRule::PAPER              ? ScoreCombination::MEAN\n",
        ": rule <= QuorumRule::BYZANTINE          ? ScoreCombination::MEAN\n",
    ),
    Fault.of(
        "who leaves a client out has a say in its score",
        SCORE,
        "    scores.resize(members, 0);\n    const auto middle",
        "    members = scores.size();\n    const auto middle",
    ),
    Fault.of(
        "few members can rank a client",
        CONSENSUS.replace(".cc", ".h"),
        "(isMedian ? tables : members.size()) / 2 + 1;",
        "isMedian ? tables / 2 : members.size() / 2 + 1;",
    ),
    Fault.of(
        "who keeps a client out of the ranking draws all others anew",
        CONSENSUS,
        "if (rule == QuorumRule::PAPER || election != ElectionStrategy::RANDOM)",
        "if (rule <= QuorumRule::BYZANTINE)",
    ),
    Fault.of(
        "members want the sets of their own tables",
        VOTES,
        "Draft draft = MakeDraft(m_options, request);\n    draft.block.model",
        "Draft draft = MakeOwnDraft();\n    draft.block.model",
    ),
    Fault.of(
        "a member that tells different scores stays in office",
        EVIDENCE,
        "if (isNew || known->second.digest == said.digest)",
        "if (isNew || known->second.digest == said.digest || statement.kind == SCORES_STATEMENT)",
    ),
    Fault.of(
        "an expelled device can be elected",
        VOTES,
        "return !Contains(block.expelled, r.client); }",
        "return block.round == 0 || r.score >= 0; }",
    ),
    Fault.of(
        "an expelled device trains on",
        NODE,
        "    excluded.insert(excluded.end(), expelled.begin(), expelled.end());\n"
        "    std::sort(excluded.begin(), excluded.end());\n    const uint64_t seed",
        "    std::sort(excluded.begin(), excluded.end());\n    const uint64_t seed",
    ),
    Fault.of(
        "a primary can expel without proof",
        VOTES,
        "            return m_options.IsInOffice(evidence.statement) && evidence.IsProof(*m_keys) &&",
        "            return m_options.IsInOffice(evidence.statement) &&",
    ),
    Fault.of(
        "any device can have another one expelled",
        EVIDENCE,
        "evidence.IsProof(keys) && m_evidence",
        "!evidence.said[0].authenticator.empty() && m_evidence",
    ),
    Fault.of(
        "signatures of tables in a proposal are not verified",
        VOTES,
        "!members.insert(table.sender).second || !table.IsAuthentic(*m_keys))",
        "!members.insert(table.sender).second)",
    ),
    Fault.of(
        "a proposal needs only a few tables",
        VOTES,
        "if (members.size() < m_options.members.size() - m_options.faults)",
        "if (members.empty())",
    ),
    Fault.of(
        "a table may be there twice",
        VOTES,
        "!members.insert(table.sender).second || !table.IsAuthentic(*m_keys))",
        "(!members.insert(table.sender).second && false) || !table.IsAuthentic(*m_keys))",
    ),
    Fault.of(
        "tables of other rounds count",
        VOTES,
        "table.round == m_options.round && Contains",
        "!m_options.members.empty() && Contains",
    ),
    Fault.of(
        "tables of devices that are not in the committee count",
        VOTES,
        "Contains(m_options.members, table.sender) &&",
        "!m_options.members.empty() &&",
    ),
    Fault.of(
        "sets of a proposal need not follow from its tables",
        VOTES,
        "if (!draft.isPossible || draft.block != block)",
        "if (!draft.isPossible)",
    ),
    Fault.of(
        "members do not compute the model that they consent to",
        VOTES,
        "m_models.Find(draft.order, m_output.toAggregate) == block.model;",
        "m_models.Find(draft.order, m_output.toAggregate).has_value();",
    ),
]

MESSAGES = [
    Fault(
        "consents are not bound to a vote",
        unbind(
            "vote",
            "PutLittle(static_cast<uint8_t>(vote), bytes);",
            "PutLittle(uint8_t{0}, bytes);",
        ),
    ),
    Fault(
        "consents are not bound to a view",
        unbind(
            "attempt",
            "PutLittle(view, bytes);\n    PutLittle(uint64_t",
            "PutLittle(uint32_t{0}, bytes);\n    PutLittle(uint64_t",
        ),
    ),
    Fault.of(
        "consents to other blocks count",
        VOTES.replace(".cc", ".h"),
        "return reply.proposal.digest == request.ballot->block.GetDigest();",
        "return reply.round == request.round;",
    ),
    Fault.of(
        "devices that are not in the committee take part",
        VOTES,
        " || !Contains(m_options.members, message.sender) ||",
        " ||",
    ),
    Fault.of(
        "signatures of messages of the committee are not verified",
        VOTES,
        "if (!message.IsAuthentic(*m_keys))",
        "if (message.timestamp == UINT64_MAX)",
    ),
    Fault.of(
        "any member may propose",
        LOG,
        "if (!m_options.IsPrimary(message.sender, m_vote, message.attempt))\n        {",
        "if (message.attempt >= m_options.GetMostViews())\n        {",
    ),
    Fault.of(
        "one member can drive all others to a later view",
        LOG,
        "m_peers.FindReached(m_options.GetDoubtful());",
        "m_peers.FindReached(0);",
    ),
]

MODELS = [
    Fault.of(
        "a model is taken for that of its block, whatever its digest",
        NODE,
        "message.digest == m_chain.GetModel() && !HasModel();",
        "!HasModel();",
    ),
    Fault.of(
        "a model that is missing is not asked for",
        NODE,
        "    case CommitteeTimer::MODEL:\n        AskForModel();\n",
        "    case CommitteeTimer::MODEL:\n",
    ),
    Fault.of(
        "a gradient that is missing is not asked for",
        WORKER,
        "        m_session->Fetch(missing);\n",
        "",
    ),
    Fault.of(
        "every member sends the model to all",
        NODE,
        "m_sync.PlanNews(certified, isDecided && turn == 0, voting.faults);",
        "m_sync.PlanNews(certified, true, voting.faults);",
    ),
    Fault.of(
        "questions for blocks are answered without end",
        SYNC,
        "    if (answers.count >= most)\n",
        "    if (answers.count >= most && what != ChainKind::BLOCK_REQUEST)\n",
    ),
    Fault.of(
        "a client's word on its samples weighs without limit",
        SCORE,
        "        weight = std::min(weight, most * *middle);\n",
        "        weight = std::max(weight, 0 * *middle);\n",
    ),
    Fault.of(
        "blocks that are missing are not asked for",
        SYNC,
        "    if (!m_asked && !m_ahead.empty())\n",
        "    if (!m_asked && m_ahead.size() > m_options.federation.devices.size())\n",
    ),
]

FAULTS = (
    LATER_ROUNDS
    + ABANDONING
    + GRADIENTS
    + BUFFERS
    + EVIDENCE_FAULTS
    + LOCKS
    + SCORES
    + MESSAGES
    + MODELS
)

# Holes that an expert has found in the rule Byzantine, by the fault that opens each again: one liar
# decides who is elected (A), any device blocks learning or fills memories (B), successors are chosen
# (C), a primary hides a certified block (D), and smaller ones (E)
HOLES = {
    "the mean of scores decides, and so does one liar": "A",
    "who leaves a client out has a say in its score": "A",
    "few members can rank a client": "A",
    "who keeps a client out of the ranking draws all others anew": "A",
    "evidence is taken against devices that were no members": "B",
    "a primary can expel devices that were no members": "B",
    "a table may name any number of clients": "B",
    "a proposal may be of any size": "B",
    "a certificate may carry what is no consent": "B",
    "early messages may be of any size": "B",
    "early proposals are kept without bound": "B",
    "successors can be foretold": "C",
    "an abandoned round needs no shares": "C",
    "one member's word keeps others from telling all how a round has ended": "D",
    "who hears how a round has ended leaves it to others to tell all": "D",
    "two proposals in one view are no evidence": "E",
    "two consents in one view are no evidence": "E",
    "a primary may tell different members different proposals": "E",
    "what a device signs in one federation counts in another": "E",
    "any device gets gradients for a question": "E",
    "devices are expelled until no committee can be formed": "E",
}
