// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedFrame;
import io.verbs4j.roce.DcConnectEth;
import io.verbs4j.roce.DcEth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.FrameLayers;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Rdeth;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.XrcEth;
import io.verbs4j.roce.mad.BitField;
import io.verbs4j.roce.mad.Fields;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.types.Gid;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Converts a packet to names and values, for programs. All numbers are unsigned.
final class PacketFields {
    private static final Pattern WORD = Pattern.compile("_(.)");

    private PacketFields() {}

    static Map<String, Object> of(RoceFrame frame) {
        Map<String, Object> fields = of(frame.number(), frame.nanoseconds(), frame.layers());
        put(fields, frame.packet().bth(), frame.packet().extensions());
        fields.put("payloadLength", frame.packet().payloadLength());
        Mad.in(frame.packet()).ifPresent(mad -> fields.put("management", of(mad)));
        fields.put("icrc", Integer.toUnsignedLong(frame.packet().icrc()));
        fields.put("icrcOk", frame.isIntact());
        return fields;
    }

    /// Returns the fields that are present, and `problem`.
    static Map<String, Object> of(DamagedFrame frame) {
        Map<String, Object> fields = of(frame.number(), frame.nanoseconds(), frame.layers());
        frame.start().bth().ifPresent(bth -> put(fields, bth, frame.start().extensions()));
        frame.payloadLength().ifPresent(bytes -> fields.put("payloadLength", bytes));
        fields.put("capturedLength", frame.capturedLength());
        fields.put("problem", frame.problem());
        return fields;
    }

    private static Map<String, Object> of(long number, long nanoseconds, FrameLayers layers) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("frame", number);
        fields.put(
                "nanoseconds",
                nanoseconds == CapturedFrame.NO_TIME
                        ? OptionalLong.empty()
                        : BigInteger.valueOf(nanoseconds)); // a clock may begin before 1970
        fields.put("roceVersion", layers.version());
        fields.put("vlans", layers.vlans());
        fields.put("tunnels", layers.tunnels());
        fields.put("source", AddressText.of(layers.source()));
        fields.put("destination", AddressText.of(layers.destination()));
        fields.put("dscp", layers.dscp());
        fields.put("ecn", layers.ecn());
        fields.put("hopLimit", layers.hopLimit());
        if (layers.version() > 1) {
            fields.put("sourcePort", layers.sourcePort());
        }
        return fields;
    }

    private static void put(Map<String, Object> fields, Bth bth, List<RoceHeader> extensions) {
        fields.put("opcode", bth.opcode().toString());
        fields.put("opcodeValue", bth.opcode().value());
        fields.put("solicited", bth.solicited());
        fields.put("migrated", bth.migrated());
        fields.put("padCount", bth.padCount());
        fields.put("version", bth.version());
        fields.put("pkey", bth.pkey());
        fields.put("fecn", bth.fecn());
        fields.put("becn", bth.becn());
        fields.put("destinationQueuePair", bth.destinationQueuePair());
        fields.put("ackRequest", bth.ackRequest());
        fields.put("packetSequenceNumber", bth.packetSequenceNumber());
        extensions.forEach(header -> put(fields, header));
    }

    private static Map<String, Object> of(Mad mad) {
        Map<String, Object> all = of(mad.header());
        mad.message().ifPresent(message -> {
            all.put("message", message.type());
            all.putAll(of(message.fields()));
            message.ipHeader().ifPresent(header -> {
                all.put("portSpace", message.portSpace());
                all.put("port", message.port());
                all.put("sourcePort", header.sourcePort());
                all.put("sourceAddress", AddressText.of(header.source()));
                all.put("destinationAddress", AddressText.of(header.destination()));
            });
            all.put("privateData", HexFormat.of().formatHex(message.privateData()));
        });
        return all;
    }

    /// Returns numbers as numbers, GIDs in their notation, and other bytes in hexadecimal.
    private static Map<String, Object> of(Fields message) {
        var all = new LinkedHashMap<String, Object>();
        for (BitField field : message.layout().fields()) {
            if (!field.isReserved()) {
                Object value = field.isNumber()
                        ? (Object) message.value(field)
                        : field.bytes() == Gid.BYTES
                                ? message.gid(field.name())
                                : HexFormat.of().formatHex(message.bytes(field.name()));
                all.put(camelCase(field.name()), value);
            }
        }
        return all;
    }

    private static String camelCase(String name) {
        return WORD.matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    private static void put(Map<String, Object> fields, RoceHeader header) {
        switch (header) {
            case Bth bth -> throw new IllegalArgumentException("no extension header: " + bth);
            case DcEth dc -> fields.put("dcHeader", String.format("%016x", dc.bits()));
            case DcConnectEth dc -> fields.put("dcConnectHeader", String.format("%016x%016x", dc.high(), dc.low()));
            case Rdeth rdeth -> fields.put("endToEndContext", rdeth.endToEndContext());
            case XrcEth xrc -> fields.put("sharedReceiveQueue", xrc.sharedReceiveQueue());
            case Deth deth -> {
                fields.put("qkey", Integer.toUnsignedLong(deth.qkey()));
                fields.put("sourceQueuePair", deth.sourceQueuePair());
            }
            case Feth feth -> {
                fields.put("placementType", feth.placementType());
                fields.put("selectivity", feth.selectivity());
            }
            case Reth reth -> {
                fields.put("virtualAddress", reth.virtualAddress());
                fields.put("remoteKey", Integer.toUnsignedLong(reth.remoteKey()));
                fields.put("dmaLength", reth.dmaLength());
            }
            case AtomicEth atomic -> {
                fields.put("virtualAddress", atomic.virtualAddress());
                fields.put("remoteKey", Integer.toUnsignedLong(atomic.remoteKey()));
                fields.put("swapOrAdd", atomic.swapOrAdd());
                fields.put("compare", atomic.compare());
            }
            case Aeth aeth -> {
                fields.put("syndrome", aeth.syndrome());
                fields.put("answer", aeth.meaning());
                fields.put("messageSequenceNumber", aeth.messageSequenceNumber());
            }
            case AtomicAckEth ack -> fields.put("original", ack.original());
            case ImmDt immediate -> fields.put("immediateData", Integer.toUnsignedLong(immediate.immediateData()));
            case Ieth invalidate -> fields.put("invalidatedKey", Integer.toUnsignedLong(invalidate.remoteKey()));
        }
    }
}
