/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RATE_TABLE_H
#define D2D_RATE_TABLE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-wireless
 * @brief Packet error rates (PER) by rate, length of the fragment and signal-to-noise ratio.
 *
 * The file has one point a line: rate [bit/s/Hz], length [byte], SNR [dB], PER, separated by
 * commas, in ascending order of the first three. Every rate has the same SNRs for all its lengths,
 * two at least, and the PER never grows with the SNR nor falls with the length.
 *
 * A modulation and coding scheme (MCS) is known by its rate. Between the SNRs of the table the PER
 * is linear in dB. Below the least it is 1, and above the greatest that of the greatest. Between
 * two lengths ln(1 - PER) is linear in the length; below the least length and above the greatest it
 * is proportional to the length, as if bits were lost independently.
 */
class D2dRateTable
{
  public:
    /// @param path path of the file
    /// @throws DataFileError that names file, line and column, what was found and what is allowed
    explicit D2dRateTable(const std::string& path);

    /// The PER of an MCS and length over the SNR
    struct Curve
    {
        std::vector<double> snr; //!< ascending, linear
        std::vector<double> per; //!< never growing

        /// @param snrNow an SNR, linear
        /// @return PER there
        double GetPer(double snrNow) const;
        /// @param meanSnr mean of an exponentially distributed SNR, linear; positive
        /// @return mean PER, in closed form
        double GetMeanPer(double meanSnr) const;
    };

    /// @param spectralEfficiency rate of a sender [bit/s/Hz]
    /// @param bytes length of a fragment
    /// @return PER of the slowest MCS that is no slower than that
    /// @throws UserError if none is
    Curve MakeCurve(double spectralEfficiency, uint32_t bytes) const;

    /// @return rates of all MCSs, ascending [bit/s/Hz]
    const std::vector<double>&
    GetRates() const
    {
        return m_rates;
    }

  private:
    /// Points of one MCS
    struct Mcs
    {
        std::vector<double> bytes;            //!< lengths, ascending
        std::vector<double> snrDb;            //!< SNRs, ascending [dB]
        std::vector<std::vector<double>> per; //!< by length and SNR
    };

    /// @param row rate, length, SNR and PER
    /// @param where file and line
    void Add(const std::vector<double>& row, const std::string& where);
    /// @brief Begin an MCS or a length if the row does.
    /// @param row rate, length, SNR and PER
    /// @param where file and line
    void Open(const std::vector<double>& row, const std::string& where);
    /// @brief Check that the last length of the last MCS has all SNRs.
    /// @param where file and line behind it
    void Close(const std::string& where) const;

    std::string m_path;          //!< of the file
    std::vector<double> m_rates; //!< of the MCSs, ascending [bit/s/Hz]
    std::vector<Mcs> m_mcs;      //!< the MCSs
};

} // namespace ns3::collab

#endif /* D2D_RATE_TABLE_H */
