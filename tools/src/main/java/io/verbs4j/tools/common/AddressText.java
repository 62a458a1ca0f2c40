// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import io.verbs4j.types.Gid;
import java.net.InetAddress;

/// Formats IP addresses and GIDs like the C library's `inet_ntop(3)`, unlike Java: zeros are shortened to `::`, and
/// mapped IPv4 addresses are written as `::ffff:10.9.0.1`.
public final class AddressText {
    private static final int GROUPS = 8;
    private static final int IPV4_BYTES = 4;

    private AddressText() {}

    /// Returns the text of an address; IPv4 in dotted form.
    public static String of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == IPV4_BYTES ? dotted(bytes, 0) : ipv6(bytes);
    }

    /// Returns the text of a GID as an IPv6 address.
    public static String of(Gid gid) {
        return ipv6(gid.toBytes());
    }

    private static String ipv6(byte[] bytes) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
        }
        // The longest run of zero groups, or the first of several. A single zero group is not shortened.
        int start = -1;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int run = i;
            while (run < GROUPS && groups[run] == 0) {
                run++;
            }
            if (run - i > length) {
                start = i;
                length = run - i;
            }
        }
        boolean ipv4 = start == 0 && (length == 6 || (length == 5 && groups[5] == 0xffff));
        var text = new StringBuilder(39);
        for (int i = 0; i < (ipv4 ? 6 : GROUPS); i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        if (ipv4) {
            text.append(text.charAt(text.length() - 1) == ':' ? "" : ":").append(dotted(bytes, 12));
        }
        return text.toString();
    }

    private static String dotted(byte[] bytes, int offset) {
        return (bytes[offset] & 0xff) + "." + (bytes[offset + 1] & 0xff) + "." + (bytes[offset + 2] & 0xff) + "."
                + (bytes[offset + 3] & 0xff);
    }
}
