// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.asyncwatch;

import io.verbs4j.types.AsyncEventType;
import java.util.Map;

/// The names of events in `ibv_asyncwatch`. It has no other objects, so only events of ports and devices occur.
final class EventNames {
    private static final Map<AsyncEventType, String> NAMES = Map.of(
            AsyncEventType.DEVICE_FATAL, "DEVICE_FATAL",
            AsyncEventType.PORT_ACTIVE, "PORT_ACTIVE",
            AsyncEventType.PORT_ERROR, "PORT_ERR",
            AsyncEventType.LID_CHANGE, "LID_CHANGE",
            AsyncEventType.PKEY_CHANGE, "PKEY_CHANGE",
            AsyncEventType.SM_CHANGE, "SM_CHANGE",
            AsyncEventType.CLIENT_REREGISTER, "CLIENT_REREGISTER",
            AsyncEventType.GID_CHANGE, "GID_CHANGE",
            AsyncEventType.DEVICE_SPEED_CHANGE, "DEVICE_SPEED_CHANGE");

    private EventNames() {}

    /// Returns the C name, or `unexpected`.
    static String inC(AsyncEventType type) {
        String name = NAMES.get(type);
        return name == null ? "unexpected" : "IBV_EVENT_" + name;
    }
}
