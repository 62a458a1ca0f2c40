// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// Takes the entries of a trace. Called by the threads that do the work, one at a time, inside their calls: it should be
/// quick, and must not use verbs itself.
@FunctionalInterface
public interface TraceSink {
    /// Takes one. What this throws ends the trace, and does not reach the program that is traced ([Tracing.Session#failure()]).
    void accept(TraceEntry entry);

    /// Both sinks, in this order.
    default TraceSink and(TraceSink other) {
        return entry -> {
            accept(entry);
            other.accept(entry);
        };
    }
}
