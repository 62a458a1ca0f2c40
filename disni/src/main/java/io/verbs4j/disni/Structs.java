// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.abi.os.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Objects;

/// The C structs that DiSNI writes and reads at raw addresses, with the default sizes of its Java classes. The
/// addresses are those of DiSNI's own buffers, which outlive the call.
final class Structs {
    static final int SEND_WR_BYTES = 72;
    static final int RECEIVE_WR_BYTES = 32;
    static final int SGE_BYTES = 16;
    static final int WC_BYTES = 48;
    static final int SOCKADDR_BYTES = 28;

    // ibv_send_wr; ibv_recv_wr has only the first four fields
    static final int WR_ID = 0;
    static final int NEXT = 8;
    static final int SG_LIST = 16;
    static final int NUM_SGE = 24;
    static final int OPCODE = 28;
    static final int SEND_FLAGS = 32;
    static final int IMMEDIATE = 36;
    static final int REMOTE_ADDRESS = 40;
    static final int REMOTE_KEY = 48;

    // ibv_sge
    static final int SGE_ADDRESS = 0;
    static final int SGE_LENGTH = 8;
    static final int SGE_KEY = 12;

    // ibv_wc
    static final int WC_STATUS = 8;
    static final int WC_OPCODE = 12;
    static final int WC_VENDOR_ERROR = 16;
    static final int WC_BYTE_LENGTH = 20;
    static final int WC_IMMEDIATE = 24;
    static final int WC_QUEUE_PAIR = 28;
    static final int WC_SOURCE_QUEUE_PAIR = 32;
    static final int WC_FLAGS = 36;
    /// The source LID, service level and path bits follow.
    static final int WC_PKEY_INDEX = 40;

    private static final int AF_INET = 2;
    private static final ValueLayout.OfShort BIG_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Structs() {}

    static long getLong(long address) {
        return RawMemory.ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    static int getInt(long address) {
        return RawMemory.ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    static void putLong(long address, long value) {
        RawMemory.ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    static void putInt(long address, int value) {
        RawMemory.ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /// Writes two fields of 32 bits.
    static void putInts(long address, int first, int second) {
        putLong(address, Integer.toUnsignedLong(first) | (long) second << Integer.SIZE);
    }

    static MemorySegment memory(long address, long bytes) {
        return RawMemory.ALL.asSlice(address, bytes);
    }

    static void copy(long address, MemorySegment to, long offset, long bytes) {
        MemorySegment.copy(RawMemory.ALL, address, to, offset, bytes);
    }

    /// Reads a `sockaddr_in`.
    static InetSocketAddress readAddress(long address) {
        MemorySegment struct = memory(address, SOCKADDR_BYTES);
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(struct.asSlice(4, 4).toArray(ValueLayout.JAVA_BYTE)),
                    Short.toUnsignedInt(struct.get(BIG_SHORT, 2)));
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes form an address", e);
        }
    }

    /// Writes a `sockaddr_in`.
    ///
    /// @return false if it is not an IPv4 address
    static boolean writeAddress(long address, InetSocketAddress value) {
        if (!(Objects.requireNonNull(value).getAddress() instanceof Inet4Address host)) {
            return false;
        }
        MemorySegment struct = memory(address, SOCKADDR_BYTES);
        struct.asSlice(0, 16).fill((byte) 0);
        struct.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) AF_INET);
        struct.set(BIG_SHORT, 2, (short) value.getPort());
        struct.asSlice(4, 4).copyFrom(MemorySegment.ofArray(host.getAddress()));
        return true;
    }
}
