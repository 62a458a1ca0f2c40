// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// Receives the entries of a trace. The traced threads call the sink within their own calls, one thread at a time.
/// Therefore a sink should be fast, and must not use verbs.
@FunctionalInterface
public interface TraceSink {
    /// Receives an entry. An exception ends the trace, and does not reach the traced program
    /// ([Tracing.Session#failure()]).
    void accept(TraceEntry entry);

    /// Returns a sink that passes each entry first to this sink, and then to `other`.
    default TraceSink and(TraceSink other) {
        return entry -> {
            accept(entry);
            other.accept(entry);
        };
    }
}
