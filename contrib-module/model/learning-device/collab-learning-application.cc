/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-learning-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <boost/random/uniform_real_distribution.hpp>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(LearningApplication);

TrainWait::TrainWait(LearningApplication& application,
                     uint64_t flops,
                     std::function<Trained()> work)
    : JobWait<Trained>(application, flops, std::move(work)),
      m_application(application)
{
}

Trained
TrainWait::await_resume()
{
    Trained trained = JobWait<Trained>::await_resume();
    m_application.NoteTrained(trained.isFinite);
    return trained;
}

TypeId
LearningApplication::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::LearningApplication")
                            .SetParent<CollaborationApplication>()
                            .SetGroupName("Collab");
    return tid;
}

TypeId
LearningApplication::AddLocalEpochs(TypeId type)
{
    return type.AddAttribute("LocalEpochs",
                             "Passes over the local samples in a training.",
                             UintegerValue(5),
                             MakeUintegerAccessor(&LearningApplication::m_localEpochs),
                             MakeUintegerChecker<uint32_t>(1));
}

TypeId
LearningApplication::AddTraining(TypeId type)
{
    return AddLocalEpochs(type)
        .AddAttribute("LocalSteps",
                      "If not 0: steps on the local samples in a training, instead of passes.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&LearningApplication::m_localSteps),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("LearningRate",
                      "Of the learner's steps; 0 for the learner's own, which SCAFFOLD does not "
                      "know and so does not allow.",
                      DoubleValue(0.0),
                      MakeDoubleAccessor(&LearningApplication::m_learningRate),
                      MakeDoubleChecker<double>(0.0))
        .AddAttribute("ResetsOptimizer",
                      "Whether the optimizer's moments are forgotten before each training.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&LearningApplication::m_resetsOptimizer),
                      MakeBooleanChecker());
}

TypeId
LearningApplication::AddAttack(TypeId type)
{
    using App = LearningApplication;
    return type
        .AddAttribute("GradientAttack",
                      "How the device forges the change of its model, or the gradient, that it "
                      "sends; see MakeGradientAttack(). Empty: it does not.",
                      StringValue(""),
                      MakeStringAccessor(&App::SetGradientAttack, &App::GetGradientAttack),
                      MakeStringChecker())
        .AddAttribute("AttackTarget",
                      "What GradientAttack is applied to: the change or gradient that is sent, or "
                      "the weights that it leads to.",
                      compat::EnumAttribute(AttackTarget::GRADIENT),
                      compat::EnumAccessor(&App::m_attackTarget),
                      compat::EnumChecker(
                          AttackTarget::GRADIENT, "Gradient", AttackTarget::WEIGHTS, "Weights"));
}

LearningApplication::LearningApplication() = default;

LearningApplication::~LearningApplication() = default;

void
LearningApplication::DoDispose()
{
    m_adversary = GradientAdversary();     // nobody is served any more
    CollaborationApplication::DoDispose(); // which ends what uses them
    m_learner.reset();
    m_evaluations.Clear();
}

void
LearningApplication::SetLearner(std::shared_ptr<Learner> learner, uint32_t samples)
{
    NS_ABORT_MSG_IF(IsRunning(), "LearningApplication::SetLearner: the application runs already");
    m_learner = std::move(learner);
    m_samples = samples;
}

void
LearningApplication::AddEvaluation(std::shared_ptr<SharedEvaluation> evaluation)
{
    m_evaluations.Add(std::move(evaluation));
}

void
LearningApplication::AddEvaluation(const std::string& name,
                                   std::shared_ptr<const DataView> labelled)
{
    m_evaluations.Add(name, std::move(labelled));
}

const std::vector<ScoreMetric>&
LearningApplication::GetCommonMeasures()
{
    static const std::vector<ScoreMetric> measures = {
        {{"accuracy", "1", "fraction of the samples NAME that the model labels right"},
         &Score::accuracy},
        {{"loss", "nat", "cross-entropy of the model on them"}, &Score::loss}};
    return measures;
}

Columns<LearningApplication::Measured>
LearningApplication::GetColumns() const
{
    return m_evaluations.MakeColumns(m_evaluations.GetMeasures(GetCommonMeasures()),
                                     &Measured::scores);
}

std::vector<Metric>
LearningApplication::GetMetrics() const
{
    return DescribeMetrics(GetColumns());
}

void
LearningApplication::ReportScores(std::vector<Score> scores)
{
    Report(ReadScores(std::move(scores)));
}

MetricValues
LearningApplication::ReadScores(std::vector<Score> scores) const
{
    const Measured measured{std::make_shared<std::vector<Score>>(std::move(scores))};
    return ReadMetrics(measured, GetColumns());
}

const std::shared_ptr<Learner>&
LearningApplication::GetLearner() const
{
    return m_learner;
}

uint32_t
LearningApplication::GetSamples() const
{
    return m_samples;
}

const Evaluations&
LearningApplication::GetEvaluations() const
{
    return m_evaluations;
}

double
LearningApplication::GetLearningRate() const
{
    return m_learningRate;
}

bool
LearningApplication::ResetsOptimizer() const
{
    return m_resetsOptimizer;
}

TrainTask
LearningApplication::MakeTask() const
{
    TrainTask task;
    task.epochs = m_localEpochs;
    task.steps = m_localSteps;
    task.learningRate = m_learningRate;
    task.resetsOptimizer = m_resetsOptimizer;
    return task;
}

TrainWait
LearningApplication::Train(const TrainTask& task, TrainOptions options)
{
    const uint64_t flops = m_learner->CountTrainFlops(task) + options.moreFlops;
    const std::function<Trained()> work =
        [learner = m_learner, evaluations = m_evaluations, task, options = std::move(options)]() {
            Trained trained;
            trained.report = learner->Train(task);
            trained.isFinite = HasFiniteWeights(*learner);
            if (options.measures)
            {
                trained.scores = evaluations.Evaluate(*learner);
            }
            if (options.after)
            {
                options.after(*learner, trained);
            }
            return trained;
        };
    EnterPhase("train");
    return TrainWait(*this, flops, work);
}

JobWait<Matrix<float>>
LearningApplication::Predict(std::shared_ptr<const DataView> inputs)
{
    const uint64_t flops = m_learner->CountPredictFlops(inputs->Size());
    const std::function<Matrix<float>()> work =
        [learner = m_learner, inputs = std::move(inputs)]() { return learner->Predict(*inputs); };
    return Compute("predict", flops, work);
}

JobWait<std::vector<Score>>
LearningApplication::Evaluate(FlatVector weights)
{
    const std::function<std::vector<Score>()> work =
        [learner = m_learner, evaluations = m_evaluations, weights = std::move(weights)]() {
            if (weights)
            {
                learner->SetWeights(weights);
            }
            return evaluations.Evaluate(*learner);
        };
    return Compute("", 0, work);
}

void
LearningApplication::SetCollusion(std::shared_ptr<GradientCollusion> collusion)
{
    m_adversary.SetCollusion(std::move(collusion), GetDeviceId());
}

void
LearningApplication::SetGradientAttack(std::string specification)
{
    ReadAttribute("GradientAttack", specification, [this](const std::string& name) {
        m_adversary.SetAttack(name);
        return true;
    });
}

std::string
LearningApplication::GetGradientAttack() const
{
    return m_adversary.GetAttack();
}

const GradientAdversary&
LearningApplication::GetAdversary() const
{
    return m_adversary;
}

AttackTarget
LearningApplication::GetAttackTarget() const
{
    return m_attackTarget;
}

ProcessOf<FlatVector>
LearningApplication::Forge(GradientAdversary::Upload upload, std::function<bool()> isOver)
{
    upload.target = m_attackTarget;
    const auto sent = std::make_shared<FlatVector>();
    m_adversary.Forge(upload, [this, sent](FlatVector forged) {
        *sent = std::move(forged);
        CheckWaits();
    });
    const auto isForged = [sent, isOver]() { return *sent || (isOver && isOver()); };
    co_await WaitUntil(isForged); // until accomplices know theirs
    co_return* sent;
}

void
LearningApplication::SeedRetries(uint64_t seed)
{
    m_retryGenerator.emplace(seed);
}

double
LearningApplication::DrawDelay(double longest)
{
    if (!m_retryGenerator)
    {
        return CollaborationApplication::DrawDelay(longest);
    }
    return boost::random::uniform_real_distribution<double>(0, longest)(*m_retryGenerator);
}

} // namespace ns3::collab
