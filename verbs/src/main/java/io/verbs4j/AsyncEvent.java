// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.AsyncEventType;
import org.jspecify.annotations.Nullable;

/// An asynchronous event of a verbs object, a port or the device.
///
/// @param type the kind of event
/// @param object the queue pair, completion queue or shared receive queue that the event concerns; null if there is
///     none
/// @param port the port that the event concerns, from 1; 0 if there is none
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html">ibv_get_async_event(3)</a>
public record AsyncEvent(AsyncEventType type, @Nullable VerbsObject object, int port) {
    @Override
    public String toString() {
        return type + (object != null ? " of " + object : "") + (port != 0 ? " of port " + port : "");
    }
}
