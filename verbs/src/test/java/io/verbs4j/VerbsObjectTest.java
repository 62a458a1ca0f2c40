// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Dependencies between objects: creations and closes that fail or cross each other. Each test ends by closing the
/// context in another thread, which would wait for a lock that a failure has left.
@Timeout(60)
class VerbsObjectTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("here", KernelProfile.LINUX_6_12);
    private final Context context;
    private final ProtectionDomain domain;

    VerbsObjectTest() {
        host.addDevice("rxe0");
        context = Devices.of(host).getFirst().open();
        domain = context.allocateProtectionDomain();
    }

    @AfterEach
    void close() throws Exception {
        inThread(() -> {
            context.close();
            network.close();
        });
    }

    private static void inThread(Runnable action) throws Exception {
        InThread.PLATFORM.run(action, LIMIT);
    }

    private static void assertRefused(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(text);
    }

    @Test
    void aCreationThatFailsLeavesNothing() throws Exception {
        var failure = new IllegalArgumentException("not valid");
        var undone = new ArrayList<String>();
        assertThatThrownBy(() -> VerbsObject.create(List.of(domain, domain), rollback -> {
            rollback.add(() -> undone.add("part"));
            throw failure;
        })).isSameAs(failure);
        assertThat(undone).containsExactly("part");
        inThread(domain::close);
        assertThat(domain.isClosed()).isTrue();
        assertRefused(() -> domain.allocate(1), domain + " is closed");
        assertRefused(() -> VerbsObject.create(List.of(context, domain), _ -> {
            throw failure;
        }), domain + " is closed");
    }

    @Test
    void nothingIsClosedThatIsUsedInACreation() throws Exception {
        MemoryRegion region = VerbsObject.create(List.of(domain), _ -> {
            assertRefused(domain::close, domain + " is being used to create another object");
            return domain.allocate(8);
        });
        assertRefused(domain::close, domain + " is still used by " + region);
        inThread(region::close);
        inThread(domain::close);
    }

    @Test
    void objectsOfAnotherContextAreRefused() throws Exception {
        try (Context other = Devices.of(host).getFirst().open()) {
            ProtectionDomain foreign = other.allocateProtectionDomain();
            assertThatThrownBy(() -> VerbsObject.create(List.of(domain, foreign), _ -> domain.allocate(8)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(foreign + " belongs to another context");
            inThread(domain::close);
            inThread(foreign::close);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 9, 11})
    void aRefusedCloseNamesUpToEightUsers(int count) throws Exception {
        var regions = new ArrayList<MemoryRegion>();
        for (int i = 0; i < count; i++) {
            regions.add(domain.allocate(8));
        }
        assertThat(domain.dependents()).isEqualTo(regions);
        String names = regions.stream().limit(8).map(MemoryRegion::toString).collect(Collectors.joining(", "));
        assertRefused(
                domain::close,
                domain + " is still used by " + names + (count > 8 ? ", and " + (count - 8) + " more" : ""));
        assertThat(domain.isClosed()).isFalse();
        for (MemoryRegion region : regions) {
            region.close();
            region.close();
        }
        assertThat(domain.dependents()).isEmpty();
        inThread(domain::close);
    }

    /// Creates a region, in the midst of which it waits.
    private InThread.Started<MemoryRegion> creation(CountDownLatch begun, CountDownLatch end) {
        return InThread.PLATFORM.start(() -> VerbsObject.create(List.of(domain), _ -> {
            MemoryRegion region = domain.allocate(8);
            begun.countDown();
            try {
                assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return region;
        }));
    }

    @Test
    void aStopWaitsForCreations() throws Exception {
        var begun = new CountDownLatch(2);
        var ends = List.of(new CountDownLatch(1), new CountDownLatch(1));
        var creations = ends.stream().map(end -> creation(begun, end)).toList();
        begun.await();
        var stop = InThread.PLATFORM.start(() -> {
            context.stopCreations();
            return true;
        });
        for (int i = 0; i < 2; i++) {
            while (!stop.isWaiting()) {
                Thread.onSpinWait();
            }
            Thread.sleep(10);
            assertThat(stop.isDone()).isFalse();
            ends.get(i).countDown();
            creations.get(i).result(LIMIT);
        }
        assertThat(stop.result(LIMIT)).isTrue();
        context.stopCreations();
        for (int i = 0; i < 2; i++) {
            assertRefused(() -> domain.allocate(8), context + " is closed");
            context.resumeCreations();
        }
        inThread(() -> domain.allocate(8));
    }

    @Test
    void aDependencyIsReplacedIfTheCommandSucceeds() throws Exception {
        ProtectionDomain other = context.allocateProtectionDomain();
        MemoryRegion region = domain.allocate(8);
        var commands = new ArrayList<String>();
        region.changeDependency(domain, domain, () -> commands.add("same"));
        var failure = new IllegalArgumentException("refused");
        assertThatThrownBy(() -> region.changeDependency(domain, other, () -> {
            assertRefused(other::close, other + " is still used by " + region);
            throw failure;
        })).isSameAs(failure);
        assertThat(domain.dependents()).isEqualTo(List.of(region));
        assertThat(other.dependents()).isEmpty();
        region.changeDependency(domain, other, () -> commands.add("other"));
        assertThat(commands).containsExactly("same", "other");
        assertThat(domain.dependents()).isEmpty();
        assertRefused(other::close, other + " is still used by " + region);
        assertThatThrownBy(domain::close).as("the kernel's answer")
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        assertThat(domain.isUsable()).isTrue();
        inThread(() -> domain.allocate(8).close());
        region.close();
        assertRefused(() -> region.changeDependency(other, other, () -> {}), region + " is closed");
        inThread(other::close);
        inThread(domain::close);
        assertThat(domain.isClosed()).isTrue();
    }

    @Test
    void aCommandDelaysTheClose() throws Exception {
        MemoryRegion region = domain.allocate(8);
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var command = InThread.PLATFORM.start(() -> region.whileOpen(() -> {
            begun.countDown();
            try {
                return end.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        begun.await();
        var closes = List.of(close(region), close(region));
        for (var close : closes) {
            while (!close.isWaiting()) {
                Thread.onSpinWait();
            }
        }
        assertThat(region.isClosed()).isFalse();
        assertThat(region.isUsable()).isFalse();
        assertRefused(() -> region.whileOpen(() -> 1), region + " is closed");
        end.countDown();
        assertThat(command.result(LIMIT)).isTrue();
        for (var close : closes) {
            assertThat(close.result(LIMIT)).isTrue();
        }
        assertThat(region.isClosed()).isTrue();
    }

    private static InThread.Started<Boolean> close(VerbsObject object) {
        return InThread.PLATFORM.start(() -> {
            object.close();
            return object.isClosed();
        });
    }
}
