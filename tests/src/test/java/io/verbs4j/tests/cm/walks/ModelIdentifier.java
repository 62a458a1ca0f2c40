// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import org.jspecify.annotations.Nullable;

/// An identifier as the model sees it.
final class ModelIdentifier {
    /// Progress with addresses (the states of the kernel's cma.c).
    enum Phase {
        IDLE, BOUND, ADDRESS_RESOLVED, ROUTE_RESOLVED, LISTENING, CONNECTING
    }

    /// Progress of the handshake with its peer (the states of cm.c).
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
    /// True once events name it; those of a request do so only after it is accepted.
    boolean named = true;
    /// True if its fate depends on timing: then the walk only closes it.
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

    /// Returns true if the kernel holds a handshake for it.
    boolean hasConversation() {
        return talk != Talk.NONE || phase == Phase.LISTENING && local.isDevice();
    }

    /// Returns its addresses as a query reports them.
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
