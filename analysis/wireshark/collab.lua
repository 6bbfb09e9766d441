-- Copyright (c) 2026 ns-3 collab authors
--
-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark dissector for pcap files of D2dNetDevice (link type LINKTYPE_USER0, 147): the frame's
-- header (ns3::collab::D2dMacHeader) and the header of messages (ns3::collab::MessageHeader).
--
--   tshark -X lua_script:collab.lua \
--     -o 'uat:user_dlts:"User 0 (DLT=147)","collab","0","","0",""' -r FILE
--
-- In Wireshark: copy this file to the personal Lua plugins folder, and enter "collab" as payload
-- dissector of "User 0 (DLT=147)" under Preferences, Protocols, DLT_USER.

local FRAME_HEADER_BYTES = 30
local CHECK_SEQUENCE_BYTES = 4
local MESSAGE_HEADER_BYTES = 23
local MESSAGE_PROTOCOL = 0x88B5
local MESSAGE_VERSION = 2

local collab = Proto("collab", "ns-3 collab D2D frame")

local f = {
    destination = ProtoField.ether("collab.dst", "Destination"),
    source = ProtoField.ether("collab.src", "Source"),
    protocol = ProtoField.uint16("collab.protocol", "Protocol", base.HEX),
    burst = ProtoField.uint32("collab.burst", "Burst", base.DEC, nil, nil,
        "Number of the burst at its source"),
    fragment = ProtoField.uint32("collab.fragment", "Fragment", base.DEC, nil, nil,
        "Number of this fragment, from 0"),
    fragments = ProtoField.uint32("collab.fragments", "Fragments", base.DEC, nil, nil,
        "Fragments of the burst"),
    packet_length = ProtoField.uint32("collab.packet_len", "Packet length", base.DEC, nil, nil,
        "Bytes of the whole packet, without padding"),
    padding = ProtoField.bytes("collab.padding", "Padding"),
    check = ProtoField.bytes("collab.fcs", "Frame check sequence"),
    version = ProtoField.uint8("collab.version", "Version"),
    kind = ProtoField.uint16("collab.kind", "Kind", base.DEC, nil, nil,
        "What the message is, as its protocol numbers it"),
    round = ProtoField.uint32("collab.round", "Round"),
    sender = ProtoField.uint32("collab.sender", "Sender", base.DEC, nil, nil,
        "Number of the device that sent the message"),
    sequence = ProtoField.uint32("collab.sequence", "Sequence", base.DEC, nil, nil,
        "Number of the message at its sender"),
    payload_length = ProtoField.uint32("collab.payload_len", "Payload length"),
    units = ProtoField.uint32("collab.units", "Units"),
}
collab.fields = f

local e = {
    short = ProtoExpert.new("collab.short", "Shorter than its header",
        expert.group.MALFORMED, expert.severity.ERROR),
    version = ProtoExpert.new("collab.bad_version", "Unknown version of the message format",
        expert.group.PROTOCOL, expert.severity.WARN),
    length = ProtoExpert.new("collab.bad_len", "Lengths contradict each other",
        expert.group.PROTOCOL, expert.severity.WARN),
}
collab.experts = e

local ethertypes = DissectorTable.get("ethertype")
local data = Dissector.get("data")

-- Shows the message header at the beginning of a packet and returns what the info column says.
local function dissect_message(tvb, tree, packet_length)
    if tvb:len() < MESSAGE_HEADER_BYTES then
        tree:add_proto_expert_info(e.short)
        return "short message"
    end
    local header = tree:add(collab, tvb(0, MESSAGE_HEADER_BYTES), "Message")
    local version = header:add(f.version, tvb(0, 1))
    header:add(f.kind, tvb(1, 2))
    header:add(f.round, tvb(3, 4))
    header:add(f.sender, tvb(7, 4))
    header:add(f.sequence, tvb(11, 4))
    local length = header:add(f.payload_length, tvb(15, 4))
    header:add(f.units, tvb(19, 4))
    if tvb(0, 1):uint() ~= MESSAGE_VERSION then
        version:add_proto_expert_info(e.version)
    end
    if tvb(15, 4):uint() ~= packet_length - MESSAGE_HEADER_BYTES then
        length:add_proto_expert_info(e.length)
    end
    return string.format("message kind %d round %d sender %d sequence %d, %s bytes of payload",
        tvb(1, 2):uint(), tvb(3, 4):uint(), tvb(7, 4):uint(), tvb(11, 4):uint(),
        tostring(tvb(15, 4):uint()))
end

-- Shows what follows the packet's bytes, as far as the file has it.
local function dissect_trailer(tvb, tree, packet_bytes)
    local fields = {
        {f.padding, FRAME_HEADER_BYTES + packet_bytes,
            tvb:reported_len() - CHECK_SEQUENCE_BYTES},
        {f.check, tvb:reported_len() - CHECK_SEQUENCE_BYTES, tvb:reported_len()},
    }
    for _, field in ipairs(fields) do
        if field[2] < field[3] and field[3] <= tvb:len() then
            tree:add(field[1], tvb(field[2], field[3] - field[2]))
        end
    end
end

function collab.dissector(tvb, pinfo, root)
    pinfo.cols.protocol = "COLLAB"
    local tree = root:add(collab, tvb(0, math.min(tvb:len(), FRAME_HEADER_BYTES)))
    local room = tvb:reported_len() - FRAME_HEADER_BYTES - CHECK_SEQUENCE_BYTES
    if tvb:len() < FRAME_HEADER_BYTES or room < 0 then
        tree:add_proto_expert_info(e.short)
        return tvb:len()
    end
    tree:add(f.destination, tvb(0, 6))
    tree:add(f.source, tvb(6, 6))
    tree:add(f.protocol, tvb(12, 2))
    tree:add(f.burst, tvb(14, 4))
    tree:add(f.fragment, tvb(18, 4))
    tree:add(f.fragments, tvb(22, 4))
    local length = tree:add(f.packet_length, tvb(26, 4))
    pinfo.cols.dst = tvb(0, 6):bytes():tohex(true, ":")
    pinfo.cols.src = tvb(6, 6):bytes():tohex(true, ":")

    local protocol = tvb(12, 2):uint()
    local fragment = tvb(18, 4):uint()
    local fragments = tvb(22, 4):uint()
    local packet_length = tvb(26, 4):uint()
    local info = string.format("Burst %d, fragment %d/%d", tvb(14, 4):uint(), fragment + 1,
        fragments)
    if packet_length > fragments * room then
        length:add_proto_expert_info(e.length)
    end

    -- All fragments of a burst are equally long, and the last ones are padded
    local packet_bytes = math.max(0, math.min(room, packet_length - fragment * room))
    dissect_trailer(tvb, tree, packet_bytes)
    local captured = math.min(packet_bytes, tvb:len() - FRAME_HEADER_BYTES)
    if captured == 0 then
        pinfo.cols.info = info
        return tvb:len()
    end
    local packet = tvb(FRAME_HEADER_BYTES, captured):tvb()
    if protocol == MESSAGE_PROTOCOL and fragment == 0 then
        info = info .. ", " .. dissect_message(packet, tree, packet_length)
        if captured > MESSAGE_HEADER_BYTES then
            data:call(packet(MESSAGE_HEADER_BYTES):tvb(), pinfo, root)
        end
    elseif protocol ~= MESSAGE_PROTOCOL and fragments == 1 and captured == packet_length then
        pinfo.cols.info = info
        ethertypes:try(protocol, packet, pinfo, root)
        return tvb:len()
    else
        data:call(packet, pinfo, root)
    end
    pinfo.cols.info = info
    return tvb:len()
end
