/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MATRIX_RSS_MODEL_H
#define D2D_MATRIX_RSS_MODEL_H

#include "d2d-rss-model.h"

#include "ns3/d2d-matrix-model.h"

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief The mean received signal strength W_ij [W] of every link as a given matrix.
 *
 * Row i is the receiver, column j the transmitter; see D2dLinkMatrix for the order of the nodes and
 * for errors. Numbers are positive. Transmit power and positions play no part.
 */
class D2dMatrixRssModel : public D2dMatrixModel<D2dRssModel>
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dMatrixRssModel();

  private:
    double DoGetRssW(uint32_t transmitter, uint32_t receiver) const override;
    int64_t DoAssignStreams(int64_t stream) override;
};

} // namespace ns3::collab

#endif /* D2D_MATRIX_RSS_MODEL_H */
