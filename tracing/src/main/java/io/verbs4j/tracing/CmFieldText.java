// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.abi.uapi.SocketAddresses;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Names the numbers in the connection manager's structs (include/uapi/rdma/rdma_user_cm.h).
final class CmFieldText {
    private static final List<String> QUERIES = List.of("ADDRESSES", "PATHS", "GIDS");
    /// The largest error number.
    private static final int MAX_ERRNO = 4095;

    private CmFieldText() {}

    /// Returns the text for a number; empty if it has no name.
    ///
    /// @param name the field's own name
    static Optional<String> number(String name, long value) {
        int code = (int) value;
        return switch (name) {
            case "cmd" -> CommandCatalogue.connectionManager(code).map(command -> command.cName() + " (" + code + ")");
            case "event" -> CmEventCode.of(code).map(event -> event + " (" + code + ")");
            case "ps" -> PortSpace.of(code).map(space -> space + " (0x" + Integer.toHexString(code) + ")");
            case "uid", "optval" -> Optional.of(FieldText.hexadecimal(value, Long.BYTES));
            case "qp_num" -> Optional.of(String.format(Locale.ROOT, "0x%06x", value));
            case "option" ->
                code >= 0 && code < QUERIES.size() ? Optional.of(QUERIES.get(code) + " (" + code + ")")
                        : Optional.empty();
            case "status" ->
                code < 0 && code >= -MAX_ERRNO ? Optional.of(code + " (" + Errno.name(-code) + ")") : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// Returns the text for a `sockaddr`; empty if there is none, or if its family is neither IPv4 nor IPv6.
    static String address(byte[] bytes, int offset, int size) {
        InetSocketAddress address = read(bytes, offset, size);
        if (address == null) {
            return "";
        }
        String ip = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + ip + "]" : ip) + ":" + address.getPort();
    }

    private static @Nullable InetSocketAddress read(byte[] bytes, int offset, int size) {
        if (size < LinuxStructs.SOCKADDR_IN6.size() || isZero(bytes, offset, size)) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) { // memory of an arena is aligned, that of an array is not
            MemorySegment copy = arena.allocate(size, Long.BYTES);
            MemorySegment.copy(bytes, offset, copy, ValueLayout.JAVA_BYTE, 0, size);
            return SocketAddresses.read(copy);
        }
    }

    /// Returns whether a command's line shows the field even if its value is zero or not a number. This applies to
    /// addresses and to the field `event`.
    static boolean isNews(TracePart part, TraceField field) {
        return field.name().equals("event")
                || (field.name().endsWith("addr") && read(part.bytes(), field.offset(), field.size()) != null);
    }

    private static boolean isZero(byte[] bytes, int offset, int size) {
        for (int i = offset; i < offset + size; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
