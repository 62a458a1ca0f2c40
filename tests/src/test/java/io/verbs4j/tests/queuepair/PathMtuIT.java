// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Path MTUs that exceed the network interface's MTU are refused beforehand. If the interface's MTU is reduced later,
/// the effect on connections depends on the kernel.
@DeviceTest
@Needs.EachKernel
class PathMtuIT {
    /// Carries packets of 4096 bytes. The interface is never smaller than usual, where it would lose its IPv6
    /// addresses.
    private static final int LARGE = 4200;
    private static final int LENGTH = 4096;
    /// Time to wait for what must not come.
    private static final Duration A_WHILE = Duration.ofMillis(500);

    /// Connects over a large interface, which shrinks to its usual size then.
    private static ConnectedPair shrunk(ConnectedPair.Builder builder) {
        var pair = new ConnectedPair[1];
        Rxe.withMtu(LARGE, () -> pair[0] = builder.connect());
        assertThat(pair[0].left().queuePair().query().pathMtu()).isEqualTo(Mtu.MTU_4096);
        return pair[0];
    }

    private static ConnectedPair.Builder onTheWire() {
        return ConnectedPair.onTheWire()
                .both(builder -> builder.rnrRetry(1).timeout(Kernel.TIMEOUT_WITHOUT_RETRIES));
    }

    private static void write(ConnectedPair pair, int length) {
        End left = pair.left();
        left.post(batch -> batch.signaled()
                .write()
                .local(left.memory(), 0, length)
                .remote(pair.right().memory().remote())
                .post());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void isRefusedBeforeTheQueuePairIsMade(QueuePairType type) {
        try (var context = Rxe.open()) {
            var builder = context.allocateProtectionDomain()
                    .queuePair(type, context.createCompletionQueue(16))
                    .pathMtu(Mtu.MTU_2048);
            assertThatThrownBy(builder::prepare)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "pathMtu=MTU_2048 is larger than the active MTU of port 1 of rxe0, which is MTU_1024: use"
                                    + " pathMtu(MTU_1024) at both ends, or raise the MTU of the network interface (ip link set veth0"
                                    + " mtu 2152)");
            Rxe.withMtu(2152, () -> builder.prepare().close());
        }
    }

    @Test
    @Covers({"ibv_modify_qp", "ibv_post_send"})
    void endsTheConnectionOrHoldsItUpIfTheInterfaceShrinks() throws InterruptedException {
        try (var pair = shrunk(onTheWire())) {
            End left = pair.left();
            write(pair, LENGTH);
            if (Kernel.endsWhatMeetsAFullInterface()) {
                CompletionRecord flushed = left.completions().next();
                assertThat(flushed.status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
                assertThat(flushed).asString().contains("path MTU", "whose MTU was lowered");
                assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERR);
            } else {
                Thread.sleep(A_WHILE);
                left.completions().assertNone();
                assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.RTS);
                Rxe.withMtu(LARGE, () -> left.completions().nextSuccess());
            }
        }
    }

    /// The one who reads is asked to come again later, as often as it does.
    @Test
    @Covers("ibv_post_send")
    void keepsTheResponderFromAnsweringReadsIfTheInterfaceShrinks() {
        try (var pair = shrunk(onTheWire())) {
            End left = pair.left();
            left.post(batch -> batch.signaled()
                    .read()
                    .local(left.memory(), 0, LENGTH)
                    .remote(pair.right().memory().remote())
                    .post());
            assertThat(left.completions().next().status())
                    .isEqualTo(CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED);
        }
    }

    @Test
    void doesNotMatterWithinADevice() {
        try (var pair = shrunk(ConnectedPair.onOneDevice())) {
            write(pair, LENGTH);
            pair.left().completions().nextSuccess();
        }
    }

    @Test
    void doesNotMatterForPacketsThatFit() {
        try (var pair = shrunk(onTheWire())) {
            write(pair, 1400);
            pair.left().completions().nextSuccess();
        }
    }

    /// The interface of the sender is large, that of the receiver is not.
    @Test
    void isAsBadWhereTheReceiversInterfaceShrinks() throws InterruptedException {
        try (var pair = shrunk(onTheWire())) {
            Rxe.withMtuOfTheLeftAlone(LARGE, () -> write(pair, LENGTH));
            if (Kernel.endsWhatMeetsAFullInterface()) {
                assertThat(pair.left().completions().next().status())
                        .isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
            } else {
                Thread.sleep(A_WHILE);
                pair.left().completions().assertNone();
            }
        }
    }
}
