// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.events;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.types.AsyncEventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Takes the events of a context, and remembers all of them for the message if one is missing.
record ExpectedEvents(Context context, List<AsyncEvent> taken) {
    /// Long enough for an event that the kernel has on its way when a command returns.
    private static final Duration AFTER = Duration.ofMillis(300);

    static ExpectedEvents of(Context context) {
        return new ExpectedEvents(context, new ArrayList<>());
    }

    /// The next event of a type; others before it are passed over.
    AsyncEvent next(AsyncEventType type) throws InterruptedException {
        long deadline = System.nanoTime() + Eventually.LIMIT.toNanos();
        while (true) {
            AsyncEvent event = context.asyncEvents()
                    .take(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            if (event == null) {
                throw new AssertionError("no " + type + " came; so far: " + taken);
            }
            taken.add(event);
            if (event.type().equals(type)) {
                return event;
            }
        }
    }

    /// All events that have happened, or do within a moment.
    List<AsyncEvent> rest() throws InterruptedException {
        var rest = new ArrayList<AsyncEvent>();
        for (AsyncEvent event; (event = context.asyncEvents().take(AFTER)) != null;) {
            rest.add(event);
        }
        return rest;
    }
}
