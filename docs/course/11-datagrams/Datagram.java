// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;

static final int QKEY = 0x11111111;

void main() {
    try (var left = Devices.open("rxe0");
            var right = Devices.open("rxe1")) {
        var leftQueue = left.createCompletionQueue(16);
        var rightQueue = right.createCompletionQueue(16);
        var leftDomain = left.allocateProtectionDomain();
        var rightDomain = right.allocateProtectionDomain();
        var leftMemory = leftDomain.allocate(4096, Access.LOCAL_WRITE);
        var rightMemory = rightDomain.allocate(4096, Access.LOCAL_WRITE);
        var one = leftDomain.datagram(leftQueue).qkey(QKEY).prepare();
        var other = rightDomain.datagram(rightQueue).qkey(QKEY).prepare();
        receive(one, leftMemory);
        receive(other, rightMemory);
        var asker = one.start();
        var answerer = other.start();

        // The path to the peer is known beforehand: our GID 1, and the peer's GID.
        var handle = leftDomain.createAddressHandle(AddressVector.roce(1, 1, other.endpoint().gid()));
        leftMemory.segment().setString(0, "who is there?");
        asker.post(new SendWorkRequest().send().local(leftMemory.slice(0, 64)).to(handle, answerer.number(), QKEY));
        var question = next(rightQueue);
        IO.println("%d bytes from qp#%d: %s".formatted(question.byteLength(), question.sourceQueuePairNumber(),
                rightMemory.segment().getString(1024 + GlobalRouteHeader.BYTES)));

        // The path back is in the 40 bytes in front of the payload.
        var header = GlobalRouteHeader.read(question, rightMemory.segment(), 1024);
        IO.println("from %s to %s".formatted(header.sourceGid(), header.destinationGid()));
        var back = rightDomain.createAddressHandle(header, 1);
        rightMemory.segment().setString(0, "a datagram");
        answerer.post(new SendWorkRequest().send().local(rightMemory.slice(0, 64))
                .to(back, question.sourceQueuePairNumber(), QKEY));
        var answer = next(leftQueue);
        IO.println("%d bytes from qp#%d: %s".formatted(answer.byteLength(), answer.sourceQueuePairNumber(),
                leftMemory.segment().getString(1024 + GlobalRouteHeader.BYTES)));
    }
}

void receive(PreparedQueuePair pair, MemoryRegion memory) {
    try (var batch = pair.beginReceive()) {
        batch.receive(memory, 1024, GlobalRouteHeader.BYTES + 64);
        batch.submit();
    }
}

CompletionRecord next(CompletionQueue queue) {
    var found = new java.util.ArrayList<CompletionRecord>();
    while (queue.poll(1, completion -> found.add(completion.toRecord())) == 0) {
        Thread.onSpinWait();
    }
    return found.getFirst();
}
