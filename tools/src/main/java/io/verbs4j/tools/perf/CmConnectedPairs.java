// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.QueuePair;
import io.verbs4j.tools.pairs.CmPairs;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// Queue pairs connected by the connection manager (option `-R`).
record CmConnectedPairs(GidEntry gid, List<QueuePair> pairs, int qkey) implements PerfPairs {
    static PerfPairs.Factory by(CmPairs manager, PerfPlan plan) {
        return (domain, builders, reads) -> {
            var pairs = new ArrayList<QueuePair>();
            boolean datagrams = plan.connection() == QueuePairType.UD;
            var introduction = datagrams ? new DatagramIntroduction(manager, plan, domain) : null;
            for (int i = 0; i < plan.queuePairs(); i++) {
                QueuePair pair = builders.get().create();
                pairs.add(pair);
                if (introduction != null) {
                    introduction.prepare(pair);
                } else {
                    manager.connect(pair, plan.test().operation().isFetching() ? reads : 0, () -> {});
                }
            }
            int qkey = datagrams ? CmPairs.qkey(pairs.getFirst()) : 0;
            return new CmConnectedPairs(manager.source(domain.context()), pairs, qkey);
        };
    }

    @Override
    public int lid() {
        return 0;
    }

    @Override
    public int number(int pair) {
        return pairs.get(pair).number();
    }

    /// Returns 0, because the connection manager exchanges the real number.
    @Override
    public int packetSequenceNumber(int pair) {
        return 0;
    }

    @Override
    public List<QueuePair> connect(List<PerfAddress> peers) {
        return pairs;
    }
}
