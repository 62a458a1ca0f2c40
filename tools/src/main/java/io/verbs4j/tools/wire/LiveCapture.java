// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.wire;

import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.host.Host;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Captures the Ethernet frames with RoCE v2 packets that cross a network interface in both directions. The kernel or a
/// simulated host provides copies. No library is needed; libpcap would load rdma-core's libraries, which it is linked
/// with.
///
/// A frame's time is the time when it is read. The kernel's timestamps come from two clocks: rxe stamps sent packets
/// with the time since boot, and the stamp is still there when the packet arrives.
///
/// One thread reads frames. Any thread may call [#stop()].
public final class LiveCapture implements AutoCloseable {
    private static final long LONGEST_FRAME = 65_536;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(LONGEST_FRAME);
    private final FrameFile socket;
    private long frames;
    private volatile boolean stopped;

    private LiveCapture(FrameFile socket) {
        this.socket = socket;
    }

    /// Starts a capture.
    ///
    /// @param networkInterface its name, such as `veth0`
    /// @throws NoSuchFileException if there is no such interface
    /// @throws IOException if it is not Ethernet
    /// @throws io.verbs4j.types.VerbsException if the caller lacks `CAP_NET_RAW`
    public static LiveCapture of(String networkInterface) throws IOException {
        return new LiveCapture(Host.current().openFrames(networkInterface));
    }

    /// Returns the next frame. An interface that is down delivers none until it is up again. A removed interface
    /// delivers no more.
    ///
    /// @param timeoutNanos timeout; 0 to return at once
    /// @return null after the timeout, after [#stop()], or if the thread was interrupted
    public @Nullable CapturedFrame next(long timeoutNanos) {
        long start = System.nanoTime();
        while (!stopped) {
            int result = socket.receive(buffer);
            if (result >= 0) {
                frames++;
                byte[] bytes = buffer.asSlice(0, result).toArray(ValueLayout.JAVA_BYTE);
                return new CapturedFrame(frames, now(), bytes.length, bytes);
            }
            if (result == -Errno.ENETDOWN) {
                continue; // reported once; frames that arrived before can still be read
            }
            if (result != -Errno.EAGAIN) {
                throw KernelErrors.failure(SystemOperation.CAPTURE_PACKETS, -result);
            }
            long left = timeoutNanos - (System.nanoTime() - start);
            if (left <= 0 || !awaitFrame(left)) {
                return null;
            }
        }
        return null;
    }

    private boolean awaitFrame(long nanos) {
        int ready = socket.await(nanos);
        if (ready < 0 && ready != -Errno.EINTR) {
            throw KernelErrors.failure(SystemOperation.CAPTURE_PACKETS, -ready);
        }
        return ready > 0;
    }

    private static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    }

    /// Returns the number of frames lost since the last call because they arrived faster than they were read.
    public int takeLost() {
        return socket.takeLost();
    }

    /// Stops the capture: no further frame is returned. May be called by any thread.
    public void stop() {
        stopped = true;
        socket.wake();
    }

    /// Returns whether [#stop()] was called.
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public void close() {
        socket.close();
        arena.close();
    }
}
