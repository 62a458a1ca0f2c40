// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Ranges;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The address that two ping-pong programs exchange before they start.
///
/// It is sent over TCP as the text `LID:QPN:PSN:GID` in hexadecimal, with 52 bytes including the terminating zero byte.
///
/// @param lid the LID; 0 on RoCE
/// @param queuePairNumber 24 bits
/// @param packetSequenceNumber the first number that it sends, 24 bits
/// @param gid the GID; zero if none is sent
record PingPongAddress(int lid, int queuePairNumber, int packetSequenceNumber, Gid gid) {
    /// Length of the message with its terminating zero byte.
    static final int MESSAGE_BYTES = "0000:000000:000000:00000000000000000000000000000000".length() + 1;

    private static final Pattern MESSAGE =
            Pattern.compile("([0-9a-f]{1,8}):([0-9a-f]{1,8}):([0-9a-f]{1,8}):([0-9a-f]{32})", Pattern.CASE_INSENSITIVE);

    PingPongAddress {
        Ranges.check("lid", lid, 0, 0xffff);
        Ranges.check("queuePairNumber", queuePairNumber, 0, 0xffffff);
        Ranges.check("packetSequenceNumber", packetSequenceNumber, 0, 0xffffff);
    }

    /// Returns the address of a local queue pair.
    static PingPongAddress of(QueuePairEndpoint endpoint) {
        return new PingPongAddress(
                endpoint.lid(), endpoint.queuePairNumber(), endpoint.packetSequenceNumber(), endpoint.gid());
    }

    /// Decodes a message.
    ///
    /// @throws ToolException if the message is not an address
    static PingPongAddress parse(byte[] message) {
        int end = 0;
        while (end < message.length && message[end] != 0) {
            end++;
        }
        String text = new String(message, 0, end, StandardCharsets.ISO_8859_1);
        Matcher fields = MESSAGE.matcher(text);
        if (end != MESSAGE_BYTES - 1 || !fields.matches()) {
            throw notAnAddress(text);
        }
        try {
            return new PingPongAddress(
                    Integer.parseUnsignedInt(fields.group(1), 16),
                    Integer.parseUnsignedInt(fields.group(2), 16),
                    Integer.parseUnsignedInt(fields.group(3), 16),
                    Gid.ofHex(fields.group(4)));
        } catch (IllegalArgumentException e) {
            throw notAnAddress(text);
        }
    }

    private static ToolException notAnAddress(String text) {
        return new ToolException(
                "the peer sent '" + text.replaceAll("[^ -~]", ".") + "' instead of a ping-pong address",
                "check that the peer is a ping-pong program");
    }

    /// Returns the message including the terminating zero byte.
    byte[] toMessage() {
        String text = String.format("%04x:%06x:%06x:%s", lid, queuePairNumber, packetSequenceNumber, gid.toHex());
        return (text + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    /// Checks that the address has a GID. As in C, only its lower half is checked.
    ///
    /// @throws ToolException if the peer sent no GID
    void requireGid() {
        if (gid.interfaceId() == 0) {
            throw new ToolException(
                    "the peer sent no GID, but RoCE needs one",
                    "start the peer with -g and the index of its GID");
        }
    }

    /// Returns the text that the programs print: `LID 0x0000, QPN 0x000011, PSN 0x123456, GID ::ffff:10.9.0.1`.
    @Override
    public String toString() {
        return String.format(
                "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s",
                lid, queuePairNumber, packetSequenceNumber, AddressText.of(gid));
    }
}
