// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// A frame of a capture.
public final class CapturedFrame {
    /// Stands for an unknown time. In pcapng files, times are optional.
    public static final long NO_TIME = Long.MIN_VALUE;

    private final long number;
    private final long nanoseconds;
    private final int linkType;
    private final long originalLength;
    private final byte[] bytes;

    /// Creates a frame that starts with an Ethernet header.
    ///
    /// @param number position in the capture, from 1
    /// @param nanoseconds time of the capture, according to the file
    /// @param originalLength the frame's length; larger than that of `bytes` if the capture truncated it
    /// @param bytes the captured bytes; not copied
    public CapturedFrame(long number, long nanoseconds, long originalLength, byte[] bytes) {
        this(number, nanoseconds, LinkTypes.ETHERNET, originalLength, bytes);
    }

    /// Creates a frame.
    ///
    /// @param number position in the capture, from 1
    /// @param nanoseconds time of the capture, according to the file, or [#NO_TIME]
    /// @param linkType the kind of header at the start of the frame ([LinkTypes])
    /// @param originalLength the frame's length; larger than that of `bytes` if the capture truncated it
    /// @param bytes the captured bytes; not copied
    public CapturedFrame(long number, long nanoseconds, int linkType, long originalLength, byte[] bytes) {
        this.number = number;
        this.nanoseconds = nanoseconds;
        this.linkType = linkType;
        this.originalLength = originalLength;
        this.bytes = bytes;
    }

    /// Returns the position in the capture, from 1, which is the frame number of Wireshark.
    public long number() {
        return number;
    }

    /// Returns the time of the capture, in nanoseconds since 1970, or [#NO_TIME]. On rxe, the time may be counted from
    /// boot instead.
    public long nanoseconds() {
        return nanoseconds;
    }

    /// Returns the kind of header at the start of the frame ([LinkTypes]).
    public int linkType() {
        return linkType;
    }

    /// Returns the length of the frame before the capture truncated it.
    public long originalLength() {
        return originalLength;
    }

    /// Returns the captured bytes, not a copy.
    public byte[] bytes() {
        return bytes;
    }

    /// Returns whether the capture truncated the frame.
    public boolean isCut() {
        return bytes.length < originalLength;
    }
}
