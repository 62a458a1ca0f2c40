// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.roce.FrameEncoder;
import io.verbs4j.roce.RoceV2Packet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/// Sends packets over the wire as if one of its ends did, past the queues of its interface.
public final class RawWire implements AutoCloseable {
    private static final int SOURCE_PORT = 49_152;
    private static final int ADDRESS_BYTES = 6;
    /// `PACKET_QDISC_BYPASS` (packet(7)) is option 20 of level 263.
    private static final String SEND_RAW = """
        import socket, sys
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        wire.bind((sys.argv[1], 0))
        wire.setsockopt(263, 20, 1)
        for line in sys.stdin:
            for frame in line.split():
                wire.send(bytes.fromhex(frame))
            print(flush=True)
        """;

    private final String from;
    private final String to;
    private final byte[] destination;
    private final Process process;
    private final BufferedReader answers;

    private RawWire(int from, int to) {
        this.from = "10.9.0." + from;
        this.to = "10.9.0." + to;
        destination = HexFormat.ofDelimiter(":").parseHex(hardwareAddress("veth" + (to - 1)));
        try {
            process = new ProcessBuilder("python3", "-c", SEND_RAW, "veth" + (from - 1))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers = process.inputReader();
    }

    /// Returns a wire on which the left end seems to send to the right one.
    public static RawWire toTheRight() {
        return new RawWire(1, 2);
    }

    /// Returns a wire on which the right end seems to send to the left one.
    public static RawWire toTheLeft() {
        return new RawWire(2, 1);
    }

    private static String hardwareAddress(String netInterface) {
        try {
            return Files.readString(Path.of("/sys/class/net", netInterface, "address")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends packets, whose invariant CRC is computed.
    public void send(RoceV2Packet... packets) {
        var frames = new byte[packets.length][];
        for (int i = 0; i < packets.length; i++) {
            frames[i] = frame(packets[i]);
        }
        sendFrames(frames);
    }

    /// Returns the Ethernet frame of a packet, from the addresses of the two ends.
    public byte[] frame(RoceV2Packet packet) {
        byte[] frame = FrameEncoder.encode(
                InetAddress.ofLiteral(from), InetAddress.ofLiteral(to), SOURCE_PORT, packet);
        System.arraycopy(destination, 0, frame, 0, ADDRESS_BYTES);
        return frame;
    }

    /// Sends Ethernet frames as they are.
    public void sendFrames(byte[]... frames) {
        var line = new StringBuilder();
        for (byte[] frame : frames) {
            line.append(HexFormat.of().formatHex(frame)).append(' ');
        }
        try {
            var input = process.getOutputStream();
            input.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
            input.flush();
            if (answers.readLine() == null) {
                throw new IllegalStateException("the sender of raw packets has ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
