// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.Errno;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No resize of a shared receive queue that could fail reaches a kernel that would then dereference a null pointer.
/// After a failed resize, no other command does.
class SharedReceiveQueueResizeTest {
    private final String release = System.getProperty("os.version");
    private final FakeDevice device = new FakeDevice();
    private final CommandChannel channel = CommandChannel.open(device, 14, "rxe0", 2, Transport.NATIVE_IOCTL);
    private final ProviderSharedReceiveQueue queue = new RxeProviderFactory()
            .open(channel)
            .createSharedReceiveQueue(
                    new SharedReceiveQueueRequest(new ProviderProtectionDomain(channel, 3), 3, 5, 1, 0));

    @AfterEach
    void close() {
        System.setProperty("os.version", release);
        device.free();
    }

    private void post(int count) {
        var ops = queue.receiveOps();
        ops.begin();
        for (int i = 0; i < count; i++) {
            ops.receive(i, 0, 8, 1);
        }
        assertThat(ops.publish()).isEqualTo(count);
        device.log().clear();
    }

    private static void assertRefused(ThrowingCallable resize, String reason) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(resize)
                .withMessageContaining(reason)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void theKernelIsNotAskedForARingThatWouldNotHoldWhatWaits() {
        post(4);

        assertRefused(() -> queue.resize(2), "4 receives are waiting, but a queue for 2 would hold 3");
        assertThat(device.log()).isEmpty();

        device.ring("SRQ").take();
        queue.resize(3);
        assertThat(queue.receiveOps().capacity()).isEqualTo(3);
    }

    @Test
    void whatWaitsIsRememberedWhenTheNewRingCannotBeMapped() {
        post(6);
        device.fail("map", 1);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> queue.resize(20));
        device.log().clear();

        assertRefused(() -> queue.resize(3), "6 receives are waiting");
        assertThat(device.log()).isEmpty();

        queue.resize(6);
        assertThat(queue.receiveOps().capacity()).isEqualTo(7);
        queue.resize(6);
        assertThat(device.ring("SRQ").waiting()).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1.0-49-amd64", "5.15", "6.11.9", "unheard of"})
    void nothingButItsEndReachesAnOldKernelAfterAFailure(String old) {
        System.setProperty("os.version", old);
        failToResize();

        for (ThrowingCallable call : new ThrowingCallable[]{queue::query, () -> queue.armLimit(1),
                () -> queue.resize(50),
                () -> queue.receiveOps().receive(1, 0, 8, 1), () -> queue.receiveOps().publish()}) {
            assertThatIllegalStateException()
                    .isThrownBy(call)
                    .withMessageContaining("has lost its ring: a resize failed");
        }
        queue.destroy();
        assertThat(device.log()).containsExactly("modify shared receive queue fails", "destroy shared receive queue",
                "unmap");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.12.43+deb13-amd64", "7.2.0", "10.0-rc1"})
    void aNewerKernelKeepsTheQueueAsItWas(String later) {
        System.setProperty("os.version", later);
        failToResize();

        queue.query();
        queue.armLimit(1);
        queue.resize(50);
        assertThat(device.ring("SRQ").waiting()).isEqualTo(2);
    }

    private void failToResize() {
        post(2);
        device.fail("modify shared receive queue", 1);
        assertThatExceptionOfType(ResourceLimitException.class).isThrownBy(() -> queue.resize(20));
    }
}
