/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_LEAF_FILE_H
#define COLLAB_LEAF_FILE_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-text-tokens.h"

#include <memory>
#include <string>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief Which data set of the LEAF benchmark a file holds (Caldas et al., arXiv:1812.01097).
enum class LeafTask : uint8_t
{
    FEMNIST,      //!< 28 x 28 pixels from 0 to 1 of a writer; 62 classes: digits, A to Z, a to z
    SENTIMENT140, //!< tweets of a user; 2 classes: negative (0) and positive (1 or 4)
    SHAKESPEARE,  //!< 80 characters said by a role; 80 classes: the next character
};

/**
 * @brief Load one part of a data set of the LEAF benchmark, with its natural users.
 *
 * Reads all files *.json of a folder in the order of their names, piece by piece, so that never
 * more than one sample is held as text. Users whose name comes again are the same.
 *
 * @param folder such as data/train or data/test
 * @param task which data set
 * @param vocabulary of the words of SENTIMENT140; not used by the others
 * @return the data set: FEMNIST has BYTES (0 black to 255 white paper, normalized to [-1, 1]),
 * SENTIMENT140 25 tokens of words, SHAKESPEARE 80 tokens of characters
 * @throws DataFileError if there is no file, if one is not JSON, or if its contents are not those
 * of the task or not as many as it says; with file and user
 */
std::shared_ptr<DataSet> LoadLeafDataSet(const std::string& folder,
                                               LeafTask task,
                                               const Vocabulary& vocabulary = {});

/**
 * @brief Take a vocabulary from the tweets of SENTIMENT140, for runs without word vectors.
 *
 * @param folder as of LoadLeafDataSet(), of the training part
 * @param mostWords number of words: the most frequent ones, equally frequent ones by alphabet
 * @return the vocabulary, most frequent words first
 * @throws DataFileError as LoadLeafDataSet()
 */
Vocabulary MakeLeafVocabulary(const std::string& folder, uint32_t mostWords);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_LEAF_FILE_H */
