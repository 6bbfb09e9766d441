/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATA_SET_FILE_H
#define COLLAB_DATA_SET_FILE_H

#include "ns3/collab-data-set.h"
#include "ns3/collab-test-split.h"

#include <memory>
#include <string>

namespace ns3::collab
{

/**
 * @brief Load one part of a data set from a safetensors file: any data, as ./collab data convert
 * writes it.
 *
 * Tensors, of N samples: "features" (N x shape of a sample), and either "labels" (N whole numbers)
 * or "targets" (N, or N x outputs); perhaps "users" (N indices of user_names) and "token_vectors"
 * (tokens x dimension). A published test part has the names with "test_" in front; without one,
 * the samples are dealt out.
 *
 * Texts of "__metadata__", none of which must be there but vocabulary for tokens: name; kind: bytes
 * (U8; the default for it), tokens (whole numbers; the default for others of them) or numbers;
 * classes, or class_names (a JSON list); vocabulary; user_names (a JSON list); for bytes offset and
 * scale (JSON lists of one number, or one a channel); standardize: none, features (each by its mean
 * and deviation in the training part), all (by those of all numbers in it), or channels (of bytes).
 *
 * What is kept is read piece by piece and never held twice.
 *
 * @param path path of the file
 * @param train whether to load the training part, or else the test part
 * @param split way to divide the samples if the file has no test part
 * @return the data set
 * @throws DataFileError if the file is missing, damaged or contradicts itself; the text names the
 * file, the tensor or metadata, what was found and what was expected
 */
std::shared_ptr<const DataSet> LoadDataSetFile(const std::string& path,
                                               bool train,
                                               const TestSplit& split = {});

} // namespace ns3::collab

#endif /* COLLAB_DATA_SET_FILE_H */
