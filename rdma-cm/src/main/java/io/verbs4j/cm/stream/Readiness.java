// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// The operations that a stream is ready for, as a bit set.
final class Readiness {
    /// A read returns bytes, the end of the stream, or an error without waiting.
    static final int READ = 1;
    /// A write accepts bytes or fails, without waiting.
    static final int WRITE = 2;
    /// A write into mapped memory of the peer returns without waiting.
    static final int WRITE_MAPPED = 4;
    /// Memory can be mapped for the peer without waiting, or can never be mapped.
    static final int MAP = 8;
    /// This end is closed, and no written bytes are outstanding.
    static final int DONE = 16;

    private Readiness() {}
}
