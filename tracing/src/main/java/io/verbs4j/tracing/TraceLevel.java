// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// Amount of detail in a text trace.
public enum TraceLevel {
    /// One line for each entry.
    CALLS,
    /// Like [#CALLS], with each field of each struct.
    FIELDS,
    /// Like [#FIELDS], with all bytes and their offsets.
    BYTES
}
