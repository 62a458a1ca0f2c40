// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

/// One step of a walk. A walk is generated before its identifiers exist, so its numbers are requests. [Admission]
/// converts a request to a command for an existing identifier.
///
/// @param kind the kind of command
/// @param identifier the identifier's number in the order of creation; in a request any number
/// @param place the host to bind to or to resolve
/// @param port the port there
/// @param size bytes of private data
/// @param hasty whether the identifier is closed immediately afterwards, with pending events
record Command(Kind kind, int identifier, Place place, int port, int size, boolean hasty) {
    /// A command of the connection manager, but for the first two.
    enum Kind {
        /// Whatever brings the identifier one step nearer to a connection, and then to its end.
        ADVANCE,
        /// Another channel brings the events.
        MIGRATE,
        CREATE, CREATE_DATAGRAMS, REUSE_ADDRESS, BIND, RESOLVE_ADDRESS, RESOLVE_ROUTE, LISTEN, CONNECT, ACCEPT, CONFIRM,
        REJECT,
        DISCONNECT, ATTRIBUTES_INIT, ATTRIBUTES_RTR, ATTRIBUTES_RTS, CLOSE
    }

    /// Bytes of a length, none of them 0, that are another walk's or identifier's only by chance.
    byte[] data() {
        var bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (1 + (identifier * 31 + kind.ordinal() * 7 + i) % 255);
        }
        return bytes;
    }

    Command with(Kind other) {
        return new Command(other, identifier, place, port, size, hasty);
    }

    Command of(int number) {
        return new Command(kind, number, place, port, size, hasty);
    }

    Command at(Place where, int there) {
        return new Command(kind, identifier, where, there, size, hasty);
    }

    Command withSize(int bytes) {
        return new Command(kind, identifier, place, port, bytes, hasty);
    }

    Command inPeace() {
        return new Command(kind, identifier, place, port, size, false);
    }

    @Override
    public String toString() {
        String what = switch (kind) {
            case BIND, RESOLVE_ADDRESS -> " " + place.host + ":" + port;
            case CONNECT, ACCEPT, REJECT -> " with " + size + " bytes";
            default -> "";
        };
        return "#" + identifier + " " + kind + what + (hasty ? ", and CLOSE at once" : "");
    }
}
