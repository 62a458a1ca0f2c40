// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// Order in which [Context#close()] closes objects: each kind declares its place. The kernel answers `EBUSY` to an object that
/// another one still uses, so users come before what they use.
enum ClosingOrder {
    /// Before the queue pairs that they are bound through, which wait for them on rxe.
    MEMORY_WINDOW,
    QUEUE_PAIR,
    /// After the queue pairs, whose datagrams name them.
    ADDRESS_HANDLE,
    SHARED_RECEIVE_QUEUE,
    COMPLETION_QUEUE,
    COMPLETION_CHANNEL,
    MEMORY_REGION,
    PROTECTION_DOMAIN,
    CONTEXT
}
