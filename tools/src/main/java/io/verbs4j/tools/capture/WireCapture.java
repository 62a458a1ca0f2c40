// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import io.verbs4j.Device;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.wire.LiveCapture;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Captures the RoCE v2 packets of a device's network interface. A thread reads them as they arrive, because the
/// reading time is used as the packet's time.
public final class WireCapture implements AutoCloseable {
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(10);

    private final String networkInterface;
    private final LiveCapture capture;
    private final Thread reader = Thread.ofPlatform().daemon().name("packets").unstarted(this::read);
    private final List<RoceFrame> frames = new ArrayList<>(); // guarded by itself
    private long lastArrival = System.nanoTime(); // guarded by frames
    private volatile @Nullable VerbsException failure;

    private WireCapture(String networkInterface, LiveCapture capture) {
        this.networkInterface = networkInterface;
        this.capture = capture;
    }

    /// Starts to capture.
    ///
    /// @throws ToolException if there is no network interface, it is not Ethernet, or permission is missing
    public static WireCapture start(Device device) {
        String networkInterface = device.networkInterface()
                .orElseThrow(() -> new ToolException(
                        "cannot capture on " + device.name() + ": it has no network interface"));
        FrameDecoder.warmUp();
        WireCapture started;
        try {
            started = new WireCapture(networkInterface, LiveCapture.of(networkInterface));
        } catch (IOException e) {
            throw new ToolException("cannot capture packets on " + networkInterface + ": " + IoFailure.reason(e));
        } catch (VerbsException e) {
            throw new ToolException("cannot capture packets on " + networkInterface + ": " + e.getMessage());
        }
        started.reader.start();
        return started;
    }

    /// Returns the captured interface.
    public String networkInterface() {
        return networkInterface;
    }

    private void read() {
        try {
            while (!capture.isStopped()) {
                CapturedFrame frame = capture.next(DRAIN_LIMIT.toNanos());
                if (frame != null) {
                    take(frame);
                }
            }
        } catch (VerbsException e) {
            failure = e;
        }
    }

    /// Returns the reason why packets are missing; empty if the capture is complete.
    public String problem() {
        VerbsException cause = failure;
        if (cause != null) {
            return "the capture ended early: " + cause.getMessage();
        }
        int lost = capture.takeLost();
        return lost == 0 ? "" : lost + " packets lost by the capture";
    }

    private void take(CapturedFrame frame) {
        // rxe sends no damaged packets. Damaged packets come from other senders and are ignored.
        if (FrameDecoder.decode(frame) instanceof RoceFrame packet) {
            synchronized (frames) {
                frames.add(packet);
                lastArrival = System.nanoTime();
            }
        }
    }

    /// Returns the packets captured so far, in the order of the wire.
    public List<RoceFrame> frames() {
        synchronized (frames) {
            return List.copyOf(frames);
        }
    }

    /// Waits until no packet has arrived for a moment, because the last acknowledgements follow the end of their
    /// program.
    public List<RoceFrame> settled() {
        long begin = System.nanoTime();
        long end = begin + DRAIN_LIMIT.toNanos();
        while (System.nanoTime() - end < 0) {
            synchronized (frames) {
                if (System.nanoTime() - Math.max(begin, lastArrival) >= QUIET.toNanos()) {
                    break;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        return frames();
    }

    @Override
    public void close() {
        capture.stop();
        boolean interrupted = false;
        while (reader.isAlive()) { // it uses the objects that are closed below
            try {
                reader.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        capture.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
