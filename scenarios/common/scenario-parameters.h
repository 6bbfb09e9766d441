/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_PARAMETERS_H
#define SCENARIO_PARAMETERS_H

#include "inputs/scenario-places.h"

#include "ns3/collab-optimizer.h"
#include "ns3/collab-parameter-list.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{
class D2dLinkTrace;
} // namespace ns3::collab

/// What all scenarios have in common: how they run on the host, and where they write
struct RunParameters : ns3::collab::ParameterList
{
    std::string runDir;           //!< where to write
    std::string recorder = "csv"; //!< format of the tables: csv or sqlite
    std::string omit;             //!< tables without rows
    double tableSample = 1;       //!< share of the devices that have rows
    std::string runs;             //!< several ones for PlayScenario(), of which this may be one
    bool quiet = false;           //!< whether to print nothing but errors

    /// Called when everything is set up, before the simulation; it may throw to end the run
    std::function<void()> beforeRun;

    /// Declare the parameters threads to quiet, which change no result
    void DeclareRun();

    /// @throws UserError if the tables cannot be written like this
    void ValidateRun() const;

    /// @return names of the tables that get no rows
    /// @throws UserError if there is no such table, or a run must have it
    std::set<std::string> GetOmitted() const;

    /// @brief Declare a longest wait.
    /// @param seconds 0 if it is computed [s]
    /// @param help what is computed then
    ns3::collab::Parameter& AddWait(const std::string& name,
                                    double& seconds,
                                    const std::string& help,
                                    double bound = 1e6);

    /// @param fulfilled whether an argument is allowed as it is
    /// @param allowed what it may be
    /// @throws UserError if it is not allowed
    void Require(bool fulfilled, const std::string& name, const std::string& allowed) const;

    /// @param name name of an argument that is a text
    /// @throws UserError if it is none of its suggestions
    void RequireListed(const std::string& name) const;

    /// Work out the parameters that follow from others; a scenario may have a Complete() of its own
    void
    Complete()
    {
    }
};

/// Attribute of devices' optimizers in federated learning
constexpr const char* RESETS_OPTIMIZER = "ns3::collab::FederatedClientApplication::ResetsOptimizer";

/// What settings of steps take to have an effect in federated learning
constexpr const char* MANY_STEPS =
    "algorithms but fedsgd, whose rounds are one step on all samples";
/// Attribute that decides instead of the outage probability of links to a server
constexpr const char* SERVER_POWER = "ns3::collab::D2dPhy::TxPower";
/// What settings of the power to a server take to have an effect
constexpr const char* UNTRACED = "links to the server that are of no file (--links)";
/// What settings of bad labels take to have an effect
constexpr const char* LOW_QUALITY = "devices with bad labels (--lowQuality)";

/// What scenarios have in common: devices that hold samples, learn, and speak over a D2D network
struct CommonParameters : RunParameters
{
    uint32_t devices = 10;                 //!< number of devices, at least 2
    std::string dataSet = "fashion-mnist"; //!< name of a data set, or file:PATH
    std::string dataDir;                   //!< folder of its files; empty for the usual one
    uint32_t samples = 800; //!< labelled samples a device, on average; a quarter is for its test
    uint32_t referenceSamples = 400;          //!< size of X*
    std::string referenceSource = "balanced"; //!< balanced or clients
    uint32_t testSamples = 2000;              //!< size of the global test set
    /// dirichlet, iid, labels, shares, quantity, writers or users
    std::string partition = "dirichlet";
    std::string labels = "2"; //!< of labels: classes a device, or of the first and of the others
    std::string shares = "70,20,10"; //!< of shares: part of each of a device's classes [%]
    /// in regression samples are dealt out by so many equal groups of ascending targets
    uint32_t targetGroups = 10;
    double sizeExponent = 1;      //!< of quantity: a of sizes that fall with rank as 1 / rank^a
    std::string domainClasses;    //!< classes of X* and of the global test set; all if empty
    double domainRotation = 0;    //!< angle by which their images are turned [degrees]
    std::string featureRotations; //!< angles by which devices turn their images, or empty [degrees]
    double featureNoise = 0;      //!< standard deviation of the last device's sensor's noise
    double alpha = 1;             //!< concentration of the Dirichlet distribution
    uint32_t minimumSamples = 64; //!< least number of samples of a device
    std::string lowQuality = "auto";       //!< devices with bad labels, by number, or "none"
    std::string labelNoise = "shift";      //!< what is bad about them: shift or permute
    std::string model = "mlp";             //!< model of every device
    std::string initialWeights;            //!< file that all models begin with; empty for random
    bool saveWeights = false;              //!< whether to write all models at the end
    double learningRate = 5e-3;            //!< of Adam
    uint32_t batchSize = 64;               //!< local samples a step
    std::string optimizerOptions;          //!< see ReadOptimizerOptions()
    std::string rateSchedule = "constant"; //!< see MakeRateSchedule()
    double labelSmoothing = 0;             //!< part of a label that all classes share
    std::string classWeights = "none";     //!< none or balanced
    std::string device = "host";           //!< see CheckTorchDevice()
    std::string augmentation;              //!< see ReadAugmentation(); empty for none
    std::string dpSgd;                     //!< see ReadDpSgd(); empty for none
    std::string personalLayers;            //!< see FindShared(); empty for none
    std::string share;                     //!< see FindNamed(); empty for all that is trained
    std::string train;                     //!< see FindTensors(); empty for all
    double testPart = 0.25;                //!< of a device's samples that it does not learn from
    bool addedViews = false; //!< whether images get views, turned and enlarged, beside them
    double maxOutage = 0.4;  //!< outage probability between devices that are farthest apart
    PlaceParameters places;  //!< where devices are, and how they move
    /// Rate of radios unless the attribute is given; nothing for its default; no parameter
    /// [bit/s/Hz]
    std::optional<double> usualRate;
    std::string links = "radio";      //!< what links are: radio, or file:PATH of a trace
    std::string presence = "always";  //!< when devices are on; see Presence
    std::string slowDevices = "none"; //!< devices with slow processors, by number, or "none"
    double slowdown = 4;              //!< how many times as long their jobs take

    /// Whether the data set has turned out to be one of regression; no parameter
    bool hasTargets = false;
    /// What the file of links says; null if they are of no file. No parameter
    std::shared_ptr<const ns3::collab::D2dLinkTrace> linkTrace;

    virtual ~CommonParameters() = default;

    /// @brief Declare the parameters devices to labelNoise.
    /// @param mostDevices for which the scenario has time and memory; where all know all fewer
    void DeclareSamples(uint32_t mostDevices = 10000);
    /// Declare the parameter targetGroups, of scenarios that can be about a regression
    void DeclareTargets();
    /// @brief Declare the parameters model, learningRate and batchSize.
    /// @return learningRate, for the attribute behind it; call DeclareTraining() as well
    ns3::collab::Parameter& DeclareModel();
    /// Declare the parameters model and batchSize, of scenarios without Adam
    void DeclareModelWithoutAdam();
    /// Declare the parameter device
    void DeclareDevice();
    /// @throws UserError if LibTorch has no such device, or the model computes nothing
    void ValidateDevice() const;
    /// Declare the parameters weights and saveWeights
    void DeclareWeights();
    /// Declare the parameters optimizerOptions to dpSgd, and device
    void DeclareTraining();
    /// Declare the parameters personalLayers, share and train
    void DeclareSharing();
    /// @return whether devices train and exchange whole models
    bool IsWhole() const;
    /// @return name of the model, of which --train may train a part
    std::string GetTrainedModel() const;
    /// @return learning rate of stochastic gradient descent; nothing if Adam takes the steps
    virtual std::optional<double> GetSgdRate() const;
    /// @return whether stochastic gradient descent takes the steps
    bool UsesSgd() const;
    /// @return what takes the steps, with its constants
    /// @throws UserError if optimizerOptions or rateSchedule make none
    ns3::collab::OptimizerOptions GetOptimizer() const;
    /// @throws UserError if what DeclareTraining() declares makes no sense with the optimizer or
    /// with the model
    void ValidateTraining() const;
    /// @throws UserError if optimizerOptions or rateSchedule make no sense with the algorithm
    void ValidateSteps(const std::string& algorithm) const;
    /// @brief Declare the parameters positions to slowdown.
    /// @param battery charge of each device by default [J]
    void DeclareNetwork(double battery = 10000);
    /// @brief Declare the parameters serverOutage and serverPosition.
    /// @param outage the first one
    /// @param hasServer whether there is a server in the run
    /// @return the first one
    ns3::collab::Parameter& DeclareServerLinks(double& outage,
                                               const std::function<bool()>& hasServer);
    /// @brief Declare the parameter knowledge, of algorithms that ask how good links are.
    /// @return the parameter
    ns3::collab::Parameter& DeclareKnowledge();

    /// Work out what follows from other parameters: what the user has not given can change
    void CompleteCommon();
    /// @brief Refuse what makes no sense together, or is no name of a model.
    /// @param needsReference whether the scenario needs an X*
    /// @throws UserError that names what was given and what is allowed
    void ValidateCommon(bool needsReference) const;

    /// @return usualRate, unless the attribute is given
    std::optional<double> GetUsualRate() const;
    /// @return length of a link that has the outage probability maxOutage [m]
    double GetLongestByOutage() const;
    /// @return classes of the first device, and of each other one, with the partition labels
    std::pair<uint32_t, uint32_t> GetLabelCounts() const;
    /// @return part of each of a device's classes with the partition shares; sum 1
    std::vector<double> GetShares() const;
    /// @return angles by which devices turn their images [degrees]
    std::vector<double> GetRotations() const;
    /// @return devices that have rows in the tables
    uint32_t CountSampled() const;
    /// @return the low-quality devices, ascending
    std::vector<uint32_t> GetLowQualityDevices() const;
};

/// @return the devices in a list, ascending; none for "none"
/// @throws UserError if it is no such list
std::vector<uint32_t> ParseDevices(const std::string& name,
                                   const std::string& given,
                                   uint32_t devices);

/// @param list list that gets the parameters dataSet and dataDir
/// @param dataSet name of a data set, or file:PATH; check it by ValidateDataSet()
void DeclareDataSet(ns3::collab::ParameterList& list,
                    std::string& dataSet,
                    std::string& dataDir,
                    const std::string& help);

/// @param dataSet data set as given
/// @throws UserError if there is no such data set
void ValidateDataSet(const std::string& dataSet);

/// @return how one model is learned, and the values of FederatedApplication::Algorithm behind it
std::vector<ns3::collab::ParameterChoice> GetFederatedAlgorithms();

/// @brief Make a run's parameters ready: with the values of given attributes, and none that is not
/// allowed.
/// @tparam P parameters with Complete() and Validate()
/// @throws UserError that names what was given and what is allowed
template <typename P>
void
PrepareParameters(P& p)
{
    p.AdoptGivenAttributes();
    p.Check();
    p.KeepAsked();
    if constexpr (std::is_base_of_v<CommonParameters, P>)
    {
        p.CompleteCommon();
    }
    p.Complete();
    p.Validate();
}

#endif /* SCENARIO_PARAMETERS_H */
