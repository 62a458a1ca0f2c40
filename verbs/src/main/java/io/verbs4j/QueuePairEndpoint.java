// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.StandardAttributes;

/// Address of a queue pair: what two peers must know of each other before they can connect. [#toString()] is its text form
/// and [#parse(String)] reads it, so any channel for a line of text will do.
///
/// @param queuePairNumber the queue pair's number, 24 bits
/// @param packetSequenceNumber first packet sequence number that it sends, 24 bits
/// @param gid its GID
/// @param lid its LID, 0 on RoCE
/// @param mtu the largest packet payload that its end can take
/// @param qkey the Q_Key that a datagram to it must carry; connections have none
/// @param gidIndex index of `gid` in its own port's table: what address handles of that end name as their source, 0 to 255
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

    /// The endpoint of a connection, which has no Q_Key, in another process, whose table is its own.
    public QueuePairEndpoint(int queuePairNumber, int packetSequenceNumber, Gid gid, int lid, Mtu mtu) {
        this(queuePairNumber, packetSequenceNumber, gid, lid, mtu, StandardAttributes.QKEY, 0);
    }

    /// Reads the text form, also without its last two fields.
    ///
    /// @throws IllegalArgumentException if it is something else
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

    /// `qpn/psn/lid/mtu/gid/qkey/index`, the first three and the Q_Key in hexadecimal.
    @Override
    public String toString() {
        return "%06x/%06x/%04x/%d/%s/%08x/%d"
                .formatted(queuePairNumber, packetSequenceNumber, lid, mtu.bytes(), gid, qkey, gidIndex);
    }
}
