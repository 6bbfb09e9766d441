/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_MESSAGES_H
#define PREDICTION_CONSENSUS_MESSAGES_H

#include "ns3/collab-fields.h"
#include "ns3/collab-matrix.h"
#include "ns3/collab-wire-format.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What agents tell each other of their predictions on X*.
enum class PredictionKind : uint8_t
{
    PROBABILITIES, //!< class probabilities
    CLASSES,       //!< the most probable class alone: a row has one 1 and else zeros
    VALUES,        //!< outputs of a regression
};

/// @ingroup collab
/// @brief How a number travels.
enum class LabelPrecision : uint8_t
{
    FLOAT32, //!< IEEE 754 single precision
    FLOAT16, //!< IEEE 754 half precision, rounded to nearest even
};

/**
 * @ingroup collab
 * @brief How predictions on X* are written, little endian, sample by sample.
 *
 * - PROBABILITIES: the numbers of all classes; or with topK the classes of the K greatest
 *   probabilities, ascending, each followed by its probability.
 * - CLASSES: the class.
 * - VALUES: the numbers of all outputs.
 *
 * A sample of which a model that has diverged says nothing has NaN for all probabilities, and for
 * each class the greatest number that there is; receivers refuse it.
 *
 * A class takes one byte if there are at most 255 of them, else two. Every agent knows X*, the
 * number of classes and the format, so that nothing of them travels.
 */
struct PredictionFormat
{
    PredictionKind kind = PredictionKind::PROBABILITIES; //!< what is told
    LabelPrecision precision = LabelPrecision::FLOAT32;  //!< of numbers
    /// PROBABILITIES: only the K greatest of a sample, of equals those with the lowest class,
    /// divided by their sum before rounding; 0, or as many as there are classes, for all
    uint32_t topK = 0;

    /// @param classes number of classes or outputs
    /// @return bytes of one sample
    uint64_t CountSampleBytes(std::size_t classes) const;
};

/// @brief Decide whether predictions on X* can be believed to be some.
/// @param predictions to check
/// @param samples number of samples of X*
/// @param classes number of classes or outputs
/// @param kind what they are
/// @throws PayloadError if the shape differs, a number is no probability (no finite value in
/// regression), or the probabilities of a sample do not add up to 1 within 0.001
void CheckPredictions(const Matrix<float>& predictions,
                      std::size_t samples,
                      std::size_t classes,
                      PredictionKind kind);

/// @ingroup collab
/// @brief How an agent lies: what it sends in the place of its predictions.
enum class PredictionAttack
{
    NONE,   //!< it does not
    SHIFT,  //!< the probability of each class is told of the next one
    TARGET, //!< the probabilities of classes 0 and 1 are told of each other: a few samples only
};

/// @param labels true predictions
/// @param attack how to lie
/// @return what is told
Matrix<float> Falsify(Matrix<float> labels, PredictionAttack attack);

/**
 * @ingroup collab
 * @brief An agent's predictions on X*, as they travel.
 *
 * What the format loses is lost when the message is made: the predictions are what every receiver
 * reads, whether bytes travel or a pointer.
 */
struct SoftLabels
{
    static constexpr uint16_t KIND = 0x0101;
    static constexpr const char* NAME = "soft-labels";

    /// None.
    SoftLabels() = default;
    /// @param exact predictions on X*, samples x classes or samples x outputs
    /// @param howToWrite how to write them
    explicit SoftLabels(Matrix<float> exact, PredictionFormat howToWrite = {});

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(predictions.rows, "samples of soft labels");
        fields.Shape(predictions.columns, "classes of soft labels");
        fields.Shape(format.kind, "as the kind of soft labels");
        fields.Shape(format.precision, "as the precision of soft labels");
        fields.Shape(format.topK, "classes of a sample");
        fields.Coded(*this);
    }

    /// @throws PayloadError as CheckPredictions()
    void Check() const;

    /// @return bytes on the wire
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the predictions appended
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader at the first of so many samples as there are already
    /// @throws PayloadError if a class is not below classes or not in its place
    void Read(WireReader& reader);

    /// @return number of samples
    uint32_t CountUnits() const;
    /// @return bytes of each
    uint32_t GetUnitSize() const;
    /// @param samples those that have come, ascending: their rows are the first ones then
    void Keep(const std::vector<uint32_t>& samples);
    /// @param others what stands in for samples that have not come
    /// @return predictions on all samples
    Matrix<float> Complete(const Matrix<float>& others) const;

    Matrix<float> predictions; //!< as a receiver reads them, of those samples that have come
    PredictionFormat format;   //!< how they are written
    Arrival arrived;           //!< samples that have come

  private:
    std::size_t m_present = 0; //!< rows that there are
};

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_MESSAGES_H */
