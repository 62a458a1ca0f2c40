// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.lang.foreign.MemorySegment;

/// Copies of the Ethernet frames with RoCE v2 packets that a network interface sends and receives. One thread reads and
/// closes; any thread may wake it.
///
/// A completion is reported only after its last packet can be read.
public interface FrameFile extends AutoCloseable {
    /// Takes the next frame.
    ///
    /// @param buffer destination of the frame's bytes
    /// @return the number of bytes, `-EAGAIN` if no frame is waiting, or another negated errno
    int receive(MemorySegment buffer);

    /// Waits for a frame.
    ///
    /// @param timeoutNanos the longest wait
    /// @return 1 if a frame is waiting, 0 after the timeout or a wake-up, or a negated errno
    int await(long timeoutNanos);

    /// Ends a wait.
    void wake();

    /// Returns the number of frames that were lost since the last call because they were not taken in time.
    int takeLost();

    @Override
    void close();
}
