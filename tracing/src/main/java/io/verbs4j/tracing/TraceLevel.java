// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// Amount of detail in a text trace.
public enum TraceLevel {
    /// One line for each entry.
    CALLS,
    /// Also each field of each struct.
    FIELDS,
    /// Also all bytes, with offsets.
    BYTES
}
