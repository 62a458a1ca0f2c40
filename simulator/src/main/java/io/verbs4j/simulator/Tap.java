// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/// The frames of one simulated network interface.
final class Tap implements FrameFile {
    /// Wakes a reading thread. No real frame is empty.
    private static final byte[] WAKE = {};

    private final LinkedBlockingDeque<byte[]> frames = new LinkedBlockingDeque<>();
    private final Runnable end;

    /// @param end removes the tap from its wire
    Tap(Runnable end) {
        this.end = end;
    }

    void bring(byte[] frame) {
        frames.add(frame);
    }

    @Override
    public int receive(MemorySegment buffer) {
        byte[] frame = frames.poll();
        while (frame != null && frame.length == 0) {
            frame = frames.poll();
        }
        if (frame == null) {
            return -Errno.EAGAIN;
        }
        MemorySegment.copy(frame, 0, buffer, ValueLayout.JAVA_BYTE, 0, frame.length);
        return frame.length;
    }

    @Override
    public int await(long timeoutNanos) {
        try {
            byte[] frame = frames.poll(timeoutNanos, TimeUnit.NANOSECONDS);
            if (frame == null || frame.length == 0) {
                return 0;
            }
            frames.addFirst(frame);
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    @Override
    public void wake() {
        frames.add(WAKE);
    }

    @Override
    public int takeLost() {
        return 0;
    }

    @Override
    public void close() {
        end.run();
    }
}
