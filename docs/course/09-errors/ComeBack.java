// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;

void main() {
    try (var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(16);
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var one = domain.reliableConnection(queue).create();
        var other = domain.reliableConnection(queue).create();

        connect(context, one, other);
        write(one, queue, memory, new RemoteMemory(memory.address(), 64, memory.remoteKey() ^ 0x100));
        connect(context, one, other);
        write(one, queue, memory, memory.remote().slice(1024, 64));
    }
}

void write(QueuePair pair, CompletionQueue queue, MemoryRegion memory, RemoteMemory target) {
    pair.post(new SendWorkRequest().write().local(memory.slice(0, 64)).remote(target).signaled());
    while (queue.poll(1, completion -> IO.println(completion.status())) == 0) {
        Thread.onSpinWait();
    }
}

/// Works in every state, because RESET is permitted from each.
void connect(Context context, QueuePair... pairs) {
    for (QueuePair pair : pairs) {
        pair.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        pair.modify(QueuePairAttributes.builder().state(QueuePairState.INIT).pkeyIndex(0).port(1)
                .accessFlags(Access.mask(Access.REMOTE_WRITE)).build());
    }
    for (int i = 0; i < 2; i++) {
        pairs[i].modify(QueuePairAttributes.builder().state(QueuePairState.RTR)
                .addressVector(AddressVector.roce(1, 1, context.gid(1, 1).gid()))
                .pathMtu(Mtu.MTU_1024).destinationQueuePairNumber(pairs[1 - i].number()).receivePsn(1)
                .maxDestinationReadAtomic(16).minRnrTimer(12).build());
        pairs[i].modify(QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(1)
                .timeout(14).retryCount(6).rnrRetry(6).maxReadAtomic(16).build());
    }
}
