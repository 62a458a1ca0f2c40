// SPDX-License-Identifier: Apache-2.0
package peers;

import io.verbs4j.SendWorkRequest;
import io.verbs4j.async.AsyncQueuePair;
import io.verbs4j.async.Dispatcher;
import io.verbs4j.async.Lease;
import io.verbs4j.async.SlabPool;
import io.verbs4j.async.WorkScope;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.types.Access;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Future;

/// Calls by sends and receives with a future for each result. The server answers in handlers.
final class AsyncCalls implements Calls.Library {
    private static final int SLABS = 32;
    private static final SendWorkRequest SEND = new SendWorkRequest().send();

    private final WorkScope scope;
    private final SlabPool pool;

    AsyncCalls(InetSocketAddress address) throws InterruptedException {
        var options = ConnectionOptions.defaults().withQueues(2 * SLABS, 2 * SLABS);
        RdmaServer server = RdmaServer.listen(address, options.withPreparation(AsyncCalls::serve));
        Thread.ofPlatform().daemon().start(() -> {
            try {
                server.accept();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        RdmaConnection client = RdmaConnection.connect(address, options);
        scope = scope(client);
        pool = SlabPool.allocate(client.protectionDomain(), 2 * SLABS, Calls.BYTES, Access.LOCAL_WRITE);
    }

    private static WorkScope scope(RdmaConnection connection) {
        var dispatcher = Dispatcher.start(connection.completionQueue(), 4 * SLABS);
        return AsyncQueuePair.of(dispatcher, connection.queuePair()).open();
    }

    private static void serve(RdmaConnection connection) {
        WorkScope scope = scope(connection);
        var slabs = SlabPool.allocate(connection.protectionDomain(), SLABS, Calls.BYTES, Access.LOCAL_WRITE);
        for (int i = 0; i < SLABS; i++) {
            serve(scope, slabs.tryLease());
        }
    }

    private static void serve(WorkScope scope, Lease slab) {
        scope.receive(slab, received -> {
            if (received.isSuccess()) {
                scope.post(SEND, slab, Calls.BYTES, sent -> serve(scope, slab));
            }
        });
    }

    @Override
    public void call(int calls, int window) throws Exception {
        Queue<Future<?>> results = new ArrayDeque<>();
        for (int i = 0; i < calls; i++) {
            if (results.size() == window) {
                results.remove().get();
            }
            try (Lease argument = pool.lease(); Lease result = pool.lease()) {
                results.add(scope.receive(result));
                scope.post(SEND, argument, Calls.BYTES, sent -> {});
            }
        }
        for (Future<?> result : results) {
            result.get();
        }
    }
}
