/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Parts of the latent setup that cannot be: the others reject them.

#include "graph-discovery/discovery-network.h"

#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"
#include "ns3/graph-discovery-messages.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::Contains;
using ::testing::HasSubstr;

namespace
{

constexpr uint32_t DIMENSION = 4;
constexpr uint32_t CLUSTERS = 3;

/// @return so many clusters, as devices tell them for (17)
std::shared_ptr<const Payload>
TellOf(uint8_t clusters)
{
    auto cluster = std::make_shared<GaussianCluster>();
    cluster->mean.assign(DIMENSION, 0.0);
    cluster->covariance = Matrix<double>(DIMENSION, DIMENSION);
    for (uint32_t i = 0; i < DIMENSION; ++i)
    {
        cluster->covariance(i, i) = 1;
    }
    ClustersBefore told{{{DIMENSION, 0, false, CLUSTERS}, {}}};
    for (uint8_t l = 0; l < clusters; ++l)
    {
        told.entries.push_back({l, 0, cluster});
    }
    return Pack(told);
}

/// @return components, of which one but the first has this singular value
std::shared_ptr<const Payload>
MakeParts(float singularValue)
{
    auto components = std::make_shared<PrincipalComponents>();
    components->singularValues.assign(DIMENSION, 0);
    components->singularValues[2] = singularValue;
    components->vectors = Matrix<float>(DIMENSION, FEATURES, 0);
    return Pack(SharedComponents{DIMENSION, FEATURES, components});
}

/// Something that a device may say, and what others say of it
struct Forgery
{
    DiscoveryKind kind;                     //!< of the message
    std::shared_ptr<const Payload> payload; //!< of the message
    std::string reason;                     //!< why it is rejected; empty if it is not
};

} // namespace

TEST(ForgedPartsTest, AreRejected)
{
    const std::vector<Forgery> forgeries = {
        {BEFORE, TellOf(0), "0 clusters, expected 1 to 3"},
        {BEFORE, TellOf(CLUSTERS), ""},
        {BEFORE, TellOf(CLUSTERS + 1), "4 clusters, expected 1 to 3"},
        {COMPONENTS, MakeParts(1e15F), ""},
        {COMPONENTS, MakeParts(2e15F), "what are no principal components"}};
    for (const std::string mode : {"Bytes", "Reference"})
    {
        for (const auto& [kind, payload, reason] : forgeries)
        {
            DiscoveryCase c;
            c.isLatent = true;
            c.held.assign(2, {9, 9, 9});
            c.trust = DrawTrust(2, CLUSTERS, {TrustStructure::FULL, 0, 0}, 1);
            c.payloadMode = mode;
            c.attributes = {{"Iterations", "1"}, {"GlobalWeight", "1"}};
            DiscoveryNetwork network(c);
            Simulator::Schedule(NanoSeconds(1), [&, kind = kind, payload = payload]() {
                network.GetTransport(0)->Send(network.Id(1), {kind, 0, payload});
            });
            network.Run();
            if (reason.empty())
            {
                EXPECT_TRUE(network.GetReasons().empty()) << kind << " " << mode;
                continue;
            }
            EXPECT_THAT(network.GetReasons(), Contains(HasSubstr(reason))) << mode;
        }
    }
}
