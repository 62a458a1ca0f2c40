// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.NetlinkFlags;
import io.verbs4j.abi.uapi.Nlattr;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The attributes of one message from RDMA netlink. They are copied, so an answer outlives the buffer it came in.
final class NetlinkAnswer {
    private final Map<Integer, byte[]> attributes = new HashMap<>();

    /// @param bytes the message without its head; a broken attribute ends the reading
    NetlinkAnswer(MemorySegment bytes) {
        int head = Nlattr.STRUCT.size();
        long offset = 0;
        while (offset + head <= bytes.byteSize()) {
            CView attribute = Nlattr.STRUCT.view(bytes.asSlice(offset));
            int length = attribute.getInt("nla_len");
            if (length < head || offset + length > bytes.byteSize()) {
                return;
            }
            byte[] payload = bytes.asSlice(offset + head, length - head).toArray(ValueLayout.JAVA_BYTE);
            attributes.put(attribute.getInt("nla_type") & NetlinkFlags.NLA_TYPE_MASK, payload);
            offset += aligned(length);
        }
    }

    /// Attributes, and messages, start at multiples of 4.
    static int aligned(int length) {
        return length + 3 & ~3;
    }

    /// An attribute as an unsigned number of up to 8 bytes, in host order.
    OptionalLong number(int attribute) {
        byte[] payload = attributes.get(attribute);
        if (payload == null || payload.length == 0 || payload.length > Long.BYTES) {
            return OptionalLong.empty();
        }
        long value = 0;
        for (int i = payload.length - 1; i >= 0; i--) {
            value = value << Byte.SIZE | (payload[i] & 0xff);
        }
        return OptionalLong.of(value);
    }

    /// An attribute as a C string.
    Optional<String> text(int attribute) {
        byte[] payload = attributes.get(attribute);
        return payload == null || payload.length == 0
                ? Optional.empty()
                : Optional.of(MemorySegment.ofArray(payload).getString(0));
    }
}
