// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static io.verbs4j.roce.HeaderKind.AETH;
import static io.verbs4j.roce.HeaderKind.ATOMIC_ACK_ETH;
import static io.verbs4j.roce.HeaderKind.ATOMIC_ETH;
import static io.verbs4j.roce.HeaderKind.DETH;
import static io.verbs4j.roce.HeaderKind.FETH;
import static io.verbs4j.roce.HeaderKind.IETH;
import static io.verbs4j.roce.HeaderKind.IMM_DT;
import static io.verbs4j.roce.HeaderKind.RETH;

import io.verbs4j.types.Ranges;
import java.util.List;

/// The opcode of a packet: transport in the upper three bits, operation in the lower five (IBA vol. 1, table 38).
///
/// An open set: what this version does not name prints as `UNKNOWN(0x..)`. RC, UC, UD and congestion notification
/// are named; RD, which nobody built, and XRC, which rxe lacks, are not.
///
/// @param value the byte on the wire
public record RoceOpcode(int value) {
    /// `RC Send Only`.
    public static final RoceOpcode RC_SEND_ONLY = new RoceOpcode(0x04);
    /// `RC Acknowledge`.
    public static final RoceOpcode RC_ACKNOWLEDGE = new RoceOpcode(0x11);
    /// Congestion notification packet of RoCE v2 (IBA vol. 1, A17.9.3).
    public static final RoceOpcode CONGESTION_NOTIFICATION = new RoceOpcode(0x81);

    private static final int RC = 0;
    private static final int UC = 1;
    private static final int UD = 3;
    private static final int SEND_ONLY = 0x04;
    private static final int SEND_ONLY_WITH_IMMEDIATE = 0x05;
    private static final int LAST_UC_OPERATION = 0x0b;

    /// An operation, and what follows its base transport header on a connected transport.
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
            new Operation("Send Last with Immediate", IMM_DT),
            new Operation("Send Only"),
            new Operation("Send Only with Immediate", IMM_DT),
            new Operation("RDMA Write First", RETH),
            new Operation("RDMA Write Middle"),
            new Operation("RDMA Write Last"),
            new Operation("RDMA Write Last with Immediate", IMM_DT),
            new Operation("RDMA Write Only", RETH),
            new Operation("RDMA Write Only with Immediate", RETH, IMM_DT),
            new Operation("RDMA Read Request", RETH),
            new Operation("RDMA Read Response First", AETH),
            new Operation("RDMA Read Response Middle"),
            new Operation("RDMA Read Response Last", AETH),
            new Operation("RDMA Read Response Only", AETH),
            new Operation("Acknowledge", AETH),
            new Operation("Atomic Acknowledge", AETH, ATOMIC_ACK_ETH),
            new Operation("Compare and Swap", ATOMIC_ETH),
            new Operation("Fetch and Add", ATOMIC_ETH),
            UNNAMED,
            new Operation("Send Last with Invalidate", IETH),
            new Operation("Send Only with Invalidate", IETH),
            UNNAMED,
            UNNAMED,
            UNNAMED,
            UNNAMED,
            new Operation("Flush", FETH, RETH),
            new Operation("Atomic Write", RETH),
            UNNAMED,
            UNNAMED
    };
    private static final Operation DATAGRAM = new Operation("Send Only", DETH);
    private static final Operation DATAGRAM_WITH_IMMEDIATE = new Operation("Send Only with Immediate", DETH, IMM_DT);

    /// Checks the range.
    public RoceOpcode {
        Ranges.check("value", value, 0, 0xff);
    }

    /// Returns whether this version names the opcode, and so knows what follows it.
    public boolean known() {
        return equals(CONGESTION_NOTIFICATION) || !operation().name.isEmpty();
    }

    /// Returns what follows the base transport header, in this order; nothing for an opcode that is not known.
    public List<HeaderKind> headers() {
        return operation().headers;
    }

    private Operation operation() {
        int code = value & 0x1f;
        return switch (value >>> 5) {
            case RC -> OPERATIONS[code];
            case UC -> code <= LAST_UC_OPERATION ? OPERATIONS[code] : UNNAMED;
            case UD ->
                code == SEND_ONLY ? DATAGRAM : code == SEND_ONLY_WITH_IMMEDIATE ? DATAGRAM_WITH_IMMEDIATE : UNNAMED;
            default -> UNNAMED;
        };
    }

    static String hex(int number, int digits) {
        return String.format("0x%0" + digits + "x", number);
    }

    /// The field's name, such as `RC Send Only`.
    @Override
    public String toString() {
        if (equals(CONGESTION_NOTIFICATION)) {
            return "Congestion Notification";
        }
        String operation = operation().name;
        if (operation.isEmpty()) {
            return "UNKNOWN(" + hex(value, 2) + ")";
        }
        String transport =
                switch (value >>> 5) {
                    case RC -> "RC ";
                    case UC -> "UC ";
                    default -> "UD ";
                };
        return transport + operation;
    }
}
