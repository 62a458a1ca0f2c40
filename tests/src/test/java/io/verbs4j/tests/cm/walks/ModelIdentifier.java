// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import org.jspecify.annotations.Nullable;

/// What the model knows of an identifier.
final class ModelIdentifier {
    /// How far it has come with addresses (the states of the kernel's cma.c).
    enum Phase {
        IDLE, BOUND, ADDRESS_RESOLVED, ROUTE_RESOLVED, LISTENING, CONNECTING
    }

    /// How far it has come in talking with its peer (those of cm.c).
    enum Talk {
        /// Nothing was said yet.
        NONE,
        REQUEST_SENT, REQUEST_RECEIVED, REPLY_SENT, REPLY_RECEIVED, ESTABLISHED, END_SENT, END_RECEIVED, QUESTION_SENT,
        QUESTION_RECEIVED,
        /// Nothing will be said any more.
        OVER
    }

    final int number;
    final boolean datagrams;
    int channel;
    Phase phase = Phase.IDLE;
    Talk talk = Talk.NONE;
    /// Whether events find it: those of a request do only when it is accepted.
    boolean named = true;
    /// Whether what has become of it is open, so that it is only closed.
    boolean doubtful;
    boolean reuses;
    /// Whose interface the kernel still holds for it after a bind to a port that was taken.
    @Nullable Place stuck;
    Place local = Place.ANY;
    /// 0 for one that the kernel has chosen.
    int port;
    Place destination = Place.ANY;
    int destinationPort;
    /// At the other end.
    @Nullable ModelIdentifier peer;

    ModelIdentifier(int number, boolean datagrams, int channel) {
        this.number = number;
        this.datagrams = datagrams;
        this.channel = channel;
    }

    boolean isPortSpaceOf(ModelIdentifier other) {
        return datagrams == other.datagrams;
    }

    boolean hasDevice() {
        return local.isDevice() && phase != Phase.IDLE;
    }

    /// Whether the kernel's half of a conversation stands behind it.
    boolean hasConversation() {
        return talk != Talk.NONE || phase == Phase.LISTENING && local.isDevice();
    }

    /// What a query says of it.
    String addresses() {
        if (phase == Phase.IDLE) {
            return "";
        }
        return local.device + " " + local.host + ":" + port(port)
                + (destination == Place.ANY ? "" : " to " + destination.host + ":" + port(destinationPort));
    }

    static String port(int port) {
        return port == 0 ? "*" : Integer.toString(port);
    }
}
