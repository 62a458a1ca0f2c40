// SPDX-License-Identifier: Apache-2.0
package com.example;

import com.ibm.disni.verbs.RdmaEventChannel;
import io.verbs4j.valkey.ValkeySocketFactory;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;

/// A program written for DiSNI, and one for Valkey, as far as no peer is needed.
public final class Peers {
    private Peers() {}

    /// Opens a channel of DiSNI's, and fails to reach a server of Valkey.
    public static void main(String[] arguments) throws IOException {
        System.out.println("disni: " + (RdmaEventChannel.createEventChannel() != null));
        try (var socket = ValkeySocketFactory.to(new InetSocketAddress("10.9.0.2", 6379)).createSocket()) {
            socket.getOutputStream().write(1);
        } catch (ConnectException e) {
            System.out.println("valkey: nobody listens");
        }
    }
}
