// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// A frame of a capture.
public final class CapturedFrame {
    private final long number;
    private final long nanoseconds;
    private final int originalLength;
    private final byte[] bytes;

    /// @param number position in the capture, from 1
    /// @param nanoseconds when it was captured, as the capture says
    /// @param originalLength bytes it had; more than `bytes` holds if the capture cut it
    /// @param bytes what was captured; not copied
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

    /// Bytes that it had.
    public int originalLength() {
        return originalLength;
    }

    /// Returns what was captured. Not a copy.
    public byte[] bytes() {
        return bytes;
    }

    /// Returns whether the capture kept only its beginning.
    public boolean isCut() {
        return bytes.length < originalLength;
    }
}
