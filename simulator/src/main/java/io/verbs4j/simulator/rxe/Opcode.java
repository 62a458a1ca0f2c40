// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.roce.HeaderKind;
import io.verbs4j.roce.RoceOpcode;

/// Opcodes of packets (IBA vol. 1, table 38), and their properties. [RoceOpcode] determines the headers.
final class Opcode {
    /// Bits of the transport.
    static final int TRANSPORT = 0xe0;

    static final int RC = 0x00;
    static final int UC = 0x20;
    static final int UD = 0x60;

    static final int SEND_FIRST = 0x00;
    static final int SEND_MIDDLE = 0x01;
    static final int SEND_LAST = 0x02;
    static final int SEND_LAST_IMMEDIATE = 0x03;
    static final int SEND_ONLY = 0x04;
    static final int SEND_ONLY_IMMEDIATE = 0x05;
    static final int WRITE_FIRST = 0x06;
    static final int WRITE_MIDDLE = 0x07;
    static final int WRITE_LAST = 0x08;
    static final int WRITE_LAST_IMMEDIATE = 0x09;
    static final int WRITE_ONLY = 0x0a;
    static final int WRITE_ONLY_IMMEDIATE = 0x0b;
    static final int READ_REQUEST = 0x0c;
    static final int READ_RESPONSE_FIRST = 0x0d;
    static final int READ_RESPONSE_MIDDLE = 0x0e;
    static final int READ_RESPONSE_LAST = 0x0f;
    static final int READ_RESPONSE_ONLY = 0x10;
    static final int ACKNOWLEDGE = 0x11;
    static final int ATOMIC_ACKNOWLEDGE = 0x12;
    static final int COMPARE_SWAP = 0x13;
    static final int FETCH_ADD = 0x14;
    static final int SEND_LAST_INVALIDATE = 0x16;
    static final int SEND_ONLY_INVALIDATE = 0x17;
    static final int FLUSH = 0x1c;
    static final int ATOMIC_WRITE = 0x1d;

    // Properties.
    static final int START = 1;
    static final int MIDDLE = 1 << 1;
    static final int END = 1 << 2;
    static final int SENDS = 1 << 3;
    static final int WRITES = 1 << 4;
    static final int READS = 1 << 5;
    static final int ATOMIC = 1 << 6;
    static final int WRITES_ATOMICALLY = 1 << 7;
    static final int FLUSHES = 1 << 8;
    static final int REQUEST = 1 << 9;
    /// Consumes a receive.
    static final int TAKES = 1 << 10;
    /// Completes a receive.
    static final int COMPLETES = 1 << 11;
    static final int PAYLOAD = 1 << 12;
    static final int RETH = 1 << 13;
    static final int AETH = 1 << 14;
    static final int ATOMIC_ETH = 1 << 15;
    static final int ATOMIC_ACK = 1 << 16;
    static final int IMMEDIATE = 1 << 17;
    static final int INVALIDATES = 1 << 18;
    static final int DETH = 1 << 19;
    static final int FETH = 1 << 20;
    static final int KNOWN = 1 << 21;

    private static final int[] PROPERTIES = new int[256];
    private static final int[] HEADER_BYTES = new int[256];

    static {
        for (int transport : new int[]{RC, UC}) {
            put(transport | SEND_FIRST, REQUEST | SENDS | TAKES | START | PAYLOAD);
            put(transport | SEND_MIDDLE, REQUEST | SENDS | MIDDLE | PAYLOAD);
            put(transport | SEND_LAST, REQUEST | SENDS | COMPLETES | END | PAYLOAD);
            put(transport | SEND_LAST_IMMEDIATE, REQUEST | SENDS | COMPLETES | END | PAYLOAD);
            put(transport | SEND_ONLY, REQUEST | SENDS | TAKES | COMPLETES | START | END | PAYLOAD);
            put(transport | SEND_ONLY_IMMEDIATE,
                    REQUEST | SENDS | TAKES | COMPLETES | START | END | PAYLOAD);
            put(transport | WRITE_FIRST, REQUEST | WRITES | START | PAYLOAD);
            put(transport | WRITE_MIDDLE, REQUEST | WRITES | MIDDLE | PAYLOAD);
            put(transport | WRITE_LAST, REQUEST | WRITES | END | PAYLOAD);
            put(transport | WRITE_LAST_IMMEDIATE, REQUEST | WRITES | TAKES | COMPLETES | END | PAYLOAD);
            put(transport | WRITE_ONLY, REQUEST | WRITES | START | END | PAYLOAD);
            put(
                    transport | WRITE_ONLY_IMMEDIATE,
                    REQUEST | WRITES | TAKES | COMPLETES | START | END | PAYLOAD);
        }
        put(READ_REQUEST, REQUEST | READS | START | END);
        put(READ_RESPONSE_FIRST, START | PAYLOAD);
        put(READ_RESPONSE_MIDDLE, MIDDLE | PAYLOAD);
        put(READ_RESPONSE_LAST, END | PAYLOAD);
        put(READ_RESPONSE_ONLY, START | END | PAYLOAD);
        put(ACKNOWLEDGE, START | END);
        put(ATOMIC_ACKNOWLEDGE, START | END);
        put(COMPARE_SWAP, REQUEST | ATOMIC | START | END);
        put(FETCH_ADD, REQUEST | ATOMIC | START | END);
        put(SEND_LAST_INVALIDATE, REQUEST | SENDS | COMPLETES | END | PAYLOAD);
        put(SEND_ONLY_INVALIDATE, REQUEST | SENDS | TAKES | COMPLETES | START | END | PAYLOAD);
        put(FLUSH, REQUEST | FLUSHES | START | END);
        put(ATOMIC_WRITE, REQUEST | WRITES_ATOMICALLY | START | END | PAYLOAD);
        put(UD | SEND_ONLY, REQUEST | SENDS | TAKES | COMPLETES | START | END | PAYLOAD);
        put(UD | SEND_ONLY_IMMEDIATE, REQUEST | SENDS | TAKES | COMPLETES | START | END | PAYLOAD);
    }

    private Opcode() {}

    private static void put(int opcode, int properties) {
        var codec = new RoceOpcode(opcode);
        PROPERTIES[opcode] =
                codec.headers().stream().mapToInt(Opcode::property).reduce(properties | KNOWN, (a, b) -> a | b);
        HEADER_BYTES[opcode] = codec.headerBytes();
    }

    private static int property(HeaderKind header) {
        return switch (header) {
            case RETH -> RETH;
            case AETH -> AETH;
            case ATOMIC_ETH -> ATOMIC_ETH;
            case ATOMIC_ACK_ETH -> ATOMIC_ACK;
            case IMM_DT -> IMMEDIATE;
            case IETH -> INVALIDATES;
            case DETH -> DETH;
            case FETH -> FETH;
            default -> throw new IllegalArgumentException("rxe has no " + header.abbreviation());
        };
    }

    /// Returns the length of all headers of an opcode.
    static int headerBytes(int opcode) {
        return HEADER_BYTES[opcode];
    }

    /// Returns the properties of an opcode; 0 if it does not exist.
    static int properties(int opcode) {
        return PROPERTIES[opcode];
    }
}
