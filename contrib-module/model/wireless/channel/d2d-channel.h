/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_CHANNEL_H
#define D2D_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/d2d-channel-modes.h"
#include "ns3/d2d-link.h"
#include "ns3/d2d-outage-model.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

class D2dAdmission;
class D2dBlockFading;
class D2dNetDevice;
class D2dPhy;
class D2dQuestionStreams;
class D2dSpectrumBridge;
class D2dSubchannels;
class D2dTdmaSchedule;
class D2dTopology;
enum class D2dOverhearing;
struct D2dAudience;
struct D2dBurst;
struct D2dRecipient;

/**
 * @ingroup collab-wireless
 * @brief The air between D2D devices.
 *
 * Mean received signal strength comes from a chain of ns-3 propagation loss models and the mobility
 * models of the nodes, read when a burst begins, and every LinkUpdatePeriod from then on if there
 * is one; from it the outage model makes the probability of losing a fragment.
 *
 * Where models draw powers at random, a burst has one power at each device, by which the device
 * receives it, defers to it and is disturbed by it. Whatever else asks for links or powers gets
 * values from random streams that no burst uses (D2dQuestionStreams), so that asking changes
 * nothing.
 *
 * Access is orthogonal by default (OFDMA): each transmitter has a subchannel of its own, however
 * many there are, so that transmissions never interfere and a device can hear several at once, as
 * many as its attribute D2dMac::MaxReceptions says. With a given number of subchannels
 * (Subchannels) devices that send on the same one interfere. A shared channel is a single
 * subchannel: whatever else is on air adds to the noise. With TDMA devices send in turns, one burst
 * each. Acknowledgments always have a control subchannel of their own.
 */
class D2dChannel : public Channel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    D2dChannel();
    ~D2dChannel() override;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * @param device a device that shall use this channel; called by D2dNetDevice::SetChannel
     */
    void Add(Ptr<D2dNetDevice> device);

    /**
     * @param model head of the chain of models that gives the received power
     */
    void SetPropagationLossModel(Ptr<PropagationLossModel> model);

    /**
     * @param model model that gives the propagation delay; null for none, which the attribute
     * cannot say
     */
    void SetPropagationDelayModel(Ptr<PropagationDelayModel> model);

    /**
     * @param address address of a device
     * @return the device, or null if this channel has none with that address
     */
    Ptr<D2dNetDevice> FindDevice(Mac48Address address) const;
    /**
     * @param index index of a device
     * @return its address
     */
    Mac48Address GetAddress(uint32_t index) const;

    /**
     * @param node node of a device
     * @return its device, the first one if it has several, or null if this channel has none there
     */
    Ptr<D2dNetDevice> FindDeviceOfNode(uint32_t node);

    /**
     * @param transmitter a device of this channel
     * @param receiver another one
     * @return the link between them now
     */
    D2dLink GetLink(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const;

    /**
     * @param transmitter a device of this channel
     * @return links to all devices of other nodes in range of it now, in the order in which they
     * were added
     */
    const std::vector<D2dLink>& GetLinks(Ptr<const D2dNetDevice> transmitter) const;
    /**
     * @param transmitter radio of a device of this channel
     * @return the same
     */
    const std::vector<D2dLink>& GetLinks(const D2dPhy& transmitter) const;

    /**
     * @param transmitter a device of this channel
     * @param burst what it has to send
     * @return the devices that it is meant for, if it began now, in the order in which a signal
     * reaches them; in range or not if it is for one device or for a group
     */
    std::shared_ptr<const D2dAudience> GetAudience(const D2dPhy& transmitter,
                                                   const D2dBurst& burst);

    /**
     * @brief The same for a burst that does begin now, or to find out whether it can: what the run
     * itself depends on.
     *
     * @param transmitter a device of this channel
     * @param burst what it sends
     * @return the devices that it is meant for, with the powers that it has there
     */
    std::shared_ptr<const D2dAudience> DrawAudience(const D2dPhy& transmitter,
                                                    const D2dBurst& burst);

    /**
     * @param transmitter a device of this channel that has a burst on air
     * @param receiver a device that it is meant for
     * @return the link between them now, with the power that the burst has there from now on
     */
    D2dLink DrawLink(const D2dPhy& transmitter, const D2dPhy& receiver);

    /**
     * @brief Who else hears a burst that begins now.
     *
     * @param transmitter a device of this channel
     * @param burst what it sends
     * @param audience what DrawAudience() gave for it
     * @return links to all devices that hear it or are disturbed by it, by ascending index, with
     * the powers of the audience
     */
    std::vector<D2dLink> DrawReach(const D2dPhy& transmitter,
                                   const D2dBurst& burst,
                                   const D2dAudience& audience);

    /**
     * @brief The same for a burst that is on air.
     *
     * @param transmitter a device of this channel
     * @param audience links to devices that follow the burst, with the powers that it has there
     * @return links to all devices that hear it or are disturbed by it now
     */
    std::vector<D2dLink> DrawReach(const D2dPhy& transmitter, const D2dAudience& audience);

    /// @brief Models, or all devices, have changed: find links anew.
    void InvalidateLinks();
    /// @param device device whose power or sensitivity has changed: its links are found anew
    void NotifyRadioChange(const D2dPhy& device);
    /**
     * @return why links are computed anew at each send, all or those of devices that move, which
     * takes longer; empty if all are kept
     */
    std::string ExplainUnkeptLinks() const;
    /**
     * @return what makes the simulation slower than its settings promise, a line each: fidelity
     * Burst where fragments are simulated all the same, and models for whose sake no links are kept
     */
    std::vector<std::string> FindHints() const;

    /**
     * @param transmitter a device of this channel
     * @param link link from it to another one
     * @param disturbance other signals at the receiver
     * @param spectralEfficiency rate of the fragment [bit/s/Hz]
     * @param fragmentBytes its length on the air; 0 for the longest that the transmitter sends
     * @return probability that the link loses a fragment; 1 out of range
     */
    double GetOutageProbability(const D2dPhy& transmitter,
                                const D2dLink& link,
                                const D2dDisturbance& disturbance,
                                double spectralEfficiency,
                                uint32_t fragmentBytes = 0) const;

    /**
     * @param transmitter a device of this channel
     * @param link link from it to another one
     * @param spectralEfficiency rate of a fragment [bit/s/Hz]
     * @return how much others disturb it there if they fade [1/W], or 0 if they add to the noise;
     * see D2dOutageModel::GetInterferenceScale()
     */
    double GetInterferenceScale(const D2dPhy& transmitter,
                                const D2dLink& link,
                                double spectralEfficiency) const;

    /**
     * @param signal a fragment at a receiver
     * @return probability of losing it
     */
    double GetOutageProbability(const D2dSignal& signal) const;

    /**
     * @brief Say what a link does in the present interval of coherence of the outage model.
     *
     * @param transmitter a device of this channel
     * @param receiver another one
     * @param probability probability that a fragment is lost, over all fading
     * @return 0 or 1: whether it is lost as the link fades now, or the probability itself if fading
     * is independent from one fragment to the next
     */
    double Fade(const D2dPhy& transmitter, const D2dPhy& receiver, double probability);
    /**
     * @brief Say what a transmission is worth to a receiver that combines it with others.
     *
     * @param transmitter a device of this channel
     * @param link link from there to another one
     * @param disturbance other signals in its band
     * @param spectralEfficiency rate r of the fragment [bit/s/Hz]
     * @param fragmentBytes its length on the air
     * @return its worth, constant as long as the link fades as it does now if fading lasts
     * @throws UserError if the outage model knows nothing of combining
     */
    D2dQuality GetQuality(const D2dPhy& transmitter,
                          const D2dLink& link,
                          const D2dDisturbance& disturbance,
                          double spectralEfficiency,
                          uint32_t fragmentBytes);
    /// @return how long links fade, and are good or bad, as they do now; 0 if they never change
    Time GetTimeToFading() const;

    /**
     * @param transmitter a device of this channel
     * @param receiver another one
     * @return probability that the link loses a fragment now, without interference, at the rate
     * that the transmitter has by attribute; 1 out of range
     */
    double GetOutageProbability(Ptr<const D2dNetDevice> transmitter,
                                Ptr<const D2dNetDevice> receiver) const;

    /**
     * @param sender a device that waits for an acknowledgment
     * @param link link from it to the device that acknowledges
     * @param turnaround the sender's turnaround time
     * @return probability that the acknowledgment is lost, at the rate and in the band of the
     * device that acknowledges, or comes too late: the way forth and back must fit in half of the
     * sender's turnaround time, the other half is the receiver's. A turnaround time of 0 is as long
     * as that way. Signals from outside disturb it that are at the sender now
     */
    double GetAcknowledgmentLoss(const D2dPhy& sender, const D2dLink& link, Time turnaround) const;

    /**
     * @param sender a device of this channel
     * @param link link from it to another one
     * @param targetOutage outage probability that is accepted
     * @param least lowest rate [bit/s/Hz]
     * @param greatest highest rate [bit/s/Hz]
     * @return highest rate in between that has it, for the received power that the sender measures
     * of the other device: links are taken to be reciprocal; nothing if none has, or if it does not
     * hear it [bit/s/Hz]
     */
    std::optional<double> GetSpectralEfficiency(const D2dPhy& sender,
                                                const D2dLink& link,
                                                double targetOutage,
                                                double least,
                                                double greatest) const;
    /**
     * @param signal a fragment at a receiver, at any rate
     * @param targetOutage outage probability that is accepted
     * @param least lowest rate [bit/s/Hz]
     * @param greatest highest rate [bit/s/Hz]
     * @return highest rate in between that has it; nothing if none has [bit/s/Hz]
     */
    std::optional<double> GetSpectralEfficiency(D2dSignal signal,
                                                double targetOutage,
                                                double least,
                                                double greatest) const;

    /**
     * @param transmitter a device of this channel
     * @param receiver another one
     * @return mean received signal strength now [W], linear
     */
    double GetRssW(Ptr<const D2dNetDevice> transmitter, Ptr<const D2dNetDevice> receiver) const;
    /**
     * @param transmitter radio of a device of this channel
     * @param receiver radio of another one
     * @return the same
     */
    double GetRssW(const D2dPhy& transmitter, const D2dPhy& receiver) const;

    /**
     * @param bandwidthHz bandwidth of the transmitter's subchannel [Hz]
     * @return noise power sigma^2 in that band [W]: the attribute NoisePower, or k T B F with
     * T = 290 K if that is 0
     */
    double GetNoiseW(double bandwidthHz) const;

    /// @return how often a burst on air reads its links again; 0 for never
    Time GetLinkUpdatePeriod() const;
    /// @return how finely the radio is simulated
    D2dFidelity GetFidelity() const;
    /// @return how devices share the medium
    D2dAccess GetAccess() const;
    /// @return whether signals of devices can interfere
    bool Interferes() const;
    /// @return whether fragments can be disturbed at all, by those of devices or from outside
    bool
    IsDisturbed() const
    {
        return m_spectrumBridge || Interferes();
    }
    /**
     * @param waits whether a sender waits for an acknowledgment of each fragment, whose
     * transmissions receivers combine
     * @return whether its fragments have to be simulated one by one, whatever the fidelity: for
     * radios outside each is a signal, and what it meets depends on when it is sent
     */
    bool NeedsFragments(bool waits) const;
    /// @param bridge what connects this channel with those outside; called by its Connect()
    void SetSpectrumBridge(Ptr<D2dSpectrumBridge> bridge);
    /// @return what connects this channel with those outside, or null
    D2dSpectrumBridge*
    GetSpectrumBridge() const
    {
        return PeekPointer(m_spectrumBridge);
    }
    /// @return number of subchannels that the channel's band has; 1 if it is not divided, or each
    /// device has one of its own
    uint32_t CountSubchannels() const;
    /// @return signals on air if fragments can be disturbed, or could before; else null
    D2dSubchannels* GetSubchannels();
    /**
     * @param device a device of this channel
     * @return the subchannel that it sends on, from 0 on, where signals can interfere; else 0
     */
    uint32_t GetSubchannel(const D2dPhy& device) const;
    /**
     * @param device a device of this channel
     * @param subchannel what a signal is on
     * @return whether the device looks for others there before it sends, if it does at all
     */
    bool SensesOn(const D2dPhy& device, uint32_t subchannel) const;
    /// @return turns of the devices if they have turns, else null
    D2dTdmaSchedule* GetTdmaSchedule();

    /// @param limited whether a device can receive a limited number of bursts at once, or senders
    /// wait until it hears
    void LimitReceptions(bool limited);
    /// @param overhearing what a device of this channel decodes of bursts that are for others
    void NoteOverhearing(D2dOverhearing overhearing);
    /// @return whether any has decoded anything of them; else senders need not look for it
    bool
    HasOverhearing() const
    {
        return m_hasOverhearing;
    }
    /// @return whether one or more can, whatever the access
    bool HasReceptionLimits() const;
    /// @return whether one or more can; only if each transmitter has a subchannel of its own
    bool LimitsReceptions() const;
    /// @return whether some receiver may have no place: it has a limit, or is closed
    bool ChecksPlace() const;
    /// @return who waits for receivers with such a limit
    D2dAdmission& GetAdmission();
    /// @brief A receiver has place again: who waits for one tries again.
    void NotifyPlace();

    /**
     * @brief Assign a fixed stream to the random variables of the propagation models.
     *
     * @param stream first stream index to use
     * @return number of stream indices used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @param count number of recipients of a burst
     * @return recipients as they are by default, in memory that an earlier burst has left
     */
    std::vector<D2dRecipient> TakeRecipients(std::size_t count);
    /// @param recipients recipients of a burst that is over
    void ReturnRecipients(std::vector<D2dRecipient>&& recipients);

  protected:
    void DoDispose() override;

  private:
    /// Weakening from which on nothing leaks from a subchannel into another one [dB]
    static constexpr double NO_LEAKAGE_DB = 1000;

    /**
     * @param transmitter a device of this channel
     * @param link link from it to another one
     * @param spectralEfficiency rate of a fragment [bit/s/Hz]
     * @return the fragment there, without interference
     */
    static D2dSignal MakeSignal(const D2dPhy& transmitter,
                                const D2dLink& link,
                                double spectralEfficiency);
    /**
     * @param transmitter a device of this channel
     * @param burst what it has to send
     * @return the devices that it is meant for, by whatever streams models draw from
     */
    std::shared_ptr<const D2dAudience> FindAudience(const D2dPhy& transmitter,
                                                    const D2dBurst& burst);
    /**
     * @param transmitter a device of this channel
     * @param node node of another device
     * @return index of that device
     */
    uint32_t FindMember(const D2dPhy& transmitter, uint32_t node);
    /// @return what lets models be asked without touching the random numbers of the run
    D2dQuestionStreams& GetQuestionStreams() const;
    /// @param marginDb power by which a fragment that captures a receiver is stronger [dB]
    void SetCaptureMarginDb(double marginDb);
    /// @return by how much it is stronger [dB]
    double GetCaptureMarginDb() const;
    /// @return head of the chain of models that gives the received power
    Ptr<PropagationLossModel> GetPropagationLossModel() const;
    /// @param model model of the probability of losing a fragment
    void SetOutageModel(Ptr<D2dOutageModel> model);
    /// @return what gives it
    Ptr<D2dOutageModel> GetOutageModel() const;
    /// @param noiseFigureDb noise figure of the receivers [dB]
    void SetNoiseFigureDb(double noiseFigureDb);
    /// @return noise figure of the receivers [dB]
    double GetNoiseFigureDb() const;
    /// @param resolution what delays are rounded up to a multiple of; 0 to leave them as they are
    void SetDelayResolution(Time resolution);
    /// @return what delays are rounded up to a multiple of
    Time GetDelayResolution() const;
    /// @return what gives the delay
    Ptr<PropagationDelayModel> GetPropagationDelayModel() const;
    /// @param links greatest number of links that are kept
    void SetKeptLinks(uint64_t links);
    /// @return greatest number of links that are kept
    uint64_t GetKeptLinks() const;

    std::vector<Ptr<D2dNetDevice>> m_devices;      //!< in the order of adding
    std::map<Mac48Address, std::size_t> m_indexOf; //!< address to index in m_devices
    std::vector<std::size_t> m_indexOfNode;        //!< the same by node; made when it is needed
    std::size_t m_knownNodes = 0;                  //!< devices that it knows, from the first on
    std::unique_ptr<D2dTopology> m_topology;       //!< who hears whom
    mutable std::unique_ptr<D2dQuestionStreams> m_questions; //!< made when it is first needed
    std::unique_ptr<D2dSubchannels> m_signals;               //!< made when it is first needed
    Ptr<D2dSpectrumBridge> m_spectrumBridge;                 //!< see GetSpectrumBridge()
    std::unique_ptr<D2dBlockFading> m_fading;                //!< how links fade, if for a time
    std::unique_ptr<D2dTdmaSchedule> m_schedule;             //!< made when it is first needed
    bool m_limitsReceptions = false;                         //!< see LimitReceptions()
    bool m_hasOverhearing = false;                           //!< see HasOverhearing()
    std::unique_ptr<D2dAdmission> m_admission;               //!< see GetAdmission()
    std::vector<std::vector<D2dRecipient>> m_spare;          //!< memory for recipients of bursts
    Ptr<PropagationLossModel> m_lossModel;                   //!< attribute PropagationLossModel
    Ptr<PropagationDelayModel> m_delayModel;                 //!< attribute PropagationDelayModel
    Ptr<D2dOutageModel> m_outageModel;                       //!< attribute OutageModel
    double m_noiseFigureDb;                                  //!< attribute NoiseFigure [dB]
    double m_noiseFigure = 0;                                //!< the same, linear
    double m_noisePowerW;                                    //!< attribute NoisePower [W]
    D2dFidelity m_fidelity;                                  //!< attribute Fidelity
    D2dAccess m_access;                                      //!< attribute Access
    double m_interferenceCutoffDbm;                          //!< attribute InterferenceCutoff [dBm]
    D2dLocking m_locking;                                    //!< attribute Locking
    double m_captureMarginDb;                                //!< attribute CaptureMargin [dB]
    double m_captureRatio = 1;                               //!< the same, linear
    uint32_t m_subchannels;                                  //!< attribute Subchannels
    double m_leakageDb;                                      //!< attribute AdjacentLeakage [dB]
    Time m_tdmaSlot;                                         //!< attribute TdmaSlot
    Time m_tdmaGuardTime;                                    //!< attribute TdmaGuardTime
    D2dLinkKeeping m_keeping;                                //!< attribute KeepLinks
    Time m_linkUpdatePeriod;                                 //!< attribute LinkUpdatePeriod
};

} // namespace collab
} // namespace ns3

#endif /* D2D_CHANNEL_H */
