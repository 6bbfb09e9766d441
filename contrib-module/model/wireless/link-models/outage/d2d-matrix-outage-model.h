/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MATRIX_OUTAGE_MODEL_H
#define D2D_MATRIX_OUTAGE_MODEL_H

#include "d2d-outage-model.h"

#include "ns3/d2d-matrix-model.h"

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief The outage probability P_D(i, j) of every link as a given matrix.
 *
 * Row i is the receiver, column j the transmitter; see D2dLinkMatrix for the order of the nodes and
 * for errors. Power, noise and rate play no part, but that a device under its sensitivity hears
 * nothing.
 */
class D2dMatrixOutageModel : public D2dMatrixModel<D2dOutageModel>
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dMatrixOutageModel();

  private:
    double DoGetOutageProbability(const D2dSignal& signal) const override;
};

} // namespace ns3::collab

#endif /* D2D_MATRIX_OUTAGE_MODEL_H */
