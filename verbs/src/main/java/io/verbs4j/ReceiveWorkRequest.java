// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.util.List;

/// A receive as a value, for programs that collect receives before they post them ([QueuePair#postReceives(List)],
/// [SharedReceiveQueue#postReceives(List)]). Loops that must not allocate use [ReceiveBatch].
///
/// @param id the identifier that the completion will carry
/// @param parts the buffers of the message, filled one after the other; their regions must grant `LOCAL_WRITE`. Empty
///     for messages without payload
public record ReceiveWorkRequest(long id, List<LocalMemory> parts) {
    /// Copies the list.
    public ReceiveWorkRequest {
        parts = List.copyOf(parts);
    }

    /// Returns a receive with the identifier 0.
    public static ReceiveWorkRequest into(LocalMemory... parts) {
        return new ReceiveWorkRequest(0, List.of(parts));
    }

    /// Sets the identifier that the completion will carry.
    public ReceiveWorkRequest withId(long value) {
        return new ReceiveWorkRequest(value, parts);
    }
}
