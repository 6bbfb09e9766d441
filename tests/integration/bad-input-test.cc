/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Mistakes on the command line: one clear line on standard error, exit status 2, nothing written.
// Played within this process, since every process takes half a second to load LibTorch;
// bad-input-test.sh plays a few of them with the real program.

#include "common/scenario-main.h"
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-compat.h"

#include <fstream>

using namespace ns3::collab; // BasicEnergySource is in a namespace that depends on ns-3
using namespace ns3;
using ::testing::HasSubstr;
using tests::Refusal;

namespace
{

class BadInputTest : public tests::ScenarioTest
{
  protected:
    void
    SetUp() override
    {
        ScenarioTest::SetUp();
        std::filesystem::create_directory(m_folder);
    }

    /// @brief Play prediction consensus, which must refuse its arguments.
    /// @param refusals arguments, and what the one line must contain
    /// @param usual arguments beside them
    void
    Expect(const std::vector<Refusal>& refusals, const std::string& usual = "") const
    {
        for (const auto& [given, text] : refusals)
        {
            SCOPED_TRACE(given);
            const std::string run = m_folder / "run";
            std::istringstream words("prediction-consensus --runDir=" + run + " " + usual + given);
            std::vector<std::string> copies{std::istream_iterator<std::string>(words), {}};
            std::vector<char*> arguments;
            std::transform(copies.begin(),
                           copies.end(),
                           std::back_inserter(arguments),
                           [](auto& one) { return one.data(); });
            Restart();
            ::testing::internal::CaptureStdout();
            ::testing::internal::CaptureStderr();
            const int status =
                PlayScenario<PredictionConsensusParameters>(static_cast<int>(arguments.size()),
                                                            arguments.data(),
                                                            "prediction-consensus.cc",
                                                            "",
                                                            RunPredictionConsensus);
            const std::string error = ::testing::internal::GetCapturedStderr();
            EXPECT_EQ(status, 2);
            EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
            EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
            EXPECT_THAT(error, HasSubstr(text));
            EXPECT_FALSE(std::filesystem::exists(run));
            EXPECT_FALSE(std::filesystem::exists(run + ".partial"));
        }
    }

    /// @param name of a file in the test's folder
    /// @param contents to write into it
    /// @return its path
    std::string
    Write(const std::string& name, const std::string& contents) const
    {
        const auto path = m_folder / name;
        std::ofstream(path, std::ios::binary) << contents;
        return path.string();
    }

    /// @brief Copy the data set, but for a file that is replaced.
    /// @param name of the folder to make
    /// @param without the file of the data set that is to be replaced
    /// @param file in its place
    /// @param contents of that file
    /// @return a refusal of the data set that names the file
    Refusal
    SpoilData(const std::string& name,
              const std::string& without,
              const std::string& file,
              const std::string& contents) const
    {
        const auto folder = m_folder / name;
        std::filesystem::create_directory(folder);
        for (const auto& entry : std::filesystem::directory_iterator(DATA))
        {
            // Plain files beside them would be read first, or Write() would write through the link
            if (entry.path().extension() == ".gz" && entry.path().filename() != without)
            {
                std::filesystem::create_symlink(entry.path(), folder / entry.path().filename());
            }
        }
        return {"--dataDir=" + folder.string(), Write(name + "/" + file, contents)};
    }

    const std::filesystem::path DATA = "/usr/share/datasets/fashion-mnist"; //!< that of the demo
};

} // namespace

TEST_F(BadInputTest, ArgumentsTakenFromAttributes)
{
    const std::string lambda = "--ns3::collab::PredictionConsensusApplication::Lambda";
    Expect({{"--trustInterval=0", "--trustInterval=0 is not allowed; it must be at least 1"},
            {"--rounds=4294967296", "'--rounds=4294967296' is not allowed"},
            {"--threads=1025", "--threads=1025 is not allowed; it must be 0 to 1024"},
            {"--lambda=-0.5", "--lambda=-0.5 is not allowed; it must be 0 to 3.40282e38"},
            {"--battery=0", "--battery=0 is not allowed; it must be greater than 0 J"},
            {"--trust=Dynamic",
             "--trust=Dynamic is not allowed; allowed are dynamic, static, naive, ideal, local, "
             "oracle"},
            {"--consensus=soft-labels", "allowed are soft, median, majority-vote"},
            {"--lambda=0.5 " + lambda + "=0.25",
             "argument --lambda=0.5 and attribute " + lambda + "=0.25 are both given and differ"},
            {lambda + "=1e39", "attribute 'Lambda' of"}});
}

TEST_F(BadInputTest, UnknownArgumentsAndTypes)
{
    Expect({{"--devise=3", "unknown argument '--devise=3'; did you mean --device? --help"},
            {"ten", "unknown argument 'ten'"},
            {"--rounds=many",
             "argument '--rounds=many' is not allowed; --rounds= takes unsigned integer, at least "
             "1"},
            {"--rounds=-3", "'--rounds=-3' is not allowed; --rounds= takes unsigned integer, "},
            {"--rounds", "'--rounds' is not allowed; --rounds= takes unsigned integer, "},
            {"--ns3::collab::D2dChannel::Noise=1",
             "type 'ns3::collab::D2dChannel' has no attribute 'Noise'; allowed are"},
            {"--ns3::collab::D2dNetDevice::TxPower=7",
             "type 'ns3::collab::D2dNetDevice' has no attribute 'TxPower'; allowed are"},
            {"--ns3::collab::Channel::NoiseFigure=1", "unknown type 'ns3::collab::Channel'"},
            {"--RngRun=first", "global value 'RngRun' cannot be 'first'"},
            // ns-3's generator aborts at these
            {"--RngSeed=0", "'RngSeed' cannot be '0'; allowed are 1 to 4294944442"},
            {"--RngSeed=4294944443",
             "'RngSeed' cannot be '4294944443'; allowed are 1 to 4294944442"}});
}

TEST_F(BadInputTest, AttributesOfNoSuchValue)
{
    Expect({{"--ns3::collab::D2dChannel::Fidelity=Exact",
             "attribute 'Fidelity' of 'ns3::collab::D2dChannel' cannot be 'Exact'"},
            {"--ns3::collab::D2dNetDevice::Mtu=big",
             "attribute 'Mtu' of 'ns3::collab::D2dNetDevice' cannot be 'big'"},
            {"--ns3::collab::D2dChannel::NoiseFigure=-3",
             "attribute 'NoiseFigure' of 'ns3::collab::D2dChannel' cannot be '-3'"},
            {"--ns3::collab::D2dMac::SlotTime=9parsec",
             "attribute 'SlotTime' of 'ns3::collab::D2dMac' cannot be '9parsec'"},
            {"--ns3::collab::D2dPhy::Bandwidth=0",
             "attribute 'Bandwidth' of 'ns3::collab::D2dPhy' cannot be '0'"},
            {"--ns3::collab::D2dChannel::NoisePower=-1",
             "attribute 'NoisePower' of 'ns3::collab::D2dChannel' cannot be '-1'"}});
}

TEST_F(BadInputTest, ArgumentsOfNoSuchValue)
{
    Expect({{"--devices=1", "--devices=1 is not allowed; it must be 2 to"},
            {"--alpha=0", "--alpha=0 is not allowed; it must be greater than 0"},
            {"--alpha=-1", "--alpha=-1 is not allowed"},
            {"--lambda=-0.1", "--lambda=-0.1 is not allowed; it must be 0 to 3.40282e38"},
            {"--dataSet=cifar", "--dataSet=cifar is not allowed; allowed are"},
            {"--dataSet=file:", "--dataSet=file: is not allowed; allowed are"},
            {"--dataSet=file:/nowhere", "/nowhere: cannot be opened"},
            {"--models=mlp,linear,netcnn",
             "--models=mlp,linear,netcnn is not allowed; it must be 2 models"},
            {"--consensus=vote",
             "--consensus=vote is not allowed; allowed are soft, median, majority-vote"},
            {"--trust=blind",
             "--trust=blind is not allowed; allowed are dynamic, static, naive, ideal, local"},
            {"--recorder=xml", "recorder 'xml' is not allowed; allowed: csv"},
            {"--model=mlpp", "--model=mlpp is not allowed: "},
            {"--model=mlpp", "alexnet, char-lstm"},
            {"--model=mlp:-5", "--model=mlp:-5 is not allowed: "},
            {"--model=char-lstm", "--model=char-lstm is not allowed: "},
            {"--dataSet=gaussian-classes --devices=2 --samples=8 --minimumSamples=4 "
             "--lowQuality=none --referenceSamples=136",
             "--referenceSamples=136 is not allowed: beside those of the devices a class has "}});
}

TEST_F(BadInputTest, ArgumentsAndAttributesThatDiffer)
{
    const std::string application = "--ns3::collab::PredictionConsensusApplication";
    const std::string charge =
        "--" + BasicEnergySource::GetTypeId().GetName() + "::BasicEnergySourceInitialEnergyJ=7";
    Expect(
        {{"--lambda=0.5 " + application + "::Lambda=0.9",
          "argument --lambda=0.5 and attribute " + application + "::Lambda=0.9 are both given"},
         {"--trust=static " + application + "::TrustMode=Naive",
          "argument --trust=static and attribute " + application +
              "::TrustMode=Naive are both given"},
         {"--battery=5 " + charge, "argument --battery=5 and attribute --ns3::"},
         {application + "::Rounds=3", "give it as --ns3::collab::CollaborationApplication::Rounds"},
         {"--ns3::MobilityModel::Position=1:2:3",
          "attribute 'Position' of 'ns3::MobilityModel' cannot be given"}});
}

TEST_F(BadInputTest, MatricesOfLinks)
{
    const std::string model = "--ns3::collab::D2dChannel::";
    const std::string outage = model + "OutageModel=ns3::collab::D2dMatrixOutageModel[FileName=";
    const std::string rss = model + "PropagationLossModel=ns3::collab::D2dMatrixRssModel[FileName=";
    const std::string two = Write("two.csv", "0,.1\n.1,0\n");
    const std::string beyond = Write("beyond.csv", "0,.1,.1\n.1,0,1.2\n.1,.1,0\n");
    const std::string negative = Write("negative.csv", "0,1e-9,1e-9\n1e-9,0,-1e-9\n1e-9,1e-9,0\n");
    const std::string skew = Write("skew.csv", "0,2e-9,1e-9\n1e-9,0,1e-9\n1e-9,1e-9,0\n");
    const std::string none = m_folder / "none.csv";
    Expect({{outage + two + "]", "node 2 has no row in the 2 x 2 matrix"},
            {outage + beyond + "]",
             "beyond.csv: line 2, column 3: found 1.2, expected a probability in [0, 1]"},
            {rss + negative + "]",
             "negative.csv: line 2, column 3: found -1e-09, expected a positive power"},
            {rss + skew + "|Symmetric=true]", "skew.csv"},
            {rss + none + "]", none + ": cannot be opened"}},
           "--quiet=true --dataSet=gaussian-classes --devices=3 --samples=20 --minimumSamples=4 "
           "--referenceSamples=8 --testSamples=10 --lowQuality=none --rounds=1 "
           "--pretrainingRounds=0 ");
}

TEST_F(BadInputTest, DataFiles)
{
    const std::string nothing = m_folder / "nothing";
    const std::string images = "train-images-idx3-ubyte.gz";
    std::ifstream whole(DATA / images, std::ios::binary);
    std::string head(4000, '\0');
    whole.read(head.data(), static_cast<std::streamsize>(head.size()));
    // The header of 60 000 images, and then only a few
    const std::string header("\0\0\10\3\0\0\352\140\0\0\0\34\0\0\0\34", 16);
    Expect({{"--dataDir=" + nothing, nothing},
            SpoilData("cut", images, images, head),
            SpoilData("few", images, "train-images-idx3-ubyte", header + std::string(100000, '\1')),
            SpoilData("labels",
                      "t10k-labels-idx1-ubyte.gz",
                      "t10k-labels-idx1-ubyte",
                      "no magic here, none at all")});
}
