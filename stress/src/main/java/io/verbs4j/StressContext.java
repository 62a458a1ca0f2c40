// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Feature;
import java.util.List;

/// A context without a device, that queues of the API can be made in over any ring: they have their own locks. There
/// are millions of them, so none is closed, and the context forgets them.
public final class StressContext extends ProviderContext {
    private static final Context CONTEXT = Context.of(null, new StressContext());

    private StressContext() {
        super(null, new GetContext.Response(1, 0, null));
    }

    /// A completion queue over a ring.
    public static CompletionQueue completionQueue(ProviderCompletionQueue ring) {
        long handle = 0; // the next one takes its place
        return new CompletionQueue(CONTEXT, List.of(CONTEXT), ring, CompletionQueueOptions.entries(1), handle);
    }

    /// A shared receive queue over a ring.
    public static SharedReceiveQueue receiveQueue(ReceiveQueueOps ring) {
        var domain = new Domain(ring);
        try (var rollback = new Rollback()) {
            SharedReceiveQueue queue = SharedReceiveQueue.of(new ProtectionDomain(CONTEXT, domain), 1, 1, rollback);
            rollback.keep();
            CONTEXT.handles().remove(domain.userHandle);
            return queue;
        }
    }

    /// Carries the ring through the request for a queue, and the handle back.
    private static final class Domain extends ProviderProtectionDomain {
        private final ReceiveQueueOps ring;
        private long userHandle;

        Domain(ReceiveQueueOps ring) {
            super(null, 0);
            this.ring = ring;
        }
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueRequest request) {
        var domain = (Domain) request.domain();
        domain.userHandle = request.userHandle();
        return new ReceiveQueue(domain.ring);
    }

    @Override
    public DeviceAttributes queryDevice() {
        return null;
    }

    @Override
    public String providerName() {
        return "stress";
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
        throw new UnsupportedOperationException();
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        throw new UnsupportedOperationException();
    }

    private static final class ReceiveQueue extends ProviderSharedReceiveQueue {
        private final ReceiveQueueOps ring;

        ReceiveQueue(ReceiveQueueOps ring) {
            super(null, 0);
            this.ring = ring;
        }

        @Override
        public ReceiveQueueOps receiveOps() {
            return ring;
        }

        @Override
        public int number() {
            return 0;
        }

        @Override
        public void resize(int maxWorkRequests) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int destroy() {
            return 0;
        }
    }
}
