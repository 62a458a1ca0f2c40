// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/// The IP addresses and the source port at the beginning of the private data of REQ and SIDR_REQ (IBA vol. 1, annex
/// A11; `struct cma_hdr`, drivers/infiniband/core/cma.c).
///
/// @param sourcePort the port of the connecting side, 16 bits
/// @param source address of the connecting side
/// @param destination address that the connecting side connects to
public record IpHeader(int sourcePort, InetAddress source, InetAddress destination) {
    static final BitLayout LAYOUT = new BitLayout.Builder()
            .field("major_version", 4)
            .field("minor_version", 4)
            .field("ip_version", 4, "4 or 6")
            .reserved(4)
            .field("source_port", 16, "of the connecting side")
            .field("source_address", 128, "an IPv4 address is in the last four bytes")
            .field("destination_address", 128)
            .of(36);

    /// Length in bytes.
    public static final int BYTES = LAYOUT.bytes();

    private static final int IPV4_OFFSET = 12;

    /// Parses the header at the start of private data.
    ///
    /// @return empty if the data does not begin with version 0.0 and IP version 4 or 6
    static Optional<IpHeader> of(byte[] privateData) {
        if (privateData.length < BYTES) {
            return Optional.empty();
        }
        var fields = Fields.read(LAYOUT, privateData, 0);
        int version = fields.number("ip_version");
        boolean known = fields.value("major_version") == 0 && fields.value("minor_version") == 0;
        if (!known || (version != 4 && version != 6)) {
            return Optional.empty();
        }
        return Optional.of(new IpHeader(
                fields.number("source_port"),
                address(fields.bytes("source_address"), version),
                address(fields.bytes("destination_address"), version)));
    }

    private static InetAddress address(byte[] bytes, int version) {
        try {
            return InetAddress.getByAddress(
                    version == 4 ? Arrays.copyOfRange(bytes, IPV4_OFFSET, bytes.length) : bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }
}
