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

    /// RNR wait times in units of 10 µs, indexed by timer code (IBA vol. 1, table 45).
    private static final int[] RNR_TIMES = {
            65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072,
            4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };
    private static final int RNR_UNIT_MICROS = 10;
    private static final double MICROS_PER_MILLI = 1000;

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

    /// Returns the time to wait before a retry, in microseconds, if the kind of response is [Kind#RNR_NAK].
    ///
    /// @param code timer code, as in [#code()]
    public static int rnrMicroseconds(int code) {
        return RNR_TIMES[code] * RNR_UNIT_MICROS;
    }

    /// Returns the response as text, such as `NAK remote access error`.
    public String meaning() {
        return switch (kind()) {
            case ACK -> "ACK";
            case RNR_NAK ->
                String.format(Locale.ROOT, "RNR NAK, wait %.2f ms", rnrMicroseconds(code()) / MICROS_PER_MILLI);
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
    public void put(ByteBuffer buffer) {
        buffer.put((byte) syndrome);
        RoceHeader.putUnsigned24(buffer, messageSequenceNumber);
    }
}
