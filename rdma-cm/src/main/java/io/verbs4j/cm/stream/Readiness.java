// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// The operations that a stream is ready for, as bits of a number.
final class Readiness {
    /// A read returns at once: bytes, the end of the stream, or an error.
    static final int READ = 1;
    /// A write returns at once: it takes bytes, or fails.
    static final int WRITE = 2;
    /// A write into mapped memory of the peer returns at once.
    static final int WRITE_MAPPED = 4;
    /// Memory can be mapped for the peer at once, or never.
    static final int MAP = 8;
    /// This end is closed, and nothing that was written is outstanding.
    static final int DONE = 16;

    private Readiness() {}
}
