/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_BUFFERED_SERVER_APPLICATION_H
#define FEDERATED_BUFFERED_SERVER_APPLICATION_H

#include "federated-server-application.h"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief The server of FedBuff: J. Nguyen et al., "Federated Learning with Buffered Asynchronous
 * Aggregation", AISTATS 2022, algorithm 1.
 *
 * Concurrency devices train at a time. When an update arrives, the newest model goes to another
 * device, drawn from those that do not train, or to the same one if there is none: an assignment,
 * known by the sequence number of its message, which the update carries. Each assignment counts
 * once, whatever comes twice; a device that gets a model a second time trains from it anew, and
 * both updates count.
 *
 * A round lasts until BufferSize updates are in the buffer: phase "collect". The step of the server
 * ends it, phase "aggregate", and its number is the version of the model that devices get. The
 * application ends after Rounds steps.
 *
 * Nothing that is lost holds up the place of a device for longer than RoundDeadline: it goes to
 * another one if the model was not acknowledged, with LossPolicy Reliable, or if no update came
 * until RoundDeadline after the model was sent. The device is not drawn before that deadline, and
 * after MaxMisses of these in a row not at all, unless it speaks up. If no device is left, the
 * application ends. An update that comes later than that counts all the same.
 */
class FederatedBufferedServerApplication : public FederatedServerApplication
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    FederatedBufferedServerApplication();

    Time GetAftermath() const override;

    /// TracedCallback signature for assignments.
    /// @param device that is to train
    /// @param version of the model, which is the round
    /// @param number of the assignment: sequence number of the message with the model
    typedef void (*AssignmentTracedCallback)(uint32_t device, uint32_t version, uint32_t number);

  protected:
    void DoStart() override;
    Process Round() override;
    void CheckClients() const override;
    void TakeUpdate(const Received<FederatedUpload>& update) override;

  private:
    /// A model that a device is to train from
    struct Assignment
    {
        uint32_t device = 0;  //!< the device
        uint32_t version = 0; //!< of the model
    };

    /// A device that is not to be drawn
    struct Occupation
    {
        uint32_t number = 0; //!< of its assignment
        bool isLost = false; //!< whether it is known that the model did not arrive
    };

    /// An update that waits for the server's step
    struct Entry
    {
        Assignment assignment;                         //!< that it answers
        std::shared_ptr<const FederatedUpload> update; //!< the update
    };

    /// @brief Let devices train as long as there are places and devices.
    void FillPlaces();
    /// @return devices that can be drawn, ascending; not the last one heard if there are others
    std::vector<uint32_t> ListIdle() const;
    /// @brief Wait for the update of an assignment.
    /// @param device to train from the newest model
    Process Assign(uint32_t device);
    /// @param device a device
    /// @param number of an assignment
    /// @return what keeps the device from being drawn; null if that is not this assignment any more
    Occupation* FindOccupation(uint32_t device, uint32_t number);
    /// @param device that has missed an assignment: its place is another one's
    void Miss(uint32_t device);
    /// @return what the step of the server is made of: the first updates of the full buffer
    Harvest TakeBuffer();
    /// @brief Wait for nobody any more.
    void DropAssignments();

    uint32_t m_bufferSize;  //!< attribute BufferSize
    uint32_t m_concurrency; //!< attribute Concurrency
    uint32_t m_maxMisses;   //!< attribute MaxMisses

    std::size_t m_places = 0;                  //!< how many more devices are to train now
    std::map<uint32_t, Assignment> m_assigned; //!< without an update yet, by number
    std::map<uint32_t, Occupation> m_occupied; //!< by device
    std::map<uint32_t, uint32_t> m_misses;     //!< in a row, by device
    uint64_t m_draws = 0;                      //!< devices that were drawn
    uint32_t m_last = 0;                       //!< device that was heard last
    std::deque<Entry> m_buffer;                //!< in the order of arrival
    std::set<uint32_t> m_sampled;              //!< devices that got a model in this round
    std::size_t m_missed = 0;                  //!< assignments that were missed in this round

    TracedCallback<uint32_t, uint32_t, uint32_t> m_assignmentTrace; //!< trace source Assignment
};

} // namespace ns3::collab

#endif /* FEDERATED_BUFFERED_SERVER_APPLICATION_H */
