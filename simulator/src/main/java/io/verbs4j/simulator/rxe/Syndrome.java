// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// The syndromes of acknowledgements (AETH syndrome; IBA vol. 1, 9.7.5.2.3).
final class Syndrome {
    /// Success, without a limit of credits.
    static final int ACKNOWLEDGED = 0x1f;
    /// Mask of the kind.
    static final int KIND = 0xe0;
    static final int KIND_ACKNOWLEDGED = 0x00;
    /// Receiver not ready. The low bits are a timer code.
    static final int NOT_READY = 0x20;
    static final int OUT_OF_SEQUENCE = 0x60;
    static final int INVALID_REQUEST = 0x61;
    static final int ACCESS = 0x62;
    static final int OPERATION = 0x63;

    private Syndrome() {}
}
