// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Context;
import io.verbs4j.async.AsyncQueuePair;
import io.verbs4j.async.Dispatcher;
import io.verbs4j.async.Lease;
import io.verbs4j.async.Message;
import io.verbs4j.async.MessageChannel;
import io.verbs4j.async.SlabPool;
import io.verbs4j.types.Access;
import java.lang.foreign.ValueLayout;

/// Messages over a channel between two queue pairs of one device, in one thread.
final class ChannelRounds implements AutoCloseable {
    private static final int WINDOW = 8;

    private final Dispatcher dispatcher;
    private final SlabPool pool;
    private final MessageChannel here;
    private final MessageChannel there;

    private ChannelRounds(Dispatcher dispatcher, SlabPool pool, MessageChannel here, MessageChannel there) {
        this.dispatcher = dispatcher;
        this.pool = pool;
        this.here = here;
        this.there = there;
    }

    static ChannelRounds open(Context context) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(256);
        var dispatcher = Dispatcher.of(queue, 128);
        var pool = SlabPool.allocate(domain, 64, 64, Access.LOCAL_WRITE);
        var left = domain.reliableConnection(queue).rnrRetry(0).prepare();
        var right = domain.reliableConnection(queue).rnrRetry(0).prepare();
        var endpoint = left.endpoint();
        var leftPair = left.connect(right.endpoint());
        var rightPair = right.connect(endpoint);
        return new ChannelRounds(
                dispatcher,
                pool,
                MessageChannel.open(AsyncQueuePair.of(dispatcher, leftPair), pool, WINDOW),
                MessageChannel.open(AsyncQueuePair.of(dispatcher, rightPair), pool, WINDOW));
    }

    /// Sends so many messages, a window at a time, and takes each.
    void run(int count) {
        int sent = 0;
        int received = 0;
        while (received < count) {
            while (sent < count && send(sent)) {
                sent++;
            }
            dispatcher.poll();
            for (Message message = there.tryReceive(); message != null; message = there.tryReceive()) {
                if (message.buffer().get(ValueLayout.JAVA_INT, 0) != received++) {
                    throw new IllegalStateException(message.toString());
                }
                message.close();
            }
        }
    }

    private boolean send(int number) {
        Lease lease = pool.tryLease();
        if (lease == null) {
            return false;
        }
        lease.segment().set(ValueLayout.JAVA_INT, 0, number);
        boolean sent = here.trySend(lease, Integer.BYTES);
        lease.close();
        return sent;
    }

    @Override
    public void close() {
        here.close();
        there.close();
        pool.close();
        dispatcher.close();
    }
}
