// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.Ranges;

/// Where a queue pair is found: what two peers must tell each other before they can connect. [#toString()] is its text form
/// and [#parse(String)] reads it, so any channel for a line of text will do.
///
/// @param queuePairNumber the queue pair's number, 24 bits
/// @param packetSequenceNumber first packet sequence number that it sends, 24 bits
/// @param gid its GID
/// @param lid its LID, 0 on RoCE
/// @param mtu the largest packet payload that its end can take
public record QueuePairEndpoint(int queuePairNumber, int packetSequenceNumber, Gid gid, int lid, Mtu mtu) {
    /// Checks the ranges.
    public QueuePairEndpoint {
        Ranges.check("queuePairNumber", queuePairNumber, 0, 0xffffff);
        Ranges.check("packetSequenceNumber", packetSequenceNumber, 0, 0xffffff);
        Ranges.check("lid", lid, 0, 0xffff);
    }

    /// Reads the text form.
    ///
    /// @throws IllegalArgumentException if it is something else
    public static QueuePairEndpoint parse(String text) {
        String[] fields = text.strip().split("/", -1);
        if (fields.length != 5) {
            throw new IllegalArgumentException("not an endpoint (qpn/psn/lid/mtu/gid): endpoint=" + text);
        }
        return new QueuePairEndpoint(
                Integer.parseInt(fields[0], 16),
                Integer.parseInt(fields[1], 16),
                Gid.parse(fields[4]),
                Integer.parseInt(fields[2], 16),
                Mtu.ofBytes(Integer.parseInt(fields[3])));
    }

    /// `qpn/psn/lid/mtu/gid`, the first three in hexadecimal.
    @Override
    public String toString() {
        return "%06x/%06x/%04x/%d/%s".formatted(queuePairNumber, packetSequenceNumber, lid, mtu.bytes(), gid);
    }
}
