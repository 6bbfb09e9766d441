/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MATRIX_RSS_MODEL_H
#define D2D_MATRIX_RSS_MODEL_H

#include "d2d-rss-model.h"

#include "ns3/d2d-link-matrix.h"

#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief The mean received signal strength W_ij [W] of every link as a given matrix.
 *
 * Row i is the receiver, column j the transmitter; see D2dLinkMatrix for the order of the nodes and
 * for errors. Transmit power and positions play no part.
 */
class D2dMatrixRssModel : public D2dRssModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dMatrixRssModel();

    /// @param rssW N rows of N positive powers [W]; they replace the file
    void SetMatrix(const std::vector<std::vector<double>>& rssW);
    /// @param nodes nodes that row and column 0, 1, ... are of
    void SetNodes(const NodeContainer& nodes);

  private:
    double DoGetRssW(uint32_t transmitter, uint32_t receiver) const override;
    int64_t DoAssignStreams(int64_t stream) override;

    /// @param fileName attribute FileName
    void SetFileName(const std::string& fileName);
    /// @return attribute FileName
    std::string GetFileName() const;
    /// @param symmetric attribute Symmetric
    void SetSymmetric(bool symmetric);
    /// @return attribute Symmetric
    bool IsSymmetric() const;
    /// @return attribute Changes
    uint32_t CountChanges() const;

    D2dLinkMatrix m_matrix; //!< mean received powers [W]
    uint32_t m_changes = 0; //!< see CountChanges()
};

} // namespace ns3::collab

#endif /* D2D_MATRIX_RSS_MODEL_H */
