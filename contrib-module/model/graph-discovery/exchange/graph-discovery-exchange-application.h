/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_EXCHANGE_APPLICATION_H
#define GRAPH_DISCOVERY_EXCHANGE_APPLICATION_H

#include "graph-discovery-data-messages.h"
#include "graph-discovery-holdings.h"

#include "ns3/collab-application.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Datapoints that a device has sent, or received, for traces.
struct DatapointTransfer
{
    uint32_t round = 0;    //!< pass, from 0
    uint32_t sender = 0;   //!< transmitter
    uint32_t receiver = 0; //!< receiver
    Time time;             //!< when they were sent, or taken over
    DataView samples;      //!< all that were sent; of a receipt none
    /// places among those sent, ascending: that the receiver took over, or that the sender put back
    std::vector<uint32_t> units;
};

/**
 * @ingroup collab
 * @brief A device that gives real datapoints away and gets others, over one incoming link a round.
 *
 * What a device sends it no longer has (footnote 1 of Wagle et al.). Each datapoint is lost by
 * itself; see DataLossPolicy. What did not arrive is gone, unless RetainUntilAcked: then the
 * receiver tells what has come, and the sender takes back what has not. A receiver that does not
 * hear that its receipt has come drops the datapoints, for the sender may have them again: none is
 * ever at two devices, while some may be at none.
 */
class DatapointExchangeApplication : public CollaborationApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    DatapointExchangeApplication();

    /// @param samples of the device, with the labels that it believes in or none
    void SetSamples(DataView samples);
    /// @return the datapoints that the device has now, its own ones first
    DataView GetSamples() const;
    /// @return whether datapoints are under way, so that some are at no device
    bool IsExchanging() const;

    /// TracedCallback signature for transfers.
    /// @param transfer what was sent, taken over or put back
    typedef void (*TransferTracedCallback)(const DatapointTransfer& transfer);

  protected:
    /// Number of datapoints of each partition, by number of the device that gets them
    using Gifts = std::vector<std::pair<uint32_t, PartitionCounts>>;

    void DoStart() override;
    void DoResume() override;

    /// @return the datapoints
    DatapointHoldings& GetHoldings();
    /// @return the datapoints
    const DatapointHoldings& GetHoldings() const;
    /// @return how long an exchange takes, from its begin to its end
    Time GetExchangeDuration() const;

    /// @brief Send datapoints, and wait for those of one transmitter until the exchange is over.
    /// @param gifts datapoints to send, which must be there
    /// @param transmitter whose datapoints are expected; nothing for none
    /// @param most that it may send
    /// @param begin of the exchange, the same on all devices; a device that is late has less time
    Process Exchange(Gifts gifts, std::optional<uint32_t> transmitter, uint64_t most, Time begin);

    /// @return datapoints sent in the present or last exchange
    uint64_t GetSent() const;
    /// @return datapoints taken over in the present or last exchange
    uint64_t GetTaken() const;
    /// @return datapoints put back in the present or last exchange
    uint64_t GetPutBack() const;

  private:
    /// Datapoints on their way to a device
    struct Gift
    {
        DataView samples;                          //!< in the order of their numbers
        std::optional<std::vector<uint32_t>> came; //!< as its receipt says
    };

    /// @brief Send datapoints, which are no longer the device's.
    /// @param receiver number of the device that gets them
    /// @param counts number of datapoints of each partition
    void Give(uint32_t receiver, const PartitionCounts& counts);
    /// @param message datapoints
    void HandleData(const Received<Datapoints>& message);
    /// @param message datapoints
    /// @throws PayloadError if they cannot be believed
    void CheckData(const Received<Datapoints>& message) const;
    /// @param message a receipt
    void HandleReceipt(const Received<DatapointReceipt>& message);
    /// @brief What has come is the device's: only at the end, so that it gives none of it on.
    void TakeOver();
    /// @brief Take over what has come, and put back what has not come elsewhere.
    void EndExchange();
    /// @brief Put back what the receipts do not list.
    void PutBack();

    LossPolicy m_dataLossPolicy; //!< attribute DataLossPolicy
    bool m_retains;              //!< attribute RetainUntilAcked
    Time m_exchangeDeadline;     //!< attribute ExchangeDeadline
    Time m_receiptDeadline;      //!< attribute ReceiptDeadline

    std::unique_ptr<DatapointHoldings> m_holdings; //!< the datapoints
    std::map<uint32_t, Gift> m_gifts;              //!< by receiver
    std::optional<uint32_t> m_transmitter;         //!< whose datapoints are expected
    uint64_t m_most = 0;                           //!< that it may send
    std::optional<DatapointTransfer> m_incoming;   //!< what has come, not taken over yet
    bool m_isIncomingSafe = false;                 //!< whether no other device can have it again
    Time m_dataEnd;                                //!< when datapoints are too late
    Time m_exchangeEnd;                            //!< when receipts are too late
    uint64_t m_sent = 0;                           //!< datapoints
    uint64_t m_taken = 0;                          //!< datapoints
    uint64_t m_putBack = 0;                        //!< datapoints

    TracedCallback<const DatapointTransfer&> m_sendTrace;    //!< trace source Send
    TracedCallback<const DatapointTransfer&> m_takeTrace;    //!< trace source TakeOver
    TracedCallback<const DatapointTransfer&> m_putBackTrace; //!< trace source PutBack
};

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_EXCHANGE_APPLICATION_H */
