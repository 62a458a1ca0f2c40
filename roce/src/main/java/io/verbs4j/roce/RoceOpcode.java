// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import io.verbs4j.types.Ranges;
import java.util.List;
import java.util.stream.Stream;

/// The opcode of a packet: transport in the upper three bits, operation in the lower five (IBA vol. 1, table 38).
///
/// Opcodes are an open set. This version names the opcodes of RC, UC, RD, UD, XRC and congestion notification; any
/// other opcode prints as `UNKNOWN(0x..)`. Only mlx5's dynamically connected transport (DC) uses the opcodes of RD. The
/// headers of DC are not published; this class decodes them as Wireshark 4 does.
///
/// @param value the byte on the wire
public record RoceOpcode(int value) {
    /// `RC Send Only`.
    public static final RoceOpcode RC_SEND_ONLY = new RoceOpcode(0x04);
    /// `RC Acknowledge`.
    public static final RoceOpcode RC_ACKNOWLEDGE = new RoceOpcode(0x11);
    /// Congestion notification packet of RoCE v2 (IBA vol. 1, A17.9.3).
    public static final RoceOpcode CONGESTION_NOTIFICATION = new RoceOpcode(0x81);

    /// Connects DC, or resynchronizes RD.
    static final RoceOpcode DC_CONNECT = new RoceOpcode(0x55);

    private static final int ACKNOWLEDGE = 0x11;
    private static final int FIRST_ANSWER = 0x0d;
    private static final int LAST_ANSWER = 0x12;
    private static final int RESYNC = 0x15;

    /// Meaning of the upper three bits.
    private enum Transport {
        RC("RC", ~(1 << RESYNC)),
        UC("UC", 0xfff),
        RD("RD/DC", 0x3f_ffff),
        UD("UD", 1 << 0x04 | 1 << 0x05),
        /// Congestion notification, which has one opcode, and manufacturers' opcodes.
        OTHER("", 0),
        XRC("XRC", ~(1 << RESYNC));

        final String name;
        /// One bit per existing operation.
        final int operations;

        Transport(String name, int operations) {
            this.name = name;
            this.operations = operations;
        }
    }

    private static final Transport[] TRANSPORTS = {
            Transport.RC, Transport.UC, Transport.RD, Transport.UD, Transport.OTHER, Transport.XRC, Transport.OTHER,
            Transport.OTHER
    };

    /// An operation, and the headers after its base transport header on a connected transport.
    private record Operation(String name, List<HeaderKind> headers) {
        Operation(String name, HeaderKind... headers) {
            this(name, List.of(headers));
        }
    }

    private static final Operation UNNAMED = new Operation("");
    private static final Operation[] OPERATIONS = {
            new Operation("Send First"),
            new Operation("Send Middle"),
            new Operation("Send Last"),
            new Operation("Send Last with Immediate", HeaderKind.IMM_DT),
            new Operation("Send Only"),
            new Operation("Send Only with Immediate", HeaderKind.IMM_DT),
            new Operation("RDMA Write First", HeaderKind.RETH),
            new Operation("RDMA Write Middle"),
            new Operation("RDMA Write Last"),
            new Operation("RDMA Write Last with Immediate", HeaderKind.IMM_DT),
            new Operation("RDMA Write Only", HeaderKind.RETH),
            new Operation("RDMA Write Only with Immediate", HeaderKind.RETH, HeaderKind.IMM_DT),
            new Operation("RDMA Read Request", HeaderKind.RETH),
            new Operation("RDMA Read Response First", HeaderKind.AETH),
            new Operation("RDMA Read Response Middle"),
            new Operation("RDMA Read Response Last", HeaderKind.AETH),
            new Operation("RDMA Read Response Only", HeaderKind.AETH),
            new Operation("Acknowledge", HeaderKind.AETH),
            new Operation("Atomic Acknowledge", HeaderKind.AETH, HeaderKind.ATOMIC_ACK_ETH),
            new Operation("Compare and Swap", HeaderKind.ATOMIC_ETH),
            new Operation("Fetch and Add", HeaderKind.ATOMIC_ETH),
            new Operation("Resync or Connect"),
            new Operation("Send Last with Invalidate", HeaderKind.IETH),
            new Operation("Send Only with Invalidate", HeaderKind.IETH),
            UNNAMED,
            UNNAMED,
            UNNAMED,
            UNNAMED,
            new Operation("Flush", HeaderKind.FETH, HeaderKind.RETH),
            new Operation("Atomic Write", HeaderKind.RETH),
            UNNAMED,
            UNNAMED
    };

    /// Checks the range.
    public RoceOpcode {
        Ranges.check("value", value, 0, 0xff);
    }

    /// Returns whether this version names the opcode and its headers.
    public boolean known() {
        return equals(CONGESTION_NOTIFICATION) || !operation().name.isEmpty();
    }

    /// Returns the headers after the base transport header, in wire order; empty for an unknown opcode.
    public List<HeaderKind> headers() {
        Operation operation = operation();
        if (operation.name.isEmpty()) {
            return List.of();
        }
        int code = value & 0x1f;
        boolean answer = code >= FIRST_ANSWER && code <= LAST_ANSWER;
        List<HeaderKind> first = switch (transport()) {
            case RD -> equals(DC_CONNECT) || code == ACKNOWLEDGE
                    ? List.of(HeaderKind.DC_ETH)
                    : answer ? List.of(HeaderKind.DC_ETH, HeaderKind.RDETH)
                            : List.of(HeaderKind.DC_ETH, HeaderKind.RDETH, HeaderKind.DETH);
            case UD -> List.of(HeaderKind.DETH);
            case XRC -> answer ? List.of() : List.of(HeaderKind.XRC_ETH);
            default -> List.of();
        };
        return first.isEmpty()
                ? operation.headers
                : Stream.concat(first.stream(), operation.headers.stream()).toList();
    }

    /// Returns the length of all headers of a packet: the base transport header and [#headers()].
    public int headerBytes() {
        return Bth.BYTES + headers().stream().mapToInt(HeaderKind::bytes).sum();
    }

    private Transport transport() {
        return TRANSPORTS[value >>> 5];
    }

    private Operation operation() {
        int code = value & 0x1f;
        return (transport().operations >>> code & 1) != 0 ? OPERATIONS[code] : UNNAMED;
    }

    static String hex(int number, int digits) {
        return String.format("0x%0" + digits + "x", number);
    }

    /// Returns the name, such as `RC Send Only`.
    @Override
    public String toString() {
        if (equals(CONGESTION_NOTIFICATION)) {
            return "Congestion Notification";
        }
        String operation = operation().name;
        if (operation.isEmpty()) {
            return "UNKNOWN(" + hex(value, 2) + ")";
        }
        return transport().name + " " + operation;
    }
}
