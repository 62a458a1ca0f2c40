// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.LinuxStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests which frames the program passes. The test executes it like the kernel (net/core/filter.c).
class UdpPortFilterTest {
    private static final int PORT = 4791;
    private static final int UDP = 17;
    private static final int TCP = 6;

    /// Runs the program.
    ///
    /// @return how many bytes of the frame it lets through
    @SuppressWarnings("restricted")
    private static int run(byte[] frame) {
        try (Arena arena = Arena.ofConfined()) {
            CView program = LinuxStructs.SOCK_FPROG.view(UdpPortFilter.program(arena, PORT));
            int size = LinuxStructs.SOCK_FILTER.size();
            int length = program.getInt("len");
            MemorySegment code = MemorySegment.ofAddress(program.get("filter")).reinterpret((long) length * size);
            long accumulator = 0;
            int index = 0;
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            for (int at = 0; at < length; at++) {
                CView instruction = LinuxStructs.SOCK_FILTER.view(code.asSlice((long) at * size, size));
                int k = instruction.getInt("k");
                int skipped = 0;
                switch (instruction.getInt("code")) {
                    case 0x28 -> accumulator = bytes.getShort(k) & 0xffff;
                    case 0x30 -> accumulator = bytes.get(k) & 0xff;
                    case 0x48 -> accumulator = bytes.getShort(index + k) & 0xffff;
                    case 0xb1 -> index = (bytes.get(k) & 0xf) * 4;
                    case 0x05 -> skipped = k;
                    case 0x15 -> skipped = instruction.getInt(accumulator == k ? "jt" : "jf");
                    case 0x45 -> skipped = instruction.getInt((accumulator & k) != 0 ? "jt" : "jf");
                    case 0x06 -> {
                        return k;
                    }
                    default -> throw new AssertionError("instruction " + at + " is unknown");
                }
                at += skipped;
            }
            throw new AssertionError("the program runs over its end");
        }
    }

    /// @param words of the header, of four bytes each
    private static ByteBuffer ipv4(int protocol, int words, int fragment, int port) {
        ByteBuffer frame = ByteBuffer.allocate(200);
        frame.putShort(12, (short) 0x0800);
        frame.put(14, (byte) (0x40 | words));
        frame.putShort(20, (short) fragment);
        frame.put(23, (byte) protocol);
        frame.putShort(14 + 4 * words + 2, (short) port);
        return frame;
    }

    private static ByteBuffer ipv6(int next, int port) {
        ByteBuffer frame = ByteBuffer.allocate(200);
        frame.putShort(12, (short) 0x86dd);
        frame.put(20, (byte) next);
        frame.putShort(14 + 40 + 2, (short) port);
        return frame;
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 15})
    void ipv4DatagramsToThePortPassWhateverTheirHeaderHas(int words) {
        assertThat(run(ipv4(UDP, words, 0x4000, PORT).array())).isEqualTo(0x4_0000);
    }

    @Test
    void ipv6DatagramsToThePortPass() {
        assertThat(run(ipv6(UDP, PORT).array())).isEqualTo(0x4_0000);
    }

    @Test
    void datagramsToOtherPortsDoNot() {
        assertThat(run(ipv4(UDP, 5, 0, PORT + 1).array())).isZero();
        assertThat(run(ipv6(UDP, PORT - 1).array())).isZero();
    }

    @Test
    void otherProtocolsDoNot() {
        assertThat(run(ipv4(TCP, 5, 0, PORT).array())).isZero();
        assertThat(run(ipv6(TCP, PORT).array())).isZero();
    }

    /// Of which only the first has a port; others have data in its place.
    @ParameterizedTest
    @ValueSource(ints = {1, 0x1000, 0x1fff, 0x2001})
    void laterFragmentsDoNot(int fragment) {
        assertThat(run(ipv4(UDP, 5, fragment, PORT).array())).isZero();
    }

    @Test
    void firstFragmentsPass() {
        assertThat(run(ipv4(UDP, 5, 0x2000, PORT).array())).isEqualTo(0x4_0000);
    }

    @Test
    void framesThatAreNotIpDoNot() {
        ByteBuffer arp = ipv4(UDP, 5, 0, PORT).putShort(12, (short) 0x0806);
        assertThat(run(arp.array())).isZero();
    }
}
