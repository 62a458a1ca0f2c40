// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.StandardAttributes;

/// Address of a queue pair. Each end needs the peer's endpoint to connect. The endpoint has a text form of one line,
/// which the programs can exchange by any means: [#toString()] returns it, and [#parse(String)] reads it.
///
/// @param queuePairNumber the queue pair's number, 24 bits
/// @param packetSequenceNumber first packet sequence number that the queue pair sends, 24 bits
/// @param gid GID of the queue pair's port
/// @param lid LID of the queue pair's port; 0 on RoCE
/// @param mtu the longest packet payload that this end accepts
/// @param qkey the Q_Key that a datagram to this queue pair must carry; unused by connections
/// @param gidIndex index of `gid` in the table of the queue pair's port, 0 to 255. A datagram program uses it as the
///     source of its address handles
public record QueuePairEndpoint(
        int queuePairNumber, int packetSequenceNumber, Gid gid, int lid, Mtu mtu, int qkey, int gidIndex) {
    private static final int FIELDS = 7;
    private static final int FIELDS_OF_A_CONNECTION = 5;

    /// Checks the ranges.
    public QueuePairEndpoint {
        Ranges.check("queuePairNumber", queuePairNumber, 0, 0xffffff);
        Ranges.check("packetSequenceNumber", packetSequenceNumber, 0, 0xffffff);
        Ranges.check("lid", lid, 0, 0xffff);
        Ranges.check("gidIndex", gidIndex, 0, 0xff);
    }

    /// Creates the endpoint of a connection, with the default Q_Key and the GID index 0. Connections do not use these
    /// two.
    public QueuePairEndpoint(int queuePairNumber, int packetSequenceNumber, Gid gid, int lid, Mtu mtu) {
        this(queuePairNumber, packetSequenceNumber, gid, lid, mtu, StandardAttributes.QKEY, 0);
    }

    /// Parses the text form of [#toString()]. The last two fields may be missing.
    ///
    /// @throws IllegalArgumentException if the text is not an endpoint
    public static QueuePairEndpoint parse(String text) {
        String[] fields = text.strip().split("/", -1);
        boolean whole = fields.length == FIELDS;
        if (!whole && fields.length != FIELDS_OF_A_CONNECTION) {
            throw new IllegalArgumentException("not an endpoint (qpn/psn/lid/mtu/gid/qkey/index): endpoint=" + text);
        }
        return new QueuePairEndpoint(
                Integer.parseInt(fields[0], 16),
                Integer.parseInt(fields[1], 16),
                Gid.parse(fields[4]),
                Integer.parseInt(fields[2], 16),
                Mtu.ofBytes(Integer.parseInt(fields[3])),
                whole ? Integer.parseUnsignedInt(fields[5], 16) : StandardAttributes.QKEY,
                whole ? Integer.parseInt(fields[6]) : 0);
    }

    /// Returns `qpn/psn/lid/mtu/gid/qkey/index`, with `qpn`, `psn`, `lid` and `qkey` in hexadecimal.
    @Override
    public String toString() {
        return "%06x/%06x/%04x/%d/%s/%08x/%d"
                .formatted(queuePairNumber, packetSequenceNumber, lid, mtu.bytes(), gid, qkey, gidIndex);
    }
}
