// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.sysfs.SysfsGidTable;
import io.verbs4j.types.Gid;
import io.verbs4j.types.VerbsException;

/// Compares the IP families of the two ends of a path.
final class GidFamilies {
    private GidFamilies() {}

    /// Returns an explanation if source and destination have different families; otherwise empty.
    static String mismatch(String device, int port, int index, String destination) {
        try {
            Gid source = SysfsGidTable.of(device).entry(port, index).gid();
            Gid other = Gid.parse(destination);
            return source.isIpv4Mapped() == other.isIpv4Mapped()
                    ? ""
                    : "the source GID (sgid_index=" + index + ", " + source + ") is " + family(source)
                            + " and the destination GID " + other + " is " + family(other)
                            + "; both need the same IP family";
        } catch (VerbsException | IllegalArgumentException e) {
            return "";
        }
    }

    private static String family(Gid gid) {
        return gid.isIpv4Mapped() ? "IPv4" : "IPv6";
    }
}
