// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.uapi.LinuxStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A classic BPF program that passes only Ethernet frames with UDP datagrams to one port, over IPv4 or IPv6. Later
/// fragments of a datagram do not pass: RoCE v2 has none.
final class UdpPortFilter {
    // include/uapi/linux/bpf_common.h and include/uapi/linux/filter.h
    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_HALF = 0x28;
    private static final int LOAD_HALF_INDEXED = 0x48;
    private static final int LOAD_IPV4_HEADER_LENGTH = 0xb1;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_BITS = 0x45;
    private static final int JUMP = 0x05;
    private static final int RETURN = 0x06;

    private static final int ETHER_TYPE = 12;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int UDP = 17;
    private static final int IPV4_START = 14;
    /// After the IPv4 header, whose length varies.
    private static final int IPV4_UDP_PORT = IPV4_START + 2;
    private static final int IPV4_FRAGMENT = 20;
    private static final int IPV4_PROTOCOL = 23;
    private static final int IPV6_NEXT_HEADER = 20;
    private static final int IPV6_UDP_PORT = 14 + 40 + 2;
    private static final int FRAGMENT_OFFSET_MASK = 0x1fff;
    private static final int WHOLE_FRAME = 0x4_0000;

    private UdpPortFilter() {}

    /// Returns the program, as a `struct sock_fprog` for `SO_ATTACH_FILTER`.
    static MemorySegment program(Arena arena, int port) {
        int[][] instructions = {
                // code, operand, instructions to skip if true and if false
                {LOAD_HALF, ETHER_TYPE}, //                            0
                {JUMP_IF_EQUAL, IPV4, 0, 7}, //                        1: else to 9
                {LOAD_BYTE, IPV4_PROTOCOL}, //                         2
                {JUMP_IF_EQUAL, UDP, 0, 11}, //                        3: else to 15
                {LOAD_HALF, IPV4_FRAGMENT}, //                         4
                {JUMP_IF_BITS, FRAGMENT_OFFSET_MASK, 9, 0}, //         5: then to 15
                {LOAD_IPV4_HEADER_LENGTH, IPV4_START}, //              6
                {LOAD_HALF_INDEXED, IPV4_UDP_PORT}, //                 7
                {JUMP, 4}, //                                          8: to 13
                {JUMP_IF_EQUAL, IPV6, 0, 5}, //                        9: else to 15
                {LOAD_BYTE, IPV6_NEXT_HEADER}, //                     10
                {JUMP_IF_EQUAL, UDP, 0, 3}, //                        11: else to 15
                {LOAD_HALF, IPV6_UDP_PORT}, //                        12
                {JUMP_IF_EQUAL, port, 0, 1}, //                       13: else to 15
                {RETURN, WHOLE_FRAME}, //                             14
                {RETURN, 0}, //                                       15
        };
        MemorySegment code = arena.allocate(LinuxStructs.SOCK_FILTER.layout(), instructions.length);
        for (int i = 0; i < instructions.length; i++) {
            int[] instruction = Arrays.copyOf(instructions[i], 4);
            LinuxStructs.SOCK_FILTER
                    .view(code.asSlice(i * (long) LinuxStructs.SOCK_FILTER.size(), LinuxStructs.SOCK_FILTER.size()))
                    .set("code", instruction[0])
                    .set("k", instruction[1])
                    .set("jt", instruction[2])
                    .set("jf", instruction[3]);
        }
        MemorySegment program = LinuxStructs.SOCK_FPROG.allocate(arena);
        LinuxStructs.SOCK_FPROG.view(program).set("len", instructions.length).set("filter", code.address());
        return program;
    }
}
