// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import io.verbs4j.Device;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.wire.CapturedFrame;
import io.verbs4j.tools.wire.DamagedPacketException;
import io.verbs4j.tools.wire.FrameDecoder;
import io.verbs4j.tools.wire.PcapReader;
import io.verbs4j.tools.wire.RoceFrame;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The RoCE v2 packets of a device's network interface, from the start of the capture on. What captures them is `tcpdump`,
/// and all that knows it is here.
public final class WireCapture implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(10);

    private final String networkInterface;
    private final Process process;
    private final Thread reader;
    private final List<RoceFrame> frames = new ArrayList<>(); // guarded by itself
    private long lastArrival = System.nanoTime(); // guarded by frames
    /// The first packets take long: Pcap4J loads its classes.
    private volatile boolean decoding = true;

    private WireCapture(String networkInterface, Process process) {
        this.networkInterface = networkInterface;
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name("packets").unstarted(this::read);
    }

    /// Starts to capture, and waits until that works.
    ///
    /// @throws ToolException if it cannot: no network interface, no tcpdump, no permission
    public static WireCapture start(Device device) {
        String networkInterface = device.networkInterface()
                .orElseThrow(() -> new ToolException(
                        "cannot capture on " + device.name() + ": it has no network interface"));
        var command = new ArrayList<>(List.of(
                "tcpdump", "-i", networkInterface, "-U", "--immediate-mode", "--time-stamp-precision=nano", "-w", "-"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-Z", "root")); // there may be no user of its own to change to
        }
        command.addAll(List.of("udp", "port", "4791"));
        Process process;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new ToolException("cannot capture packets: there is no tcpdump", "install it");
        }
        var capture = new WireCapture(networkInterface, process);
        capture.awaitStart();
        capture.reader.start();
        return capture;
    }

    private void awaitStart() {
        var said = new StringBuilder();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.contains("listening on")) {
                        return;
                    }
                    said.append(said.isEmpty() ? "" : "; ").append(line);
                }
            } catch (IOException e) {
                said.append(e.getMessage());
            }
            said.append(" ");
        });
        try {
            boolean ended = waiting.join(START_LIMIT);
            if (!ended || (!process.isAlive() && !said.isEmpty())) {
                process.destroy();
                throw new ToolException(
                        "cannot capture packets on " + networkInterface + ": "
                                + (ended ? said.toString().strip() : "tcpdump does not start"),
                        "it needs root or CAP_NET_RAW");
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted while the capture started");
        }
    }

    /// The interface that is watched.
    public String networkInterface() {
        return networkInterface;
    }

    private void read() {
        try (var pcap = new PcapReader(process.getInputStream(), "tcpdump's output")) {
            var decoder = new FrameDecoder(pcap.linkType());
            while (true) {
                decoding = false;
                CapturedFrame frame = pcap.next();
                decoding = true;
                if (frame == null) {
                    break;
                }
                decode(decoder, frame);
            }
        } catch (IOException ended) {
            // At the end of tcpdump. What has arrived is there.
        } finally {
            decoding = false;
        }
    }

    private void decode(FrameDecoder decoder, CapturedFrame frame) {
        try {
            decoder.decode(frame).ifPresent(packet -> {
                synchronized (frames) {
                    frames.add(packet);
                    lastArrival = System.nanoTime();
                }
            });
        } catch (DamagedPacketException e) {
            // Nothing of rxe is damaged; what somebody else sends to the port is not ours to explain.
        }
    }

    /// What has crossed so far, in the order of the wire.
    public List<RoceFrame> frames() {
        synchronized (frames) {
            return List.copyOf(frames);
        }
    }

    /// Waits until no packet has arrived for a moment: packets are behind the program that they belong to.
    public List<RoceFrame> settled() {
        long end = System.nanoTime() + DRAIN_LIMIT.toNanos();
        long begin = System.nanoTime();
        while (System.nanoTime() < end) {
            long quiet;
            synchronized (frames) {
                quiet = System.nanoTime() - Math.max(begin, lastArrival);
            }
            if (quiet >= QUIET.toNanos() && !decoding) {
                break;
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
        process.destroy();
        try {
            reader.join(DRAIN_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
