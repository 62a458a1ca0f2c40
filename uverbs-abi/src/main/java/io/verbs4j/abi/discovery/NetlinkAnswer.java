// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.abi.uapi.NetlinkFlags;
import io.verbs4j.abi.uapi.SocketAddresses;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The attributes of one message from RDMA netlink. They are copied, so that they do not depend on the receive buffer.
final class NetlinkAnswer {
    private record Attribute(int number, MemorySegment payload) {}

    /// In the kernel's order, since all entries of a table have the same number.
    private final List<Attribute> attributes = new ArrayList<>();

    /// @param bytes the message without its header; an invalid attribute ends the parsing
    NetlinkAnswer(MemorySegment bytes) {
        int head = LinuxStructs.NLATTR.size();
        long offset = 0;
        while (offset + head <= bytes.byteSize()) {
            CView attribute = LinuxStructs.NLATTR.view(bytes.asSlice(offset));
            int length = attribute.getInt("nla_len");
            if (length < head || offset + length > bytes.byteSize()) {
                return;
            }
            attributes.add(new Attribute(
                    attribute.getInt("nla_type") & NetlinkFlags.NLA_TYPE_MASK,
                    copy(bytes.asSlice(offset + head, length - head))));
            offset += aligned(length);
        }
    }

    /// Copies to the heap; an array of longs, since attributes in a table must be aligned.
    private static MemorySegment copy(MemorySegment payload) {
        long size = payload.byteSize();
        return MemorySegment.ofArray(new long[(int) (size + Long.BYTES - 1) / Long.BYTES])
                .asSlice(0, size)
                .copyFrom(payload);
    }

    /// Rounds up to a multiple of 4, where attributes and messages start.
    static int aligned(int length) {
        return length + 3 & ~3;
    }

    /// Returns an attribute as an unsigned number of up to 8 bytes, in host order.
    OptionalLong number(int attribute) {
        MemorySegment payload = payload(attribute);
        if (payload.byteSize() == 0 || payload.byteSize() > Long.BYTES) {
            return OptionalLong.empty();
        }
        long value = 0;
        for (long i = payload.byteSize() - 1; i >= 0; i--) {
            value = value << Byte.SIZE | (payload.get(ValueLayout.JAVA_BYTE, i) & 0xff);
        }
        return OptionalLong.of(value);
    }

    /// Returns an attribute as a C string, up to the first zero byte or its end.
    Optional<String> text(int attribute) {
        byte[] payload = payload(attribute).toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < payload.length && payload[length] != 0) {
            length++;
        }
        return payload.length == 0
                ? Optional.empty()
                : Optional.of(new String(payload, 0, length, StandardCharsets.UTF_8));
    }

    /// Returns an attribute as an IP address with a port; empty if it is missing, or contains another kind of address.
    Optional<InetSocketAddress> address(int attribute) {
        MemorySegment payload = payload(attribute);
        return payload.byteSize() < LinuxStructs.SOCKADDR_IN6.size()
                ? Optional.empty()
                : Optional.ofNullable(SocketAddresses.read(payload));
    }

    /// Returns the entries of a table, each with attributes.
    List<NetlinkAnswer> entries(int table, int entry) {
        var entries = new ArrayList<NetlinkAnswer>();
        for (Attribute attribute : new NetlinkAnswer(payload(table)).attributes) {
            if (attribute.number == entry) {
                entries.add(new NetlinkAnswer(attribute.payload));
            }
        }
        return entries;
    }

    /// Returns the last attribute with a number, or null if there is none.
    private MemorySegment payload(int number) {
        MemorySegment payload = MemorySegment.NULL;
        for (Attribute attribute : attributes) {
            if (attribute.number == number) {
                payload = attribute.payload;
            }
        }
        return payload;
    }
}
