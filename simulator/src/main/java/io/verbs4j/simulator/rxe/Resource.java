// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// A responder's record of a read, an atomic or a flush, for answering it again (`struct resp_res`, rxe_verbs.h).
final class Resource {
    enum Kind {
        NOTHING,
        READ,
        ATOMIC,
        FLUSH
    }

    Kind kind = Kind.NOTHING;
    boolean replay;
    /// Whether the next packet of a read's response is its first.
    boolean begins;
    int firstPsn;
    int lastPsn;
    int psn;
    long start;
    long address;
    int length;
    int left;
    int key;
    long original;
}
