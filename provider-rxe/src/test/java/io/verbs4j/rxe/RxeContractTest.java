// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.kit.Element;
import io.verbs4j.spi.kit.PlayedDevice;
import io.verbs4j.spi.kit.ProviderContract;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/// The contract of all providers, on a device with rxe's rings.
class RxeContractTest extends ProviderContract {
    @Override
    protected PlayedDevice open() {
        return new PlayedRxe();
    }

    /// Reads work requests by the offsets of `struct rxe_send_wqe` and `struct rxe_recv_wqe`.
    private static final class PlayedRxe implements PlayedDevice {
        private static final int SEND_HEADER = 208;
        private static final int RECEIVE_HEADER = 40;
        private static final int INLINE_BYTES = 32;
        private static final int[] COMPLETION_OPCODES = {1, 1, 0, 0, 2, 3, 4, 6, 5, 0};

        private final FakeDevice device = new FakeDevice();
        private final CommandChannel channel =
                CommandChannel.open(device, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
        private final ProviderContext context = new RxeProviderFactory().open(channel);
        private final ProviderProtectionDomain domain = new ProviderProtectionDomain(channel, Rings.DOMAIN);
        private final Random starts = new Random(1);
        private String receives = "RQ";

        @Override
        public ProviderContext context() {
            return context;
        }

        @Override
        public ProviderProtectionDomain domain() {
            return domain;
        }

        @Override
        public int operations() {
            return OpcodeSet.of(0, 1, 2, 3, 4, 5, 6, WorkRequestOpcode.SEND_WITH_INVALIDATE);
        }

        @Override
        public int inlineOperations() {
            return OpcodeSet.of(0, 1, 2, 3, WorkRequestOpcode.SEND_WITH_INVALIDATE);
        }

        @Override
        public ProviderAddressHandle addressHandle() {
            return new RxeAddressHandle(channel, 1, Rings.DOMAIN, 9);
        }

        @Override
        public void nextRings(int slots, int elements) {
            int power = Integer.highestOneBit(slots) << 1;
            device.shape("SQ", power, shift(SEND_HEADER + INLINE_BYTES), starts.nextInt(power));
            device.shape("RQ", power, shift(RECEIVE_HEADER + 16 * elements), starts.nextInt(power));
            device.shape("SRQ", power, shift(RECEIVE_HEADER + 16 * elements), starts.nextInt(power));
            device.shape("CQ", 4 * power, Rings.COMPLETION_SHIFT, starts.nextInt(4 * power));
            device.limits(elements, INLINE_BYTES, elements);
            // A shared queue, if any, is created after this.
            receives = "RQ";
            device.after("create shared receive queue", () -> receives = "SRQ");
        }

        private static int shift(int bytes) {
            return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, 64) - 1);
        }

        @Override
        public int waitingSends() {
            return device.ring("SQ").waiting();
        }

        @Override
        public int waitingReceives() {
            return device.ring(receives).waiting();
        }

        private void complete(long id, int status, int opcode, int bytes) {
            device.ring("CQ").produce(FakeKernel.completion(id, status, opcode, bytes, FakeDevice.QUEUE_PAIR_NUMBER));
        }

        @Override
        public Element takeSend(int status) {
            ByteBuffer wqe = ByteBuffer.wrap(device.ring("SQ").take()).order(ByteOrder.LITTLE_ENDIAN);
            int opcode = wqe.getInt(12);
            int flags = wqe.getInt(16);
            boolean inline = (flags & SendFlags.INLINE) != 0;
            boolean atomic = opcode == WorkRequestOpcode.COMPARE_AND_SWAP || opcode == WorkRequestOpcode.FETCH_AND_ADD;
            boolean remote = opcode == WorkRequestOpcode.RDMA_WRITE || opcode == WorkRequestOpcode.RDMA_READ
                    || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
            boolean datagram = wqe.getInt(36) == 9 && !atomic && !remote;
            boolean immediate = opcode == WorkRequestOpcode.SEND_WITH_IMMEDIATE
                    || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
            int data = immediate ? Integer.reverseBytes(wqe.getInt(20))
                    : opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE ? wqe.getInt(20) : 0;
            var payload = new byte[inline ? wqe.getInt(184) : 0];
            wqe.get(SEND_HEADER, payload);
            complete(wqe.getLong(0), status, COMPLETION_OPCODES[opcode], wqe.getInt(184));
            return new Element(
                    opcode,
                    flags & ~SendFlags.INLINE,
                    data,
                    atomic || remote ? wqe.getLong(24) : 0,
                    atomic ? wqe.getInt(48) : remote ? wqe.getInt(32) : 0,
                    atomic ? wqe.getLong(32) : 0,
                    opcode == WorkRequestOpcode.COMPARE_AND_SWAP ? wqe.getLong(40) : 0,
                    datagram ? wqe.getInt(24) : 0,
                    datagram ? wqe.getInt(28) : 0,
                    inline ? List.of() : buffers(wqe, SEND_HEADER, wqe.getInt(196)),
                    HexFormat.of().formatHex(payload));
        }

        @Override
        public Element takeReceive(int status, int bytes) {
            ByteBuffer wqe = ByteBuffer.wrap(device.ring(receives).take()).order(ByteOrder.LITTLE_ENDIAN);
            complete(wqe.getLong(0), status, 128, bytes);
            return Element.receive(buffers(wqe, RECEIVE_HEADER, wqe.getInt(28)));
        }

        private static List<Element.Buffer> buffers(ByteBuffer wqe, int at, int count) {
            var buffers = new ArrayList<Element.Buffer>();
            for (int i = 0; i < count; i++) {
                int element = at + 16 * i;
                if (wqe.getInt(element + 8) != 0) {
                    buffers.add(new Element.Buffer(
                            wqe.getLong(element), wqe.getInt(element + 8), wqe.getInt(element + 12)));
                }
            }
            return buffers;
        }

        private List<FakeRing> rings() {
            return List.of(device.ring("SQ"), device.ring(receives), device.ring("CQ"));
        }

        @Override
        public void writeRubbish(Random random) {
            device.ring("SQ").forgeConsumer(random.nextInt());
            device.ring(receives).forgeConsumer(random.nextInt());
            FakeRing completions = device.ring("CQ");
            var element = new byte[completions.stride()];
            for (int slot = 0; slot <= completions.mask(); slot++) {
                random.nextBytes(element);
                completions.scribble(slot, element);
            }
            completions.forgeProducer(random.nextInt());
        }

        @Override
        public byte[] memory() {
            var all = new ByteArrayOutputStream();
            rings().forEach(ring -> all.writeBytes(ring.memory().toArray(JAVA_BYTE)));
            return all.toByteArray();
        }

        @Override
        public void checkGuards() {
            rings().forEach(FakeRing::assertGuardsUntouched);
        }

        @Override
        public void failCall(int nth) {
            device.failAny(nth);
        }

        @Override
        public boolean hasFailed() {
            return !device.failureIsToCome();
        }

        @Override
        public List<String> left() {
            return device.left();
        }

        @Override
        public void close() {
            device.free();
        }
    }
}
