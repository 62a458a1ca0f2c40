// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.completion.CreateCompletionChannel;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The simulated kernel accepts the limits of its objects, and refuses the next larger and smaller numbers and short
/// buffers for the driver's response. A provider sends no such commands, so device tests do not reach these checks.
/// Limits whose rings are large are accepted in `QueueLimitsTest`, without a ring.
class SimulatedLimitsTest {
    private final Arena arena = Arena.ofShared();
    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(7);

    @AfterEach
    void close() {
        network.close();
        arena.close();
    }

    private CommandChannel open(Transport transport) {
        var host = network.addHost("host", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        CommandChannel channel = CommandChannel.open(
                host.open(host.devices().getFirst().node()), RdmaDriver.RXE, "rxe0", 2, transport);
        GetContext.execute(channel, DriverData.NONE);
        return channel;
    }

    private DriverData answer(int bytes) {
        return DriverData.out(arena.allocate(bytes, 8));
    }

    private static void accepted(Runnable command) {
        assertThat(CommandResult.errno(command)).isEqualTo(CommandResult.ACCEPTED);
    }

    private static void invalid(Runnable command) {
        assertThat(CommandResult.errno(command)).isEqualTo("EINVAL");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void sharedReceiveQueues(Transport transport) {
        CommandChannel channel = open(transport);
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        accepted(() -> shared(channel, domain, 1, 0, 24));
        accepted(() -> shared(channel, domain, 1, 27, 24));
        invalid(() -> shared(channel, domain, 1, 1, 20));
        invalid(() -> shared(channel, domain, 0, 1, 24));
        invalid(() -> shared(channel, domain, -1, 1, 24));
        invalid(() -> shared(channel, domain, (1 << 20) + 1, 1, 24));
        invalid(() -> shared(channel, domain, 1, 28, 24));
        invalid(() -> shared(channel, domain, 1, -1, 24));
        assertThat(CommandResult.errno(() -> shared(channel, domain + 9, 1, 1, 24))).isEqualTo("ENOENT");

        var created = shared(channel, domain, 5, 2, 24);
        int handle = created.handle();
        int capacity = QuerySharedReceiveQueue.execute(channel, handle).maxWorkRequests();
        assertThat(capacity).isGreaterThanOrEqualTo(5);
        assertThat(QuerySharedReceiveQueue.execute(channel, handle))
                .isEqualTo(new QuerySharedReceiveQueue.Response(capacity, 2, 1));
        int limit = ModifySharedReceiveQueue.LIMIT;
        accepted(() -> ModifySharedReceiveQueue.execute(channel, handle, limit, 0, capacity, driver()));
        assertThat(QuerySharedReceiveQueue.execute(channel, handle).limit()).isEqualTo(capacity);
        invalid(() -> ModifySharedReceiveQueue.execute(channel, handle, limit, 0, capacity + 1, driver()));
        invalid(() -> ModifySharedReceiveQueue.execute(channel, handle, limit, 0, -1, driver()));
        invalid(() -> ModifySharedReceiveQueue.execute(channel, handle, 1, capacity - 1, 0, driver()));
        invalid(() -> ModifySharedReceiveQueue.execute(channel, handle, 1, 0, 0, driver()));
        invalid(() -> ModifySharedReceiveQueue.execute(channel, handle, 1, (1 << 20) + 1, 0, driver()));
        invalid(() -> ModifySharedReceiveQueue.execute(channel, handle, limit, 0, 0, DriverData.in(arena.allocate(4))));
        accepted(() -> ModifySharedReceiveQueue.execute(channel, handle, 1, capacity, 0, driver()));
        accepted(() -> ModifySharedReceiveQueue.execute(channel, handle, limit, 0, 0, driver()));
        accepted(() -> ModifySharedReceiveQueue.execute(channel, handle, 1, 1, 0, driver()));
        assertThat(QuerySharedReceiveQueue.execute(channel, handle).limit()).isZero();
    }

    private CreateSharedReceiveQueue.Response shared(
            CommandChannel channel, int domain, int receives, int elements, int answer) {
        return CreateSharedReceiveQueue.execute(
                channel, new CreateSharedReceiveQueue.Request(domain, 3, receives, elements, 1), answer(answer));
    }

    /// Returns the driver's input: the address for the response about the new ring.
    private DriverData driver() {
        MemorySegment input = arena.allocate(ValueLayout.JAVA_LONG);
        input.set(ValueLayout.JAVA_LONG, 0, arena.allocate(16, 8).address());
        return DriverData.in(input);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void completionQueues(Transport transport) {
        CommandChannel channel = open(transport);
        accepted(() -> completions(channel, 1, 0, 16));
        accepted(() -> completions(channel, 32_767, 1, 16));
        invalid(() -> completions(channel, 0, 0, 16));
        invalid(() -> completions(channel, -1, 0, 16));
        invalid(() -> completions(channel, 32_768, 0, 16));
        invalid(() -> completions(channel, 1, -1, 16));
        invalid(() -> completions(channel, 1, 4096, 16));
        invalid(() -> completions(channel, 1, 0, 12));
        int handle = completions(channel, 5, 0, 16);
        accepted(() -> ResizeCompletionQueue.execute(channel, handle, 1, answer(16)));
        accepted(() -> ResizeCompletionQueue.execute(channel, handle, 32_767, answer(16)));
        invalid(() -> ResizeCompletionQueue.execute(channel, handle, 32_768, answer(16)));
        invalid(() -> ResizeCompletionQueue.execute(channel, handle, 0, answer(16)));
        invalid(() -> ResizeCompletionQueue.execute(channel, handle, 1, answer(12)));
        assertThat(CommandResult.errno(() -> ResizeCompletionQueue.execute(channel, handle + 9, 1, answer(16))))
                .isEqualTo("ENOENT");
    }

    private int completions(CommandChannel channel, int entries, int vector, int answer) {
        return CreateCompletionQueue.execute(
                channel, new CreateCompletionQueue.Request(entries, 3, null, vector, 0), answer(answer)).handle();
    }

    @Test
    void aDeviceFileForgetsClosedChannels() {
        CommandChannel channel = open(Transport.WRITE);
        EventFile closed = CreateCompletionChannel.execute(channel);
        closed.close();
        EventFile open = CreateCompletionChannel.execute(channel);
        assertThat(channel.file().eventFile(open.fileDescriptor())).isSameAs(open);
        assertThat(CommandResult.errno(() -> channel.file().eventFile(closed.fileDescriptor()))).isEqualTo("EBADF");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void queuePairs(Transport transport) {
        CommandChannel channel = open(transport);
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        int queue = completions(channel, 5, 0, 16);
        int[] max = {1 << 20, 1 << 20, 32, 32, 512};
        accepted(() -> pair(channel, domain, queue, 32, 1, 1, 1, 1, 0));
        invalid(() -> pair(channel, domain, queue, 28, 1, 1, 1, 1, 0));
        for (int field = 0; field < max.length; field++) {
            int[] sizes = {1, 1, 1, 1, 0};
            sizes[field] = max[field];
            if (field > 1) { // the others would allocate rings of more than 100 MiB
                accepted(() -> pair(channel, domain, queue, 32, sizes));
            }
            sizes[field]++;
            invalid(() -> pair(channel, domain, queue, 32, sizes));
        }
    }

    private void pair(CommandChannel channel, int domain, int queue, int answer, int... sizes) {
        var capabilities = new QueuePairCapabilities(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]);
        CreateQueuePair.execute(
                channel, new CreateQueuePair.Request(domain, queue, queue, null, 3, QueuePairType.RC, capabilities,
                        false),
                answer(answer));
    }
}
