// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// Order in which [Context#close()] closes objects: each kind declares its position. The kernel refuses to destroy an
/// object in use (`EBUSY`), so an object is closed before the objects that it depends on.
enum ClosingOrder {
    /// Memory windows are closed before the queue pairs through which they are bound ([BoundWindows]).
    MEMORY_WINDOW,
    QUEUE_PAIR,
    /// Address handles are closed after the queue pairs, whose datagrams refer to the handles.
    ADDRESS_HANDLE,
    SHARED_RECEIVE_QUEUE,
    COMPLETION_QUEUE,
    COMPLETION_CHANNEL,
    MEMORY_REGION,
    PROTECTION_DOMAIN,
    CONTEXT
}
