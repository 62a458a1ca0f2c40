// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.InjectedDevices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two threads close the same pool: the second begins while the first deregisters the region.
@Timeout(60)
class ConcurrentClosesTest {
    private static final IntSupplier EXECUTED = () -> 0;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    /// Runs before the next command. If the result is an error number, the kernel refuses the command.
    private final AtomicReference<IntSupplier> beforehand = new AtomicReference<>(EXECUTED);
    private final Context context = open();
    private final SlabPool pool = SlabPool.allocate(
            context.allocateProtectionDomain(), 2, 64, Access.LOCAL_WRITE);

    private Context open() {
        var host = network.addHost("here", KernelProfile.LINUX_6_12);
        host.addDevice("rxe0");
        Device device = Devices.of(host).getFirst();
        return InjectedDevices.open(
                device,
                FileCalls.of(host.open(device.node()), call -> {
                    int errno = call.isCommand() ? beforehand.getAndSet(EXECUTED).getAsInt() : 0;
                    return errno != 0 ? Integer.valueOf(-errno) : call.pass();
                }));
    }

    @AfterEach
    void close() {
        context.close();
        network.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Errno.EPERM})
    void theSecondEndsAfterTheFirstAndRepeatsItIfItWasRefused(int errno) throws Exception {
        Lease lease = pool.lease();
        MemoryRegion region = lease.region();
        lease.close();
        var seconds = new ArrayList<InThread.Started<Boolean>>();
        beforehand.set(() -> {
            var second = InThread.PLATFORM.start(() -> {
                pool.close();
                return region.isClosed();
            });
            seconds.add(second);
            Eventually.until(() -> second.isDone() || second.isWaiting(), second::toString);
            return errno;
        });
        if (errno == 0) {
            pool.close();
        } else {
            assertThatThrownBy(pool::close).isInstanceOf(VerbsException.class).hasMessageContaining("EPERM");
        }
        assertThat(seconds.getFirst().result()).as("the region is closed").isTrue();
        assertThatIllegalStateException().isThrownBy(pool::tryLease).withMessage(pool + " is closed");
    }
}
