// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;
import java.util.*;

static final int QKEY = 0x11111111;

void main() throws Exception {
    try (var context = Devices.open("rxe0")) {
        var queue = context.createCompletionQueue(16);
        var domain = context.allocateProtectionDomain();
        var memory = domain.allocate(4096, Access.LOCAL_WRITE);
        var prepared = domain.datagram(queue).qkey(QKEY).prepare();
        try (var batch = prepared.beginReceive()) {
            batch.workRequestId(100).receive(memory, 1024, GlobalRouteHeader.BYTES + 64);
            batch.workRequestId(101).receive(memory, 2048, GlobalRouteHeader.BYTES + 64);
            batch.submit();
        }
        var pair = prepared.start();
        var handle = domain.createAddressHandle(AddressVector.roce(1, 1, prepared.endpoint().gid()));
        var datagram = new SendWorkRequest().send().local(memory.slice(0, 64)).signaled();

        pair.post(datagram.workRequestId(1).to(handle, pair.number(), QKEY + 1));
        pair.post(datagram.workRequestId(2).to(handle, pair.number(), QKEY));
        var found = new TreeMap<Long, CompletionStatus>(); // sends and receives complete in any order
        while (found.size() < 3) {
            queue.poll(1, completion -> found.put(completion.workRequestId(), completion.status()));
        }
        IO.println(found);
        Thread.sleep(100);
        IO.println("more completions: " + queue.poll(16, completion -> IO.println(completion)));
    }
}
