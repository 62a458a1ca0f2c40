// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

/// Maximum sizes of private data in the messages of InfiniBand and RoCE (IBA vol. 1, 12.6 and 12.11), in bytes. In
/// requests, the kernel's IP header takes 36 of these bytes.
final class PrivateDataLimits {
    static final int CONNECT = 56;
    static final int ACCEPT = 196;
    static final int REJECT = 148;
    static final int DATAGRAM_CONNECT = 180;
    static final int DATAGRAM_ACCEPT = 136;
    static final int DATAGRAM_REJECT = 136;

    private PrivateDataLimits() {}
}
