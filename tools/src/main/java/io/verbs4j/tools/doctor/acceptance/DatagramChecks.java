// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static io.verbs4j.tools.doctor.acceptance.Peer.request;
import static io.verbs4j.tools.doctor.acceptance.Peer.require;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionRecord;
import io.verbs4j.GidSelection;
import io.verbs4j.GidSelector;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.QueuePairType;

/// Checks the two transports that may lose messages: unreliable connections and datagrams. Between two queue pairs of
/// one device, they lose none.
record DatagramChecks(Bench bench, Checklist list) {
    private static final int LENGTH = 500;
    private static final int IMMEDIATE = 0x0506_0708;
    private static final int QKEY = 0x1234_5678;

    void run() {
        list.optional("UC: send", this::sendUnreliably);
        list.optional("UC: RDMA write with immediate data", this::writeUnreliably);
        list.optional("UD: send to an address handle", this::datagrams);
    }

    private String sendUnreliably() throws InterruptedException {
        try (Pair pair = bench.pair(QueuePairType.UC, builder -> builder)) {
            pair.prepare(0, LENGTH, 1);
            pair.right().receive(1, 0, LENGTH);
            pair.left().post(request(2).send().local(pair.left().memory(), 0, LENGTH));
            pair.left().success(2, CompletionOpcode.SEND);
            pair.right().success(1, CompletionOpcode.RECEIVE);
            pair.requireSame(0, LENGTH);
        }
        return "";
    }

    private String writeUnreliably() throws InterruptedException {
        try (Pair pair = bench.pair(QueuePairType.UC, builder -> builder)) {
            pair.prepare(0, LENGTH, 2);
            pair.right().receive(1, 0, 0);
            pair.left()
                    .post(request(2).write()
                            .immediate(IMMEDIATE)
                            .local(pair.left().memory(), 0, LENGTH)
                            .remote(pair.right().memory().remote()));
            pair.left().success(2, CompletionOpcode.RDMA_WRITE);
            CompletionRecord received = pair.right().success(1, CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
            require(received.immediateData() == IMMEDIATE, received.toString());
            pair.requireSame(0, LENGTH);
        }
        return "";
    }

    private String datagrams() throws InterruptedException {
        try (
                Pair pair = bench.pair(QueuePairType.UD, builder -> builder.qkey(QKEY));
                AddressHandle handle = bench.domain().createAddressHandle(toItself())) {
            pair.prepare(GlobalRouteHeader.BYTES, LENGTH, 3);
            pair.right().receive(1, 0, GlobalRouteHeader.BYTES + LENGTH);
            pair.left()
                    .post(new SendWorkRequest().to(handle, pair.right().queuePair().number(), QKEY)
                            .signaled()
                            .workRequestId(2)
                            .send()
                            .local(pair.left().memory(), GlobalRouteHeader.BYTES, LENGTH));
            pair.left().success(2, CompletionOpcode.SEND);
            CompletionRecord received = pair.right().success(1, CompletionOpcode.RECEIVE);
            require(
                    received.byteLength() == GlobalRouteHeader.BYTES + LENGTH
                            && received.sourceQueuePairNumber() == pair.left().queuePair().number(),
                    "unexpected datagram: " + received);
            pair.requireSame(GlobalRouteHeader.BYTES, LENGTH);
        }
        return "";
    }

    private AddressVector toItself() {
        GidSelection own = GidSelector.automatic().select(bench.context(), bench.port());
        PortAttributes port = bench.context().port(bench.port());
        int lid = port.linkLayer().equals(LinkLayer.ETHERNET) ? 0 : port.lid();
        AddressVector path = AddressVector.roce(bench.port(), own.entry().index(), own.entry().gid());
        return new AddressVector(
                path.destinationGid(),
                path.sourceGidIndex(),
                path.flowLabel(),
                path.hopLimit(),
                path.trafficClass(),
                path.serviceLevel(),
                path.port(),
                lid);
    }
}
