// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.lang.foreign.MemorySegment;

/// Copies of the Ethernet frames with RoCE v2 packets that a network interface sends and receives. One thread reads and
/// closes; any thread may wake it.
///
/// A completion is reported after the last packet that it needed can be read.
public interface FrameFile extends AutoCloseable {
    /// Takes the next frame.
    ///
    /// @param buffer where its bytes go
    /// @return how many bytes it has; `-EAGAIN` if none waits, or another error number, negated
    int receive(MemorySegment buffer);

    /// Waits for a frame.
    ///
    /// @param timeoutNanos at most that long
    /// @return 1 if one waits, 0 if the time is over or the thread was woken, or an error number, negated
    int await(long timeoutNanos);

    /// Ends a wait.
    void wake();

    /// Returns how many frames came faster than they were taken, since the last call.
    int takeLost();

    @Override
    void close();
}
