// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.InjectedDevices;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests that slabs return to the pool only when the device no longer uses them, even if commands fail.
@Timeout(60)
class RefusingDeviceTest {
    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    /// Error of each command; 0 if the kernel executes commands.
    private final AtomicInteger errno = new AtomicInteger();
    private final Context context = open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(64);
    private final Dispatcher dispatcher = Dispatcher.of(queue, 2);
    private final AsyncQueuePair asynchronous = loop();
    private final WorkScope scope = asynchronous.open();
    private final SlabPool slabs = SlabPool.allocate(domain, 1, 64, Access.LOCAL_WRITE);

    private Context open() {
        var host = network.addHost("refusing", KernelProfile.LINUX_6_12);
        host.addDevice("rxe0");
        Device device = Devices.of(host).getFirst();
        return InjectedDevices.open(
                device,
                FileCalls.of(
                        host.open(device.node()),
                        call -> call.isCommand() && errno.get() != 0 ? Integer.valueOf(-errno.get()) : call.pass()));
    }

    private AsyncQueuePair loop() {
        var prepared = domain.reliableConnection(queue).prepare();
        return AsyncQueuePair.of(dispatcher, prepared.connect(prepared.endpoint()));
    }

    @AfterEach
    void close() {
        errno.set(0);
        asynchronous.close();
        assertThat(slabs.available()).isOne();
        dispatcher.close();
        context.close();
        network.close();
    }

    /// The work request is in the ring before the doorbell fails.
    @Test
    void workWhoseDoorbellFailsIsOutstanding() throws InterruptedException {
        Lease lease = slabs.lease();
        errno.set(Errno.EACCES);
        assertThatThrownBy(() -> scope.post(new SendWorkRequest().send(), lease, 1, _ -> {}))
                .isExactlyInstanceOf(VerbsException.class)
                .hasMessageStartingWith("ring the doorbell of " + asynchronous.queuePair() + " failed: EACCES");
        errno.set(0);
        assertThat(scope.inFlight()).isOne();
        lease.close();
        assertThat(slabs.available()).isZero();
    }

    @Test
    void workIsOutstandingAfterARefusedClose() throws InterruptedException {
        CompletableFuture<CompletionRecord> received = receive();
        errno.set(Errno.EACCES);
        assertThatThrownBy(asynchronous::close).isInstanceOf(VerbsException.class).hasMessageContaining("EACCES");
        assertThat(received).isNotDone();
        assertThat(slabs.available()).isZero();
    }

    /// Polls find no completion, and no error.
    @Test
    void aWaitEndsWhenTheDeviceIsRemoved() throws InterruptedException {
        CompletableFuture<CompletionRecord> never = receive();
        errno.set(Errno.EIO);
        scope.close();
        assertThatThrownBy(never::join).isInstanceOf(CancellationException.class);
        assertThat(slabs.available()).isOne();
    }

    @Test
    void aWaitEndsWhenTheQueueIsClosed() throws InterruptedException {
        CompletableFuture<CompletionRecord> never = receive();
        asynchronous.queuePair().close();
        queue.close();
        scope.close();
        assertThatThrownBy(never::join).isInstanceOf(CancellationException.class);
        assertThatIllegalStateException().isThrownBy(dispatcher::poll);
    }

    /// Posts a receive for which no message arrives, and ends its lease.
    private CompletableFuture<CompletionRecord> receive() throws InterruptedException {
        try (Lease lease = slabs.lease()) {
            return scope.receive(lease);
        }
    }
}
