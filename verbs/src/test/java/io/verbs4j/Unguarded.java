// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.spi.ProviderMemoryRegion;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;

/// The provider's objects behind the API's, for tests of what the API refuses or does beforehand.
public final class Unguarded {
    private Unguarded() {}

    /// The provider's side of a queue pair.
    public static ProviderQueuePair provider(QueuePair queuePair) {
        return queuePair.provider();
    }

    /// Asks the kernel to destroy a queue pair as it is, which it must refuse.
    public static void destroy(QueuePair queuePair) {
        var channel = queuePair.protectionDomain().context().provider().channel();
        DestroyQueuePair.execute(channel, queuePair.provider().handle());
    }

    /// Registers memory without the API's checks.
    public static ProviderMemoryRegion register(ProtectionDomain domain, long address, long length, int access) {
        return domain.context().provider().registerMemory(domain.provider(), address, length, address, access);
    }

    /// Advises the kernel how memory will be used, without asking whether the device takes advice.
    public static void advise(ProtectionDomain domain, int advice, ScatterGatherList ranges) {
        AdviseMemory.execute(
                domain.context().provider().channel(),
                domain.provider().handle(),
                advice,
                AdviseMemory.FLUSH,
                ranges);
    }

    /// Returns the number of a domain's closed address handles that the kernel still has.
    public static int retiredAddressHandles(ProtectionDomain domain) {
        return domain.retiredHandles().count();
    }

    /// Posts an empty datagram to an address handle that the API knows nothing of, and destroys the handle at once.
    public static void sendAndDestroyAddressHandle(QueuePair queuePair, AddressVector path, int peer, int qkey) {
        ProtectionDomain domain = queuePair.protectionDomain();
        var handle = domain.context().provider().createAddressHandle(domain.provider(), path);
        var sends = queuePair.provider().sendOps();
        sends.begin();
        sends.post(SendRequest.of(0, SendFlags.SIGNALED).operation(WorkRequestOpcode.SEND).to(handle, peer, qkey), 0,
                0, 0);
        sends.publish();
        sends.doorbell();
        handle.destroy();
    }

    /// Creates a reliable connection from a queue pair to itself, unknown to the API. The caller destroys it.
    ///
    /// @param gidIndex index of `own`
    public static ProviderQueuePair loop(ProtectionDomain domain, CompletionQueue queue, int gidIndex, Gid own) {
        var queuePair = domain.context()
                .provider()
                .createQueuePair(new QueuePairRequest(
                        domain.provider(),
                        QueuePairType.RC,
                        queue.provider(),
                        queue.provider(),
                        null,
                        new QueuePairCapabilities(16, 16, 1, 1, 0),
                        false,
                        0));
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(0)
                .build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePairNumber(queuePair.number())
                .receivePsn(0)
                .maxDestinationReadAtomic(1)
                .minRnrTimer(12)
                .addressVector(AddressVector.roce(1, gidIndex, own))
                .build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(6)
                .sendPsn(0)
                .maxReadAtomic(1)
                .build());
        return queuePair;
    }

    /// Binds a window through a queue pair that the API knows nothing of, at a key one above its present one.
    public static void bind(
            ProviderQueuePair queuePair, MemoryWindow window, MemoryRegion region, long length, int accessFlags) {
        var sends = queuePair.sendOps();
        sends.begin();
        int key = window.remoteKey();
        sends.post(SendRequest.of(0, SendFlags.SIGNALED)
                .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                .immediateDataOrKey(key)
                .window(key & ~0xff | (key + 1) & 0xff, region.localKey(), region.address(), length)
                .access(accessFlags));
        sends.publish();
        sends.doorbell();
    }
}
