/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MATRIX_MODEL_H
#define D2D_MATRIX_MODEL_H

#include "d2d-link-matrix.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief A model of links whose numbers are a given matrix, see D2dLinkMatrix.
/// @tparam Base what it is a model of
template <class Base>
class D2dMatrixModel : public Base, protected D2dLinkMatrix
{
  public:
    /// @param values N rows of N numbers; they replace the file
    void
    SetMatrix(const std::vector<std::vector<double>>& values)
    {
        SetValues(values);
        ++m_changes;
    }
    /// @param nodes nodes that row and column 0, 1, ... are of
    void
    SetNodes(const NodeContainer& nodes)
    {
        D2dLinkMatrix::SetNodes(nodes);
        ++m_changes;
    }

  protected:
    using D2dLinkMatrix::D2dLinkMatrix;

    /// @brief Describe the attributes of the matrix.
    /// @param tid TypeId to add them to
    /// @param numbers what is in the file
    /// @return the same
    static TypeId
    AddMatrixAttributes(TypeId tid, const std::string& numbers)
    {
        using Model = D2dMatrixModel;
        void (Model::*setFileName)(const std::string&) = &Model::SetFileName;
        std::string (Model::*getFileName)() const = &Model::GetFileName;
        void (Model::*setSymmetric)(bool) = &Model::SetSymmetric;
        bool (Model::*isSymmetric)() const = &Model::IsSymmetric;
        return tid
            .AddAttribute("FileName",
                          "File with the " + numbers +
                              ": a line for each receiver, a column for each transmitter.",
                          StringValue(""),
                          MakeStringAccessor(setFileName, getFileName),
                          MakeStringChecker())
            .AddAttribute("Symmetric",
                          "Promise, which is checked, that both ways of a link are the same.",
                          BooleanValue(false),
                          MakeBooleanAccessor(setSymmetric, isSymmetric),
                          MakeBooleanChecker());
    }
    /// @return how often a script has set the matrix or its nodes
    uint32_t
    CountChanges() const
    {
        return m_changes;
    }

  private:
    uint32_t m_changes = 0; //!< see CountChanges()
};

} // namespace ns3::collab

#endif /* D2D_MATRIX_MODEL_H */
