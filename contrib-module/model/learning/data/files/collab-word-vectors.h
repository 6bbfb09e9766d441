/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_WORD_VECTORS_H
#define COLLAB_WORD_VECTORS_H

#include "ns3/collab-matrix.h"
#include "ns3/collab-text-tokens.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief A vocabulary with a vector for every token: initial weights of an embedding.
struct WordVectors
{
    Vocabulary vocabulary; //!< words and their tokens
    Matrix<float> vectors; //!< tokens x dimension; PADDING is 0, UNKNOWN the mean of all words
};

/**
 * @brief Load word vectors in the text format of GloVe (Pennington, Socher, Manning, EMNLP 2014).
 *
 * Each line is a word and its numbers, separated by single blanks. A word may hold blanks itself:
 * the dimension is that of the first line. A word that comes again is passed over.
 *
 * @param path of the file, plain or compressed by gzip or bzip2
 * @param mostWords number of words after which reading ends; the most frequent come first
 * @return vocabulary and vectors
 * @throws DataFileError if the file is missing, empty or damaged, or if a line has too few numbers
 * or some that are not finite, with its number
 */
WordVectors LoadWordVectors(const std::string& path, uint32_t mostWords);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_WORD_VECTORS_H */
