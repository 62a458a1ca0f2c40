// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Context;
import io.verbs4j.cm.IncomingMessage;
import io.verbs4j.cm.Messages;
import io.verbs4j.cm.OutgoingMessage;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Messages between two queue pairs of one device, in one thread.
final class MessageRounds implements AutoCloseable {
    /// So many at a time: on one processor each change between this thread and the kernel's takes milliseconds.
    private static final int COUNT = 64;
    private static final int QUEUE = COUNT + 2;
    private static final int BYTES = 64;

    private final Messages here;
    private final Messages there;

    private MessageRounds(Messages here, Messages there) {
        this.here = here;
        this.there = there;
    }

    static MessageRounds open(Context context) {
        var domain = context.allocateProtectionDomain();
        var leftQueue = context.createCompletionQueue(2 * QUEUE);
        var rightQueue = context.createCompletionQueue(2 * QUEUE);
        var left = domain.reliableConnection(leftQueue).maxSends(QUEUE).maxReceives(QUEUE).rnrRetry(0).prepare();
        var right = domain.reliableConnection(rightQueue).maxSends(QUEUE).maxReceives(QUEUE).rnrRetry(0).prepare();
        var endpoint = left.endpoint();
        var leftPair = left.connect(right.endpoint());
        var rightPair = right.connect(endpoint);
        return new MessageRounds(
                Messages.over(leftPair, leftQueue, COUNT, BYTES), Messages.over(rightPair, rightQueue, COUNT, BYTES));
    }

    /// Sends so many messages, as many at a time as the other end has room for, and takes each.
    void run(int count) {
        int sent = 0;
        int received = 0;
        try {
            while (received < count) {
                while (sent < count && send(sent)) {
                    sent++;
                }
                for (IncomingMessage message = next(); message != null; message = next()) {
                    if (message.segment().get(ValueLayout.JAVA_INT, 0) != received++) {
                        throw new IllegalStateException(message.toString());
                    }
                    message.close();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean send(int number) throws InterruptedException {
        OutgoingMessage message = here.compose(Duration.ZERO);
        if (message == null) {
            return false;
        }
        message.segment().set(ValueLayout.JAVA_INT, 0, number);
        message.send(Integer.BYTES);
        return true;
    }

    private @Nullable IncomingMessage next() throws InterruptedException {
        return there.take(Duration.ZERO);
    }

    @Override
    public void close() {
        here.close();
        there.close();
    }
}
