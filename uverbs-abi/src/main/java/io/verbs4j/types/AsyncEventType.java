// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Kind of an asynchronous event (`enum ib_event_type`, man ibv_get_async_event(3)).
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IB_EVENT_*`)
public record AsyncEventType(int value) {
    /// A completion queue overflowed; completions were lost.
    public static final AsyncEventType CQ_ERROR = new AsyncEventType(0);

    /// A queue pair failed and is in ERR.
    public static final AsyncEventType QP_FATAL = new AsyncEventType(1);

    /// A queue pair received an invalid request from its peer.
    public static final AsyncEventType QP_REQUEST_ERROR = new AsyncEventType(2);

    /// A queue pair received a request with a wrong key or range.
    public static final AsyncEventType QP_ACCESS_ERROR = new AsyncEventType(3);

    /// The first packet arrived on a queue pair in RTR.
    public static final AsyncEventType COMMUNICATION_ESTABLISHED = new AsyncEventType(4);

    /// The send queue is empty after a transition to SQD.
    public static final AsyncEventType SEND_QUEUE_DRAINED = new AsyncEventType(5);

    /// The alternate path took over.
    public static final AsyncEventType PATH_MIGRATED = new AsyncEventType(6);

    /// The alternate path failed.
    public static final AsyncEventType PATH_MIGRATION_ERROR = new AsyncEventType(7);

    /// The device failed or was removed.
    public static final AsyncEventType DEVICE_FATAL = new AsyncEventType(8);

    /// A port's link came up.
    public static final AsyncEventType PORT_ACTIVE = new AsyncEventType(9);

    /// A port's link went down.
    public static final AsyncEventType PORT_ERROR = new AsyncEventType(10);

    /// A port's LID changed.
    public static final AsyncEventType LID_CHANGE = new AsyncEventType(11);

    /// A port's P_Key table changed.
    public static final AsyncEventType PKEY_CHANGE = new AsyncEventType(12);

    /// A port's subnet manager changed.
    public static final AsyncEventType SM_CHANGE = new AsyncEventType(13);

    /// A shared receive queue failed.
    public static final AsyncEventType SRQ_ERROR = new AsyncEventType(14);

    /// A shared receive queue has fewer receives than its armed limit. The event disarms the limit.
    public static final AsyncEventType SRQ_LIMIT_REACHED = new AsyncEventType(15);

    /// A queue pair in ERR took its last receive from a shared receive queue.
    public static final AsyncEventType QP_LAST_WQE_REACHED = new AsyncEventType(16);

    /// The subnet manager requests clients to register again.
    public static final AsyncEventType CLIENT_REREGISTER = new AsyncEventType(17);

    /// A port's GID table changed.
    public static final AsyncEventType GID_CHANGE = new AsyncEventType(18);

    /// A receive work queue failed.
    public static final AsyncEventType WQ_FATAL = new AsyncEventType(19);

    /// The speed of a device's links changed.
    public static final AsyncEventType DEVICE_SPEED_CHANGE = new AsyncEventType(20);

    private static final CodeNames NAMES = new CodeNames("CQ_ERROR", "QP_FATAL", "QP_REQUEST_ERROR", "QP_ACCESS_ERROR",
            "COMMUNICATION_ESTABLISHED", "SEND_QUEUE_DRAINED", "PATH_MIGRATED", "PATH_MIGRATION_ERROR", "DEVICE_FATAL",
            "PORT_ACTIVE", "PORT_ERROR", "LID_CHANGE", "PKEY_CHANGE", "SM_CHANGE", "SRQ_ERROR", "SRQ_LIMIT_REACHED",
            "QP_LAST_WQE_REACHED", "CLIENT_REREGISTER", "GID_CHANGE", "WQ_FATAL", "DEVICE_SPEED_CHANGE");

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return NAMES.known(value);
    }

    @Override
    public String toString() {
        return NAMES.name(value);
    }
}
