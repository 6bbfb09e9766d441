/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LINK_MATRIX_H
#define D2D_LINK_MATRIX_H

#include "ns3/node-container.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief What the elements of a matrix of links may be.
struct D2dLinkQuantity
{
    const char* allowed;       //!< in words, with the unit: "expected ..."
    bool (*isAllowed)(double); //!< whether a finite number is
};

/**
 * @ingroup collab-wireless
 * @brief One number for every ordered pair of nodes, checked before its first use.
 *
 * ROW i IS THE RECEIVER, COLUMN j THE TRANSMITTER, as in W_ij and P_D(i, j) of Wagle et al.,
 * "Multi-Agent Reinforcement Learning for Graph Discovery in D2D-Enabled Federated Learning". The
 * diagonal is ignored. Row and column k are of the node with the number k, unless SetNodes() says
 * otherwise.
 */
class D2dLinkMatrix
{
  public:
    /// @param owner who has the matrix, named in errors
    /// @param quantity what its elements may be
    D2dLinkMatrix(std::string owner, D2dLinkQuantity quantity);

    /// @param fileName name of a file for ReadD2dMatrixFile(), read at the first use; it replaces
    /// what SetValues() gave
    void SetFileName(const std::string& fileName);
    /// @return name of the file; empty if there is none
    std::string
    GetFileName() const
    {
        return m_fileName;
    }
    /// @param values N rows of N numbers; they replace the file
    void SetValues(std::vector<std::vector<double>> values);
    /// @param symmetric promise, to be checked, that elements (i, j) and (j, i) are equal
    void SetSymmetric(bool symmetric);
    /// @return whether the matrix must be symmetric
    bool
    IsSymmetric() const
    {
        return m_symmetric;
    }
    /// @param nodes nodes that row and column 0, 1, ... are of; as many as there are rows
    void SetNodes(const NodeContainer& nodes);

    /// @param receiver node that receives: the row
    /// @param transmitter another node, which sends: the column
    /// @return the element
    /// @throws DataFileError if the file is bad; see ReadD2dMatrixFile()
    /// @throws UserError if there is no matrix, if the one that SetValues() gave is bad, or if a
    /// node has no row
    double Get(uint32_t receiver, uint32_t transmitter) const;

  private:
    /// @brief Read the file if there is one, and check the values.
    void Prepare() const;
    /// @brief Check that there are as many columns as rows, and as many as nodes.
    void CheckSize() const;
    /// @brief Check all elements off the diagonal.
    void CheckValues() const;
    /// @brief Check that the matrix is its own transpose but for the diagonal.
    void CheckSymmetry() const;
    /// @param node number of a node
    /// @return index of its row and column
    std::size_t GetIndex(uint32_t node) const;
    /// @param row index of a row
    /// @param column index of a column
    /// @return where the user finds that element
    std::string GetPlace(std::size_t row, std::size_t column) const;
    /// @brief Throw DataFileError if the values are from a file, UserError if not.
    /// @param problem what was found and what was expected
    [[noreturn]] void Fail(const std::string& problem) const;

    std::string m_owner;                               //!< who has the matrix
    D2dLinkQuantity m_quantity;                        //!< what its elements may be
    std::string m_fileName;                            //!< of the file; empty for none
    bool m_symmetric = false;                          //!< whether it must be symmetric
    std::map<uint32_t, std::size_t> m_indexOf;         //!< by node; empty if they are the same
    mutable bool m_ready = false;                      //!< whether m_values has been checked
    mutable std::vector<std::vector<double>> m_values; //!< rows
    mutable std::vector<std::size_t> m_lines;          //!< of the rows in the file
};

} // namespace ns3::collab

#endif /* D2D_LINK_MATRIX_H */
