/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * D2D links from channel matrices: those of 3GPP TR 38.901 or, where ns-3 has it (3.48), those that
 * Sionna RT traces through a scene.
 *
 *   --channel=3gpp     ThreeGppChannelModel, urban micro street canyon
 *   --channel=sionna   SionnaRtChannelModel, a street canyon
 *
 * ChannelMatrixLoss makes any MatrixBasedChannelModel of ns-3 a propagation loss model: the power
 * gain of the frequency response at the carrier between two isotropic antennas. A D2dChannel takes
 * it, and so does the SpectrumChannel of a D2dSpectrumBridge. The program prints the received power
 * over distance: its mean over pairs of devices, and the share of them above the noise. Since
 * matrices have small-scale fading, D2dThresholdOutageModel goes with them, which adds none.
 */

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/isotropic-antenna-model.h"
#include "ns3/matrix-based-channel-model.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/uniform-planar-array.h"

#include <cmath>
#include <complex>
#include <iomanip>
#include <iostream>
#include <map>

using namespace ns3;
using namespace ns3::collab;

/// Power gain of a MatrixBasedChannelModel at the carrier, between isotropic antennas
class ChannelMatrixLoss : public PropagationLossModel
{
  public:
    static TypeId
    GetTypeId()
    {
        static TypeId tid = TypeId("ChannelMatrixLoss")
                                .SetParent<PropagationLossModel>()
                                .AddConstructor<ChannelMatrixLoss>()
                                .AddAttribute("ChannelModel",
                                              "Where matrices and delays come from.",
                                              PointerValue(),
                                              MakePointerAccessor(&ChannelMatrixLoss::m_model),
                                              MakePointerChecker<MatrixBasedChannelModel>())
                                .AddAttribute("Frequency",
                                              "The carrier [Hz].",
                                              DoubleValue(2.44e9),
                                              MakeDoubleAccessor(&ChannelMatrixLoss::m_frequencyHz),
                                              MakeDoubleChecker<double>(0));
        return tid;
    }

  private:
    double
    DoCalcRxPower(double powerDbm, Ptr<MobilityModel> from, Ptr<MobilityModel> to) const override
    {
        const auto matrix = m_model->GetChannel(from, to, GetAntenna(from), GetAntenna(to));
        const auto delays = m_model->GetParams(from, to)->m_delay; // [s]
        std::complex<double> response = 0;
        for (std::size_t path = 0; path < delays.size(); ++path)
        {
            response += GetElement(matrix->m_channel, path, 0) *
                        std::polar(1.0, -2 * M_PI * m_frequencyHz * delays[path]);
        }
        return powerDbm + 10 * std::log10(std::norm(response));
    }

    int64_t
    DoAssignStreams(int64_t) override
    {
        return 0; // the channel model has them
    }

    /// @return the only antenna of a place; each has the same as long as the program runs
    Ptr<PhasedArrayModel>
    GetAntenna(Ptr<MobilityModel> place) const
    {
        Ptr<PhasedArrayModel>& antenna = m_antennas[place->GetObject<Node>()->GetId()];
        if (!antenna)
        {
            antenna = CreateObjectWithAttributes<UniformPlanarArray>(
                "NumRows",
                UintegerValue(1),
                "NumColumns",
                UintegerValue(1),
                "AntennaElement",
                PointerValue(CreateObject<IsotropicAntennaModel>()));
        }
        return antenna;
    }

    /// @return the coefficient of a path: a MatrixArray since ns-3.38
    template <typename Matrix>
    static auto
    GetElement(const Matrix& matrix, std::size_t path, int) -> decltype(matrix(0, 0, path))
    {
        return matrix(0, 0, path);
    }

    /// @return the same of a vector of vectors of vectors
    template <typename Matrix>
    static std::complex<double>
    GetElement(const Matrix& matrix, std::size_t path, long)
    {
        return matrix[0][0][path];
    }

    Ptr<MatrixBasedChannelModel> m_model;                         //!< attribute ChannelModel
    double m_frequencyHz;                                         //!< attribute Frequency [Hz]
    mutable std::map<uint32_t, Ptr<PhasedArrayModel>> m_antennas; //!< by node
};

NS_OBJECT_ENSURE_REGISTERED(ChannelMatrixLoss);

/// @brief Give devices links of a channel model.
/// @param channel 3gpp or sionna
/// @param d2d makes the devices
static void
AddChannelModel(const std::string& channel, D2dHelper& d2d)
{
    const DoubleValue carrierHz(2.44e9);
    ObjectFactory factory("ns3::ThreeGppChannelModel");
    if (channel == "3gpp")
    {
        ObjectFactory condition("ns3::ThreeGppUmiStreetCanyonChannelConditionModel");
        const PointerValue sight(condition.Create<Object>());
        factory.Set("Scenario", StringValue("UMi-StreetCanyon"));
        factory.Set("ChannelConditionModel", sight);
        // Its matrices have a mean gain of 1
        d2d.AddPropagationLossModel("ns3::ThreeGppUmiStreetCanyonPropagationLossModel",
                                    "Frequency",
                                    carrierHz,
                                    "ChannelConditionModel",
                                    sight);
    }
    else
    {
        factory.SetTypeId("ns3::SionnaRtChannelModel");
        factory.Set("Scenario", StringValue("simple_street_canyon"));
    }
    factory.Set("Frequency", carrierHz);
    d2d.AddPropagationLossModel("ChannelMatrixLoss",
                                "ChannelModel",
                                PointerValue(factory.Create<Object>()),
                                "Frequency",
                                carrierHz);
}

/// @brief Print the row of a distance.
/// @param channel 3gpp or sionna
/// @param distance between the devices of a pair [m]
/// @param pairs how many there are
static void
Measure(const std::string& channel, double distance, uint32_t pairs)
{
    NodeContainer nodes(2 * pairs);
    Ptr<ListPositionAllocator> places = CreateObject<ListPositionAllocator>();
    for (uint32_t pair = 0; pair < pairs; ++pair)
    {
        places->Add(Vector(0, 20.0 * pair, 1.5));
        places->Add(Vector(distance, 20.0 * pair, 1.5));
    }
    MobilityHelper mobility;
    mobility.SetPositionAllocator(places);
    mobility.Install(nodes);
    D2dHelper d2d;
    AddChannelModel(channel, d2d);
    d2d.SetChannelAttribute("OutageModel", StringValue("ns3::collab::D2dThresholdOutageModel"));
    const NetDeviceContainer radios = d2d.Install(nodes);
    D2dHelper::AssignStreams(radios, 0);
    double sumDbm = 0;
    uint32_t heard = 0;
    for (uint32_t pair = 0; pair < pairs; ++pair)
    {
        Ptr<D2dNetDevice> sender = DynamicCast<D2dNetDevice>(radios.Get(2 * pair));
        Ptr<D2dNetDevice> receiver = DynamicCast<D2dNetDevice>(radios.Get(2 * pair + 1));
        Ptr<D2dChannel> medium = DynamicCast<D2dChannel>(sender->GetChannel());
        const double rssW = medium->GetRssW(sender, receiver);
        sumDbm += 10 * std::log10(rssW) + 30;
        heard += rssW > medium->GetNoiseW(sender->GetPhy()->GetBandwidthHz()) ? 1 : 0;
    }
    std::cout << std::fixed << std::setprecision(1) << std::setw(12) << distance << std::setw(17)
              << sumDbm / pairs << std::setprecision(3) << std::setw(21)
              << static_cast<double>(heard) / pairs << std::endl;
    Simulator::Destroy();
}

int
main(int argc, char* argv[])
{
    return RunScenario("d2d-channel-matrix", [&]() {
        std::string channel = "3gpp";
        uint32_t pairs = 50;
        std::vector<ParameterChoice> channels = {"3gpp"};
        TypeId sionna;
        if (TypeId::LookupByNameFailSafe("ns3::SionnaRtChannelModel", &sionna))
        {
            channels.emplace_back("sionna");
        }
        ParameterList list;
        list.Add("channel", channel, "where matrices come from").Choices(channels);
        list.Add("pairs", pairs, "pairs of devices at each distance").AtLeast(1);
        ScenarioArguments(__FILE__, "D2D links from channel matrices.", list).Parse(argc, argv);
        std::cout << "distance [m] mean power [dBm] above the noise [1]\n";
        for (const double distance : {20, 50, 100, 200, 400, 800})
        {
            Measure(channel, distance, pairs);
        }
    });
}
