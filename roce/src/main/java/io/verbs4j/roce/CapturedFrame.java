// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// A frame of a capture.
public final class CapturedFrame {
    private final long number;
    private final long nanoseconds;
    private final int originalLength;
    private final byte[] bytes;

    /// @param number position in the capture, from 1
    /// @param nanoseconds time of the capture, from the capture file
    /// @param originalLength original length; larger than `bytes` if the capture is truncated
    /// @param bytes captured bytes; not copied
    public CapturedFrame(long number, long nanoseconds, int originalLength, byte[] bytes) {
        this.number = number;
        this.nanoseconds = nanoseconds;
        this.originalLength = originalLength;
        this.bytes = bytes;
    }

    /// Position in the capture, from 1.
    public long number() {
        return number;
    }

    /// Returns the time of the capture, in nanoseconds since 1970; on rxe it may be the time since boot instead.
    public long nanoseconds() {
        return nanoseconds;
    }

    /// Returns the original length in bytes.
    public int originalLength() {
        return originalLength;
    }

    /// Returns the captured bytes. Not a copy.
    public byte[] bytes() {
        return bytes;
    }

    /// Returns whether the frame is truncated.
    public boolean isCut() {
        return bytes.length < originalLength;
    }
}
