// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

/// The message by which the ends of a ping-pong introduce themselves, for tests in other packages.
public final class PingPongAddressParser {
    private PingPongAddressParser() {}

    public static void read(byte[] message) {
        PingPongAddress.parse(message);
    }
}
