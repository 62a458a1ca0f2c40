// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedFrame;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.OtherFrame;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.tools.wire.LiveCapture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// The packets between the lab's two devices, as the left network interface sends and receives them. They stay in the
/// kernel until they are read. A packet that a completion depends on is captured before the completion.
public final class WireCapture implements AutoCloseable {
    /// The left device's network interface.
    public static final String INTERFACE = "veth0";

    private static final RoceOpcode FLUSH = new RoceOpcode(0x1c);
    /// Of CRC-32, lowest bit first.
    private static final int CRC_POLYNOMIAL = 0xedb88320;

    private final LiveCapture capture;

    private WireCapture(LiveCapture capture) {
        this.capture = capture;
    }

    /// Starts.
    public static WireCapture start() {
        try {
            return new WireCapture(LiveCapture.of(INTERFACE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All packets since the last call, which must be whole: headers complete, invariant CRC as rxe has it.
    public List<RoceFrame> take() {
        var packets = new ArrayList<RoceFrame>();
        for (CapturedFrame frame = capture.next(0); frame != null; frame = capture.next(0)) {
            switch (FrameDecoder.decode(frame)) {
                case RoceFrame packet -> packets.add(packet);
                case DamagedFrame damaged -> throw new AssertionError(damaged);
                case OtherFrame _ -> {}
            }
        }
        assertThat(capture.takeLost()).as("packets that the capture lost").isZero();
        assertThat(packets).allMatch(frame -> frame.packet().icrc() == rxeIcrc(frame), "has a right invariant CRC");
        return packets;
    }

    /// The invariant CRC that rxe gives a packet.
    public static int rxeIcrc(RoceFrame frame) {
        boolean twice = frame.packet().bth().opcode().equals(FLUSH) && Kernel.checksHeadersOfFlushesTwice();
        return twice
                ? continued(frame.expectedIcrc(), frame.packet().headerBytes())
                : frame.expectedIcrc();
    }

    /// The CRC-32 of what another is of, and further bytes.
    private static int continued(int crc, byte[] bytes) {
        int state = ~crc;
        for (byte each : bytes) {
            state ^= each & 0xff;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                state = state >>> 1 ^ ((state & 1) == 0 ? 0 : CRC_POLYNOMIAL);
            }
        }
        return ~state;
    }

    @Override
    public void close() {
        capture.close();
    }
}
