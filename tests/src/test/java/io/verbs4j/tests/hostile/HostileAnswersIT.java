// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.KernelFaults;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RawWire;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A peer sends all kinds of answers to requests of a reliable connection: answers to other operations, with wrong
/// lengths, early, late or duplicate ones, and refusals with undefined reasons. The kernel survives, each request
/// completes at most once, and memory is written only where an answer belongs.
///
/// Kernels built with defect checks get all of these answers, others every ninth, or by default every thirty-first.
@DeviceTest
@RealKernel("a network interface to send raw packets from")
@Needs.OneKernel("what a peer may do is the same everywhere; --all shows that each kernel bears it")
class HostileAnswersIT {
    private static final int MTU = 1024;
    private static final int PSN = 1000;
    private static final int MARGIN = 4096;
    private static final int LENGTH = 3 * MTU;
    private static final byte UNTOUCHED = 0x5a;
    private static final int FIRST_ANSWER = 0x0d;
    private static final int LAST_ANSWER = 0x12;
    private static final int[] PAYLOADS = {0, 8, MTU, MTU + 4};
    private static final int[] OFFSETS = {-1, 0, 1, 2, 3, 9};
    private static final long A_MOMENT_NANOS = 200_000;
    private static final int STEP = KernelFaults.areThere() ? 1 : Long.getLong("walks.minutes", 0) > 0 ? 9 : 31;

    /// Requests that wait for answers.
    enum Request {
        SEND {
            @Override
            boolean post(End left, RemoteMemory peer, long id) {
                left.post(batch -> signaled(batch, id).send().local(left.memory(), MARGIN, LENGTH).post());
                return true;
            }
        },
        WRITE {
            @Override
            boolean post(End left, RemoteMemory peer, long id) {
                left.post(batch -> signaled(batch, id).write()
                        .local(left.memory(), MARGIN, LENGTH)
                        .remote(peer)
                        .post());
                return true;
            }
        },
        READ {
            @Override
            boolean post(End left, RemoteMemory peer, long id) {
                left.post(batch -> signaled(batch, id).read().local(left.memory(), MARGIN, LENGTH).remote(peer).post());
                return true;
            }
        },
        READ_OF_A_PACKET {
            @Override
            boolean post(End left, RemoteMemory peer, long id) {
                left.post(batch -> signaled(batch, id).read().local(left.memory(), MARGIN, 8).remote(peer).post());
                return true;
            }
        },
        ATOMIC {
            @Override
            boolean post(End left, RemoteMemory peer, long id) {
                left.post(batch -> signaled(batch, id).fetchAndAdd(1)
                        .local(left.memory(), MARGIN, Long.BYTES)
                        .remote(peer)
                        .post());
                return true;
            }
        },
        ATOMIC_WRITE {
            @Override
            boolean post(End left, RemoteMemory peer, long id) {
                if (!Kernel.hasFlushAndAtomicWrite()) {
                    return false;
                }
                left.post(batch -> signaled(batch, id).atomicWrite(1).remote(peer).post());
                return true;
            }
        },
        FLUSH {
            @Override
            boolean post(End left, RemoteMemory peer, long id) {
                if (!Kernel.hasFlushAndAtomicWrite()) {
                    return false;
                }
                left.post(batch -> signaled(batch, id).flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)
                        .remote(peer)
                        .post());
                return true;
            }
        };

        /// @return whether the kernel has such a thing
        abstract boolean post(End left, RemoteMemory peer, long id);

        private static SendBatch signaled(SendBatch batch, long id) {
            return batch.signaled().workRequestId(id);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endTheRequestAtMostOnceAndWriteNothingElse(Request request) {
        int number = request.ordinal();
        try (
                var pair = ConnectedPair.onTheWire()
                        .both(builder -> builder.packetSequenceNumber(PSN).timeout(Kernel.TIMEOUT_WITHOUT_RETRIES))
                        .connect();
                var wire = RawWire.toTheLeft()) {
            End left = pair.left();
            RemoteMemory peer = pair.right().memory().remote();
            QueuePairAttributes former = left.queuePair().query();
            pair.right().queuePair().close();
            left.memory().segment().fill(UNTOUCHED);
            for (int opcode = FIRST_ANSWER; opcode <= LAST_ANSWER; opcode++) {
                for (int lie = 0; lie < HostilePacket.LIES; lie++) {
                    for (int payload : PAYLOADS) {
                        for (int offset : OFFSETS) {
                            if (number++ % STEP == 0) {
                                connectAgain(left, former);
                                if (!request.post(left, peer, number)) {
                                    return;
                                }
                                answer(wire, left, new HostilePacket(opcode, lie, payload, offset), peer, number);
                            }
                        }
                    }
                }
            }
            assertThat(left.bytes(0, MARGIN).toArray(ValueLayout.JAVA_BYTE)).containsOnly(UNTOUCHED);
            MemorySegment behind = left.bytes(MARGIN + LENGTH, MARGIN);
            assertThat(behind.toArray(ValueLayout.JAVA_BYTE)).containsOnly(UNTOUCHED);
        }
    }

    private static void connectAgain(End left, QueuePairAttributes former) {
        left.modify(QueuePairState.RESET);
        left.receiveAgain(former, PSN);
        left.queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RTS)
                        .sendPsn(PSN)
                        .timeout(Kernel.TIMEOUT_WITHOUT_RETRIES)
                        .retryCount(6)
                        .rnrRetry(6)
                        .maxReadAtomic(16)
                        .build());
    }

    /// Answers, and then once more, with the last packet of what was asked for.
    private static void answer(RawWire wire, End left, HostilePacket packet, RemoteMemory peer, long id) {
        int number = left.queuePair().number();
        LockSupport.parkNanos(A_MOMENT_NANOS);
        wire.send(packet.to(number, PSN, peer),
                new HostilePacket(LAST_ANSWER - 1, packet.lie(), 0, 2).to(number, PSN, peer));
        LockSupport.parkNanos(A_MOMENT_NANOS);
        left.modify(QueuePairState.ERR);
        int[] completions = new int[1];
        left.queue().poll(100, completion -> completions[0] += completion.workRequestId() == id ? 1 : 0);
        assertThat(completions[0]).as("completions after %s", packet).isLessThanOrEqualTo(1);
    }
}
