// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// Receives the entries of a trace. Called by the traced threads, one at a time, within their calls: it should be fast,
/// and must not use verbs itself.
@FunctionalInterface
public interface TraceSink {
    /// Receives an entry. An exception ends the trace, and does not reach the traced program
    /// ([Tracing.Session#failure()]).
    void accept(TraceEntry entry);

    /// Returns a sink that passes entries to both, in this order.
    default TraceSink and(TraceSink other) {
        return entry -> {
            accept(entry);
            other.accept(entry);
        };
    }
}
