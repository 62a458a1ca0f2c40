// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/// Rings in simulated memory, for tests. Each instance has its own arena, a shared one like that of a mapping.
final class Rings implements AutoCloseable {
    /// Limits of the simulated queue pair: the largest that the kernel grants.
    static final int MAX_SGE = 32;

    static final int MAX_INLINE = 512;
    static final long MAX_MESSAGE = 1L << 31;
    static final int MTU = 1024;
    static final int DOMAIN = 3;

    /// A slot for 208 + 512 bytes.
    static final int SEND_SHIFT = 10;

    /// A slot for 40 + 32 * 16 bytes.
    static final int RECEIVE_SHIFT = 10;

    /// The kernel's `struct rxe_cqe` of 72 bytes, rounded up.
    static final int COMPLETION_SHIFT = 7;

    static final long ALL_CAPABILITIES =
            DeviceAttributes.FLUSH_GLOBAL | DeviceAttributes.FLUSH_PERSISTENT | DeviceAttributes.ATOMIC_WRITE;

    private final Arena arena = Arena.ofShared();
    private final List<FakeRing> memories = new ArrayList<>();

    Arena arena() {
        return arena;
    }

    FakeRing sendMemory(int slots, int start) {
        return memory(slots, SEND_SHIFT, start);
    }

    FakeRing receiveMemory(int slots, int start) {
        return memory(slots, RECEIVE_SHIFT, start);
    }

    FakeRing completionMemory(int slots, int start) {
        return memory(slots, COMPLETION_SHIFT, start);
    }

    /// Memory of a ring with any distance between its slots.
    FakeRing memory(int slots, int shift, int start) {
        FakeRing memory = FakeRing.empty(arena, slots, shift, start);
        memories.add(memory);
        return memory;
    }

    SendRing send(FakeRing fake, QueuePairType type) {
        return send(fake, type, ALL_CAPABILITIES);
    }

    SendRing send(FakeRing fake, QueuePairType type, long capabilities) {
        return new SendRing(
                fake.memory(),
                new RxeSendLimits(type, MAX_SGE, MAX_INLINE, MAX_MESSAGE, capabilities, DOMAIN),
                MTU,
                () -> 0);
    }

    ReceiveRing receive(FakeRing fake) {
        return new ReceiveRing(fake.memory(), MAX_SGE, "receive queue");
    }

    CompletionRing completion(FakeRing fake) {
        return new CompletionRing(fake.memory());
    }

    /// An address handle of the queue pair's domain.
    RxeAddressHandle handle(int number) {
        return handle(DOMAIN, number);
    }

    RxeAddressHandle handle(int domain, int number) {
        return new RxeAddressHandle(channel(), 1, domain, number);
    }

    /// A channel that sends nothing.
    CommandChannel channel() {
        return CommandChannel.open(NO_FILE, 14, "rxe0", 2, Transport.NATIVE_IOCTL);
    }

    /// Closes the memory. The memory around it must be unchanged.
    @Override
    public void close() {
        try (arena) {
            memories.forEach(FakeRing::assertGuardsUntouched);
        }
    }

    /// A device file on which only closing is allowed.
    private static final DeviceFile NO_FILE = (DeviceFile) Proxy.newProxyInstance(
            DeviceFile.class.getClassLoader(), new Class<?>[]{DeviceFile.class}, (_, method, _) -> {
                if (!method.getName().equals("close")) {
                    throw new AssertionError(method);
                }
                return null;
            });
}
