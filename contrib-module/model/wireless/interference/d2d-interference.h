/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_INTERFERENCE_H
#define D2D_INTERFERENCE_H

#include "d2d-log-sum.h"

#include "ns3/d2d-channel-settings.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Where a signal is heard, and how well.
struct D2dReach
{
    uint32_t device = 0; //!< index of a device at the channel
    double powerW = 0;   //!< mean power there [W]
};

/// @ingroup collab-wireless
/// @brief A device that a signal is meant for.
struct D2dReception
{
    uint32_t device = 0; //!< its index at the channel
    double scale = 0;    //!< see D2dOutageModel::GetInterferenceScale()
};

/// @ingroup collab-wireless
/// @brief Fragments in a row of one signal that met the same at a receiver.
struct D2dRun
{
    uint32_t fragments = 0;              //!< their number
    std::optional<D2dDisturbance> worst; //!< what each met; nothing if it was not decoded
};

/**
 * @ingroup collab-wireless
 * @brief The signals on a medium that all devices share.
 *
 * Fading is constant over a fragment, and a fragment is lost if it is in outage at any moment: so
 * what counts for it at a receiver is the worst moment while it is on air, that of the greatest sum
 * of mean powers of other signals, or of the greatest product if they fade. A signal that ends at
 * the instant at which another begins does not disturb it. Propagation delays do not shift this:
 * they are short against a fragment.
 *
 * A device has one receiver: of overlapping fragments that are meant for it, it decodes the one
 * that it is locked to (D2dLocking). Of those that begin at the same instant this is the strongest;
 * a fragment that begins when the device is locked to another one is lost for it as a whole, and so
 * is one from which the device is captured. A lock ends with its fragment, not with the burst.
 *
 * A signal may be a whole row of fragments of equal length. What these meet is worked out when
 * another signal begins or ends at the receiver, or when somebody asks: all fragments between two
 * such moments meet the same. Only as long as several signals that overlap are meant for a receiver
 * that locks does each fragment have to be looked at, since each begins a lock anew. What comes out
 * is what signals of a fragment each would have met.
 *
 * A signal that begins or ends costs O(S) at each device that hears it, where S signals are on air.
 * Sums of powers are formed anew of what is on air, and products are such that a factor taken out
 * leaves nothing behind (D2dLogSum): so powers of any size can meet, and none depends on what was
 * on air before.
 */
class D2dInterference
{
  public:
    /// @brief Set what devices do whom overlapping fragments are meant for; NONE without.
    /// @param locking burst to which a receiver of several is locked
    /// @param captureRatio how many times the power of the other one it takes to capture a device
    void SetLocking(D2dLocking locking, double captureRatio);
    /// @brief A fragment begins, or a row of them.
    /// @param reach where it is heard
    /// @param receptions the devices that it is meant for, and that listen
    /// @param airtime how long it will last, if it is not cut off
    /// @param fragments number of fragments in a row, of equal airtimes; 0 if it is no row
    /// @param elapsed for how long it has been on air, where nothing else was; its airtime counts
    /// from its beginning
    /// @return number of the signal, not 0
    uint64_t Begin(const std::vector<D2dReach>& reach,
                   const std::vector<D2dReception>& receptions,
                   Time airtime,
                   uint32_t fragments = 0,
                   Time elapsed = Time());
    /// @param devices indices of devices
    /// @return whether nothing is on air at any of them, and nobody watches one
    bool IsQuiet(const std::vector<uint32_t>& devices) const;
    /// @param devices indices of devices
    /// @return whether somebody watches one of them
    bool IsWatched(const std::vector<uint32_t>& devices) const;
    /**
     * @brief Tell somebody once before anything begins at one of some devices.
     *
     * So who alone is heard there need not tell of every fragment, but has to tell of the one that
     * is on air when somebody else begins.
     *
     * @param devices their indices, where it is quiet
     * @param stirred called once, before the first signal begins at any of them
     * @return number of the watch, not 0
     */
    uint64_t Watch(std::vector<uint32_t> devices, std::function<void()> stirred);
    /// @param watch number of a watch, which ends; or of one that is over
    void Unwatch(uint64_t watch);
    /// @brief Say what fragments of a row have met.
    /// @param signal its number
    /// @param device index of one of the devices it is meant for
    /// @return what those met that have ended and were not told of before, in their order; nothing
    /// more once the device was let go
    std::vector<D2dRun> Collect(uint64_t signal, uint32_t device);
    /// @return how many runs are kept until somebody collects them
    uint64_t
    CountRuns() const
    {
        return m_runs;
    }
    /// @brief A device no longer listens to a row: its lock ends with the fragment on air.
    /// @param signal number of the signal
    /// @param device index of one of the devices it is meant for
    void LetGo(uint64_t signal, uint32_t device);
    /// @brief A signal ends, at its end or before.
    /// @param signal its number
    /// @return the worst of other signals that the fragment on air has met at each of the devices
    /// it was meant for, in their order; nothing for a device that was not locked to it all the
    /// time
    std::vector<std::optional<D2dDisturbance>> End(uint64_t signal);

  private:
    /// A signal on air
    struct Signal
    {
        std::vector<uint32_t> devices;         //!< where it has a place
        std::vector<uint32_t> receivers;       //!< devices that it is meant for
        std::vector<std::vector<D2dRun>> runs; //!< what a row has met there, if it is one
    };

    /// Somebody who is to be told
    struct Watcher
    {
        std::vector<uint32_t> devices; //!< where something begins
        std::function<void()> stirred; //!< that it does
    };

    /// Other signals at one moment, or at the worst one
    struct Others
    {
        double powerW = 0; //!< sum of the mean powers, if these add up [W]
        D2dLogSum faded;   //!< product of all 1 + a I_k, if they fade

        /// @return the same, as outage models take it
        D2dDisturbance Get() const;
    };

    /// A signal on air, at a device
    struct Place
    {
        uint64_t signal = 0;    //!< number of the signal
        double powerW = 0;      //!< its mean power there [W]
        int64_t begin = 0;      //!< when its present fragment began, as ns-3 counts time
        int64_t end = 0;        //!< when the signal ends if it is not cut off
        int64_t lockEnd = 0;    //!< when its present fragment does
        int64_t fragment = 0;   //!< airtime of each of a row that is meant for the device, or 0
        uint32_t reception = 0; //!< which of the signal's receptions it is, if it is a row
        bool received = false;  //!< whether the device decodes the present fragment
        bool disturbs = true;   //!< whether it is one of the others
        double scale = 0;       //!< see D2dReception, if the signal is meant for the device
        Others worst;           //!< in the present fragment
        Others present;         //!< at present

        /// @return whether a fragment of it is decoded, or one of a row that may yet be
        bool
        IsWanted() const
        {
            return received || fragment > 0;
        }

        /// @return whether products of other signals are formed for it
        bool
        MeetsFading() const
        {
            return scale > 0 && IsWanted();
        }

        /// @return whether it is a row that is not over
        bool
        IsRow() const
        {
            return fragment > 0 && begin < end;
        }
    };

    /// @param device index of a device where a signal begins
    /// @param place the signal there
    /// @param now present time, as ns-3 counts it
    void Add(uint32_t device, const Place& place, int64_t now);
    /// @brief Tell who watches a device that a signal is about to begin there.
    /// @param device its index
    void Stir(uint32_t device);
    /// @param device index of a device
    /// @param signal number of a signal that has a place there
    /// @return the place
    std::vector<Place>::iterator Find(uint32_t device, uint64_t signal);
    /// @brief Decide whether a device decodes a fragment, which begins.
    /// @param places places at one device
    /// @param added the one of them that begins; it is meant for it and listens
    void Lock(std::vector<Place>& places, Place& added) const;
    /// @brief Work out what the fragments of rows have met up to now, and let signals that have
    /// ended disturb nobody from now on; NoteWorst() has to follow.
    /// @param device index of the receiving device
    /// @param now present time, as ns-3 counts it
    void Advance(uint32_t device, int64_t now);
    /// @brief The same for what the fragments of rows have met.
    /// @param places places at one device
    /// @param now present time, as ns-3 counts it
    void AdvanceRows(std::vector<Place>& places, int64_t now);
    /// @brief Form the product of all others for a signal that begins, if they fade.
    /// @param places places at one device
    /// @param added the one of them that begins
    static void StartProduct(const std::vector<Place>& places, Place& added);
    /// @brief Let a signal disturb nobody from now on.
    /// @param places places at one device
    /// @param ended the one of them that has ended
    static void Silence(std::vector<Place>& places, Place& ended);
    /// @param places places at one device
    /// @return whether each fragment of the rows there has to look for its lock
    bool AreContested(const std::vector<Place>& places) const;
    /// @brief Let fragments end, one moment after the other, and the next ones look for their
    /// locks.
    /// @param places places at one device
    /// @param now present time, as ns-3 counts it
    void AdvanceContested(std::vector<Place>& places, int64_t now);
    /// @brief Let fragments of a row end.
    /// @param place the row at a device
    /// @param fragments how many, of which all but the first met what is there at present
    /// @param now present time, as ns-3 counts it
    void EndFragments(Place& place, uint32_t fragments, int64_t now);
    /// @param place a row at a device
    /// @param fragments how many of its fragments met the same
    /// @param worst what each met
    void AddRun(const Place& place, uint32_t fragments, const std::optional<D2dDisturbance>& worst);
    /// @param device index of a device where a signal begins or ends
    /// @param now present time, as ns-3 counts it
    void NoteWorst(uint32_t device, int64_t now);
    /// @brief Note the worst of signals whose mean powers add up.
    /// @param places places at one device
    /// @param now present time, as ns-3 counts it
    void NoteWorstSums(std::vector<Place>& places, int64_t now);

    D2dLocking m_locking = D2dLocking::NONE; //!< see SetLocking()
    double m_captureRatio = 1;               //!< see SetLocking()
    uint64_t m_next = 1;                     //!< number of the next signal
    uint32_t m_rows = 0;                     //!< signals on air that are rows
    uint64_t m_runs = 0;                     //!< see CountRuns()
    std::map<uint64_t, Signal> m_signals;    //!< what is on air
    std::vector<std::vector<Place>> m_heard; //!< what is on air at each device, by number
    std::vector<double> m_earlierW;          //!< memory for NoteWorstSums()
    std::map<uint64_t, Watcher> m_watchers;  //!< by number of the watch
    std::vector<uint64_t> m_watches;         //!< number of the watch at each device, or 0
};

} // namespace ns3::collab

#endif /* D2D_INTERFERENCE_H */
