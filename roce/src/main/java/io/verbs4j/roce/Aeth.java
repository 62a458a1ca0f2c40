// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import io.verbs4j.types.Ranges;
import java.nio.ByteBuffer;
import java.util.Locale;

/// Acknowledgement extended transport header (IBA vol. 1, 9.3.5).
///
/// @param syndrome kind of response and its code, 8 bits (IBA vol. 1, table 43)
/// @param messageSequenceNumber messages completed by the responder so far, 24 bits
public record Aeth(int syndrome, int messageSequenceNumber) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 4;

    /// Milliseconds to wait, by timer code (IBA vol. 1, table 45).
    private static final double[] RNR_MILLISECONDS = {
            655.36, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.96, 1.28, 1.92, //
            2.56, 3.84, 5.12, 7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68,
            491.52
    };

    /// Kind of response: the upper three bits of the syndrome.
    public enum Kind {
        /// Acknowledges all packets up to this PSN.
        ACK,
        /// No receive is posted: retry later.
        RNR_NAK,
        /// The request is refused.
        NAK,
        /// Not assigned by the specification.
        RESERVED
    }

    /// Checks the ranges.
    public Aeth {
        Ranges.check("syndrome", syndrome, 0, 0xff);
        Ranges.check("messageSequenceNumber", messageSequenceNumber, 0, 0xffffff);
    }

    /// Reads the header.
    public static Aeth parse(ByteBuffer buffer) {
        return new Aeth(buffer.get() & 0xff, RoceHeader.getUnsigned24(buffer));
    }

    /// Returns the kind of response.
    public Kind kind() {
        return switch (syndrome >>> 5) {
            case 0 -> Kind.ACK;
            case 1 -> Kind.RNR_NAK;
            case 3 -> Kind.NAK;
            default -> Kind.RESERVED;
        };
    }

    /// Returns the lower five bits of the syndrome: credits, timer or reason.
    public int code() {
        return syndrome & 0x1f;
    }

    /// Returns the response as text, such as `NAK remote access error`.
    public String meaning() {
        return switch (kind()) {
            case ACK -> "ACK";
            case RNR_NAK -> String.format(Locale.ROOT, "RNR NAK, wait %.2f ms", RNR_MILLISECONDS[code()]);
            case NAK -> "NAK " + reason();
            case RESERVED -> "syndrome " + RoceOpcode.hex(syndrome, 2);
        };
    }

    private String reason() {
        return switch (code()) {
            case 0 -> "PSN sequence error";
            case 1 -> "invalid request";
            case 2 -> "remote access error";
            case 3 -> "remote operational error";
            case 4 -> "invalid RD request";
            default -> "code " + code();
        };
    }

    @Override
    public byte[] bytes() {
        return RoceHeader.bytes(BYTES, buffer -> {
            buffer.put((byte) syndrome);
            RoceHeader.putUnsigned24(buffer, messageSequenceNumber);
        });
    }
}
