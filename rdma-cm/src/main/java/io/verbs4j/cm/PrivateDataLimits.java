// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

/// Bytes of private data that the messages carry over InfiniBand and RoCE (IBA vol. 1, 12.6 and 12.11), less the 36 of the IP header
/// that the kernel puts in front of those of requests.
final class PrivateDataLimits {
    static final int CONNECT = 56;
    static final int ACCEPT = 196;
    static final int REJECT = 148;
    static final int DATAGRAM_CONNECT = 180;
    static final int DATAGRAM_ACCEPT = 136;
    static final int DATAGRAM_REJECT = 136;

    private PrivateDataLimits() {}
}
