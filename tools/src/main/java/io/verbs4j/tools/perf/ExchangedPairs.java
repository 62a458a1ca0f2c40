// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.GidSelector;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// Queue pairs whose addresses the two programs exchange over TCP.
final class ExchangedPairs implements PerfPairs {
    /// Retries before the connection fails. C's value of 7 means no limit on rxe.
    private static final int RETRIES = 6;
    /// The Q_Key of perftest.
    private static final int QKEY = 0x11111111;

    private final boolean datagrams;
    private final List<PreparedQueuePair> prepared = new ArrayList<>();

    private ExchangedPairs(boolean datagrams) {
        this.datagrams = datagrams;
    }

    static PerfPairs.Factory on(PerfPlan plan, int devicePort, GidSelector gid, Mtu mtu) {
        return (domain, builders, reads) -> {
            var pairs = new ExchangedPairs(plan.connection() == QueuePairType.UD);
            for (int i = 0; i < plan.queuePairs(); i++) {
                QueuePairBuilder builder =
                        builders.get().port(devicePort).gid(gid).pathMtu(mtu).retryCount(RETRIES).qkey(QKEY);
                pairs.prepared.add(
                        plan.connection() == QueuePairType.RC ? builder.readAtomic(reads).prepare()
                                : builder.prepare());
            }
            return pairs;
        };
    }

    @Override
    public GidEntry gid() {
        return prepared.getFirst().gidSelection().entry();
    }

    @Override
    public int lid() {
        return prepared.getFirst().endpoint().lid();
    }

    @Override
    public int number(int pair) {
        return prepared.get(pair).endpoint().queuePairNumber();
    }

    @Override
    public int packetSequenceNumber(int pair) {
        return prepared.get(pair).endpoint().packetSequenceNumber();
    }

    @Override
    public int qkey() {
        return QKEY;
    }

    @Override
    public List<QueuePair> connect(List<PerfAddress> peers) {
        var pairs = new ArrayList<QueuePair>();
        for (int i = 0; i < prepared.size(); i++) {
            PreparedQueuePair own = prepared.get(i);
            PerfAddress peer = peers.get(i);
            pairs.add(
                    datagrams
                            ? own.start()
                            : own.connect(new QueuePairEndpoint(
                                    peer.queuePairNumber(),
                                    peer.packetSequenceNumber(),
                                    peer.gid(),
                                    peer.lid(),
                                    own.endpoint().mtu())));
        }
        return pairs;
    }
}
