// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Feature;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// A context closes completely while other threads create objects in it, in a time proportional to the number of
/// objects.
class ContextCloseTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String REGISTERED = "register memory";
    private static final int MANY = 80_000;
    private static final int FEW = MANY / 8;
    private static final int ROUNDS = 3;

    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(FileCalls.oneAtATime(device));

    @AfterEach
    void free() {
        device.free();
    }

    @RepeatedTest(20)
    void leavesNothingOfWhatOtherThreadsMakeInThatTime() throws Exception {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(4);
        var made = new AtomicInteger();
        List<InThread.Started<Boolean>> makers = List.of(
                keepMaking(context::allocateProtectionDomain, made),
                keepMaking(() -> context.createCompletionQueue(4), made),
                keepMaking(() -> domain.allocate(8, Access.LOCAL_WRITE), made),
                keepMaking(() -> domain.reliableConnection(queue).create(), made),
                keepMaking(() -> domain.createSharedReceiveQueue(4, 1), made));
        Eventually.until(LIMIT, () -> made.get() > 10, () -> made + " made");

        context.close();

        for (var maker : makers) {
            assertThat(maker.result(LIMIT)).as("was refused in the end").isTrue();
        }
        assertThat(context.isClosed()).isTrue();
        assertThat(device.left()).isEmpty();
    }

    private static InThread.Started<Boolean> keepMaking(Supplier<? extends VerbsObject> creation, AtomicInteger made) {
        return InThread.PLATFORM.start(() -> {
            try {
                long start = System.nanoTime();
                while (System.nanoTime() - start < LIMIT.toNanos()) {
                    creation.get();
                    made.incrementAndGet();
                }
                return false;
            } catch (IllegalStateException e) {
                return true;
            }
        });
    }

    @Test
    void waitsForWhatIsBeingMade() throws Exception {
        var domain = context.allocateProtectionDomain();
        var closers = new ArrayList<InThread.Started<Boolean>>();
        var unguarded = new FakeDevice();
        var other = InjectedDevices.open(unguarded);
        var otherDomain = other.allocateProtectionDomain();
        unguarded.after(REGISTERED, () -> {
            var closer = InThread.PLATFORM.start(() -> {
                other.close();
                return other.isClosed();
            });
            Eventually.until(LIMIT, () -> closer.isDone() || closer.isWaiting(), closer::toString);
            assertThatIllegalStateException().isThrownBy(other::allocateProtectionDomain)
                    .withMessageContaining("closed");
            closers.add(closer);
        });

        otherDomain.allocate(8, Access.LOCAL_WRITE);

        assertThat(closers.getFirst().result(LIMIT)).isTrue();
        assertThat(unguarded.left()).isEmpty();
        unguarded.free();
        assertThat(domain.isClosed()).as("another context").isFalse();
        context.close();
    }

    @Test
    void makesObjectsAgainAfterACloseThatWasRefused() {
        var queue = context.createCompletionQueue(4);
        try (var batch = queue.beginPoll()) {
            assertThatIllegalStateException().isThrownBy(context::close).withMessageContaining("batch of completions");
            assertThat(batch.next()).isFalse();
        }
        context.allocateProtectionDomain().close();
        context.close();
        assertThat(device.left()).isEmpty();
    }

    /// A provider may have mapped the device's memory. A mapping would prevent the device's removal.
    @Test
    void aFailedOpeningReleasesTheResourcesOfTheProvider() {
        var other = new FakeDevice();
        var provider = new UnqueryableContext(other.channel(Transport.NATIVE_IOCTL));

        assertThatIllegalStateException().isThrownBy(() -> Context.of(context.device(), provider))
                .withMessage("no query")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("no close"));

        assertThat(provider.closed).isTrue();
        assertThat(other.left()).isEmpty();
        other.free();
    }

    private static final class UnqueryableContext extends ProviderContext {
        private boolean closed;

        UnqueryableContext(CommandChannel channel) {
            super(channel, GetContext.execute(channel, DriverData.NONE));
        }

        @Override
        public DeviceAttributes queryDevice() {
            throw new IllegalStateException("no query");
        }

        @Override
        public void close() {
            closed = true;
            throw new IllegalStateException("no close");
        }

        @Override
        public String providerName() {
            return "none";
        }

        @Override
        public boolean supports(Feature feature) {
            return false;
        }

        @Override
        public int maxInlineData() {
            return 0;
        }

        @Override
        public ProviderAddressHandle createAddressHandle(ProviderProtectionDomain domain, AddressVector path) {
            throw new AssertionError(path);
        }

        @Override
        public ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
            throw new AssertionError(request);
        }

        @Override
        public ProviderSharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueRequest request) {
            throw new AssertionError(request);
        }

        @Override
        public ProviderQueuePair createQueuePair(QueuePairRequest request) {
            throw new AssertionError(request);
        }
    }

    /// With eight times as many regions, a close that searches a list for each takes more than 64 times as long,
    /// because a long list no longer fits into the processor's caches. For the same reason, a close without such a
    /// search takes up to 21 times as long.
    @Test
    void closesManyRegionsInTimeThatGrowsWithTheirNumber() {
        context.close();
        long few = Long.MAX_VALUE;
        long many = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            few = Math.min(few, closingNanos(FEW));
            many = Math.min(many, closingNanos(MANY));
        }
        assertThat((double) many / few).as("%d ns for %d, %d ns for %d", few, FEW, many, MANY).isLessThan(40);
    }

    private static long closingNanos(int regions) {
        var device = new FakeDevice();
        var context = InjectedDevices.open(device);
        var domain = context.allocateProtectionDomain();
        try (Arena arena = Arena.ofShared()) {
            var memory = arena.allocate(8);
            for (int i = 0; i < regions; i++) {
                domain.register(memory);
            }
            long start = System.nanoTime();
            context.close();
            long nanos = System.nanoTime() - start;
            assertThat(device.left()).isEmpty();
            return nanos;
        } finally {
            device.free();
        }
    }
}
