/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Mistakes on the command line: one clear line on standard error, exit status 2, nothing written.
// Played within this process, since every process takes half a second to load LibTorch;
// bad-input-test.sh plays a few of them with the real program.

#include "common/scenario-main.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/temporary-folder.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-compat.h"
#include "ns3/config.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <string>
#include <vector>

namespace tests
{

namespace
{

using namespace ns3::collab; // BasicEnergySource is in a namespace that depends on ns-3
using namespace ns3;
using ::testing::HasSubstr;

const std::filesystem::path DATA = "/usr/share/datasets/fashion-mnist"; //!< that of the demo
const std::string OUTAGE_MATRIX =
    "--ns3::collab::D2dChannel::OutageModel=ns3::collab::D2dMatrixOutageModel";
const std::string RSS_MATRIX =
    "--ns3::collab::D2dChannel::PropagationLossModel=ns3::collab::D2dMatrixRssModel";

class BadInputTest : public TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        std::filesystem::create_directory(m_folder);
    }

    void
    TearDown() override
    {
        ns3::Config::Reset();
        TemporaryFolder::TearDown();
    }

    /**
     * @brief Play prediction consensus, which must refuse its arguments.
     *
     * @param text that its one line must contain
     * @param given arguments
     */
    void
    Expect(const std::string& text, std::vector<std::string> given) const
    {
        SCOPED_TRACE(::testing::PrintToString(given));
        const auto run = m_folder / "run";
        given.insert(given.begin(), {"prediction-consensus", "--runDir=" + run.string()});
        std::vector<char*> arguments;
        std::transform(given.begin(), given.end(), std::back_inserter(arguments), [](auto& one) {
            return one.data();
        });
        ns3::Config::Reset();
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
        EXPECT_FALSE(std::filesystem::exists(run.string() + ".partial"));
    }

    /**
     * @param name of a file in the test's folder
     * @param contents to write into it
     * @return its path
     */
    std::string
    Write(const std::string& name, const std::string& contents) const
    {
        const auto path = m_folder / name;
        std::ofstream(path, std::ios::binary) << contents;
        return path.string();
    }

    /**
     * @param name of the folder to make
     * @param without the file of the data set that is to be replaced
     * @return a copy of the data set
     */
    std::filesystem::path
    CopyData(const std::string& name, const std::string& without) const
    {
        const auto folder = m_folder / name;
        std::filesystem::create_directory(folder);
        for (const auto& file : std::filesystem::directory_iterator(DATA))
        {
            if (file.path().filename() != without)
            {
                std::filesystem::create_symlink(file.path(), folder / file.path().filename());
            }
        }
        return folder;
    }
};

TEST_F(BadInputTest, UnknownArgumentsAndTypes)
{
    Expect("unknown argument '--devise=3'; did you mean --device? --help", {"--devise=3"});
    Expect("unknown argument 'ten'", {"ten"});
    Expect("argument '--rounds=many' is not allowed; --rounds= takes unsigned integer, at least 1",
           {"--rounds=many"});
    Expect("argument '--rounds=-3' is not allowed; --rounds= takes unsigned integer, ",
           {"--rounds=-3"});
    Expect("argument '--rounds' is not allowed; --rounds= takes unsigned integer, ", {"--rounds"});
    Expect("type 'ns3::collab::D2dChannel' has no attribute 'Noise'; allowed are",
           {"--ns3::collab::D2dChannel::Noise=1"});
    Expect("type 'ns3::collab::D2dNetDevice' has no attribute 'TxPower'; allowed are",
           {"--ns3::collab::D2dNetDevice::TxPower=7"});
    Expect("unknown type 'ns3::collab::Channel'", {"--ns3::collab::Channel::NoiseFigure=1"});
    Expect("global value 'RngRun' cannot be 'first'", {"--RngRun=first"});
    for (const std::string seed : {"0", "4294944443"}) // ns-3's generator aborts at these
    {
        Expect("global value 'RngSeed' cannot be '" + seed + "'; allowed are 1 to 4294944442",
               {"--RngSeed=" + seed});
    }
}

TEST_F(BadInputTest, AttributesOfNoSuchValue)
{
    Expect("attribute 'Fidelity' of 'ns3::collab::D2dChannel' cannot be 'Exact'",
           {"--ns3::collab::D2dChannel::Fidelity=Exact"});
    Expect("attribute 'Mtu' of 'ns3::collab::D2dNetDevice' cannot be 'big'",
           {"--ns3::collab::D2dNetDevice::Mtu=big"});
    Expect("attribute 'NoiseFigure' of 'ns3::collab::D2dChannel' cannot be '-3'",
           {"--ns3::collab::D2dChannel::NoiseFigure=-3"});
    Expect("attribute 'SlotTime' of 'ns3::collab::D2dMac' cannot be '9parsec'",
           {"--ns3::collab::D2dMac::SlotTime=9parsec"});
    Expect("attribute 'Bandwidth' of 'ns3::collab::D2dPhy' cannot be '0'",
           {"--ns3::collab::D2dPhy::Bandwidth=0"});
    Expect("attribute 'NoisePower' of 'ns3::collab::D2dChannel' cannot be '-1'",
           {"--ns3::collab::D2dChannel::NoisePower=-1"});
}

TEST_F(BadInputTest, ArgumentsOfNoSuchValue)
{
    Expect("--devices=1 is not allowed; it must be 2 to", {"--devices=1"});
    Expect("--alpha=0 is not allowed; it must be greater than 0", {"--alpha=0"});
    Expect("--alpha=-1 is not allowed", {"--alpha=-1"});
    Expect("--lambda=-0.1 is not allowed; it must be 0 to 3.40282e38", {"--lambda=-0.1"});
    Expect("--dataSet=cifar is not allowed; allowed are", {"--dataSet=cifar"});
    Expect("--dataSet=file: is not allowed; allowed are", {"--dataSet=file:"});
    Expect("/nowhere: cannot be opened", {"--dataSet=file:/nowhere"});
    Expect("--models=mlp,linear,netcnn is not allowed; it must be 2 models",
           {"--models=mlp,linear,netcnn"});
    Expect("--consensus=vote is not allowed; allowed are soft, majority-vote",
           {"--consensus=vote"});
    Expect("--trust=blind is not allowed; allowed are dynamic, static, naive, local",
           {"--trust=blind"});
    Expect("recorder 'xml' is not allowed; allowed: csv", {"--recorder=xml"});
    Expect("--model=mlpp is not allowed: ", {"--model=mlpp"});
    Expect("alexnet, char-lstm", {"--model=mlpp"});
    Expect("--model=mlp:-5 is not allowed: ", {"--model=mlp:-5"});
    Expect("--model=char-lstm is not allowed: ", {"--model=char-lstm"});
    Expect("--referenceSamples=136 is not allowed: beside those of the devices a class has ",
           {"--dataSet=gaussian-classes",
            "--devices=2",
            "--samples=8",
            "--minimumSamples=4",
            "--lowQuality=none",
            "--referenceSamples=136"});
}

TEST_F(BadInputTest, ArgumentsAndAttributesThatDiffer)
{
    const std::string application = "--ns3::collab::PredictionConsensusApplication";
    const std::string charge =
        "--" + BasicEnergySource::GetTypeId().GetName() + "::BasicEnergySourceInitialEnergyJ=7";
    Expect("argument --lambda=0.5 and attribute " + application + "::Lambda=0.9 are both given",
           {"--lambda=0.5", application + "::Lambda=0.9"});
    Expect("argument --trust=static and attribute " + application +
               "::TrustMode=Naive are both given",
           {"--trust=static", application + "::TrustMode=Naive"});
    Expect("argument --battery=5 and attribute --ns3::", {"--battery=5", charge});
    Expect("give it as --ns3::collab::CollaborationApplication::Rounds",
           {application + "::Rounds=3"});
    Expect("attribute 'Position' of 'ns3::MobilityModel' cannot be given",
           {"--ns3::MobilityModel::Position=1:2:3"});
}

TEST_F(BadInputTest, MatricesOfLinks)
{
    const auto refuse = [this](const std::string& text, const std::string& matrix) {
        Expect(text,
               {"--quiet=true",
                "--devices=3",
                "--lowQuality=none",
                "--rounds=1",
                "--pretrainingRounds=0",
                matrix});
    };
    const std::string two = Write("two.csv", "0,.1\n.1,0\n");
    const std::string beyond = Write("beyond.csv", "0,.1,.1\n.1,0,1.2\n.1,.1,0\n");
    const std::string negative = Write("negative.csv", "0,1e-9,1e-9\n1e-9,0,-1e-9\n1e-9,1e-9,0\n");
    const std::string skew = Write("skew.csv", "0,2e-9,1e-9\n1e-9,0,1e-9\n1e-9,1e-9,0\n");
    const std::string none = (m_folder / "none.csv").string();
    refuse("node 2 has no row in the 2 x 2 matrix", OUTAGE_MATRIX + "[FileName=" + two + "]");
    refuse("beyond.csv: line 2, column 3: found 1.2, expected a probability in [0, 1]",
           OUTAGE_MATRIX + "[FileName=" + beyond + "]");
    refuse("negative.csv: line 2, column 3: found -1e-09, expected a positive power",
           RSS_MATRIX + "[FileName=" + negative + "]");
    refuse("skew.csv", RSS_MATRIX + "[FileName=" + skew + "|Symmetric=true]");
    refuse(none + ": cannot be opened", RSS_MATRIX + "[FileName=" + none + "]");
}

TEST_F(BadInputTest, DataFiles)
{
    Expect((m_folder / "nothing").string(), {"--dataDir=" + (m_folder / "nothing").string()});

    const std::string images = "train-images-idx3-ubyte.gz";
    std::ifstream whole(DATA / images, std::ios::binary);
    std::string head(4000, '\0');
    whole.read(head.data(), static_cast<std::streamsize>(head.size()));
    const auto cut = CopyData("cut", images);
    Expect(Write("cut/" + images, head), {"--dataDir=" + cut.string()});

    // The header of 60 000 images, and then only a few
    const std::string header("\0\0\10\3\0\0\352\140\0\0\0\34\0\0\0\34", 16);
    const auto few = CopyData("few", images);
    Expect(Write("few/train-images-idx3-ubyte", header + std::string(100000, '\1')),
           {"--dataDir=" + few.string()});

    const auto labels = CopyData("labels", "t10k-labels-idx1-ubyte.gz");
    Expect(Write("labels/t10k-labels-idx1-ubyte", "no magic here, none at all"),
           {"--dataDir=" + labels.string()});
}

} // namespace

} // namespace tests
