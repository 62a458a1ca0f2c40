// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// How much a text trace shows.
public enum TraceLevel {
    /// One line for each entry.
    CALLS,
    /// And each field of each struct.
    FIELDS,
    /// And all bytes, with offsets.
    BYTES
}
