// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import io.verbs4j.tests.cm.walks.Command.Kind;
import io.verbs4j.tests.cm.walks.ModelIdentifier.Phase;
import io.verbs4j.tests.cm.walks.ModelIdentifier.Talk;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Says what comes of commands of the connection manager: errors, events and addresses.
class ConnectionModel implements ConnectionDevice {
    private static final String DONE = "done";
    private static final String INVALID = "EINVAL";
    private static final int BY_USER = 28;
    private static final int INVALID_SERVICE_ID = 8;
    private static final int NO_SERVICE = 1;
    private static final int SERVICE_REFUSES = 2;

    private record Event(ModelIdentifier identifier, int channel, String text) {}

    /// All that are open, in the order in which they came to be.
    private final TreeMap<Integer, ModelIdentifier> open = new TreeMap<>();
    /// Those that hold a port of their own, the latest first.
    private final List<ModelIdentifier> bound = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private int next;

    /// The identifiers that are open.
    TreeMap<Integer, ModelIdentifier> open() {
        return open;
    }

    /// The number of the next one.
    int next() {
        return next;
    }

    @Override
    public String perform(Command command) {
        if (command.kind() == Kind.CREATE || command.kind() == Kind.CREATE_DATAGRAMS) {
            create(command.kind() == Kind.CREATE_DATAGRAMS, channel(command));
            return DONE;
        }
        ModelIdentifier identifier = open.get(command.identifier());
        String outcome = perform(identifier, command);
        if (command.hasty() && open.containsKey(identifier.number)) {
            if (command.kind() == Kind.CONNECT && identifier.peer != null) {
                identifier.peer.doubtful = true; // the request and its withdrawal may overtake each other
            }
            close(identifier);
        }
        return outcome;
    }

    /// The channel of a new identifier.
    static int channel(Command command) {
        return command.place() == Place.LEFT ? 0 : 1;
    }

    private ModelIdentifier create(boolean datagrams, int channel) {
        var identifier = new ModelIdentifier(next++, datagrams, channel);
        open.put(identifier.number, identifier);
        return identifier;
    }

    private String perform(ModelIdentifier identifier, Command command) {
        return switch (command.kind()) {
            case REUSE_ADDRESS -> {
                boolean tooLate = identifier.phase == Phase.LISTENING;
                identifier.reuses |= !tooLate;
                yield tooLate ? INVALID : DONE;
            }
            case BIND -> bind(identifier, command.place(), command.port());
            case RESOLVE_ADDRESS -> resolve(identifier, command.place(), command.port());
            case RESOLVE_ROUTE -> resolveRoute(identifier);
            case LISTEN -> listen(identifier);
            case CONNECT -> connect(identifier, command);
            case ACCEPT -> accept(identifier, command);
            case CONFIRM -> confirm(identifier);
            case REJECT -> reject(identifier, command.data()) ? DONE : INVALID;
            case DISCONNECT -> disconnect(identifier);
            case ATTRIBUTES_INIT, ATTRIBUTES_RTR, ATTRIBUTES_RTS -> attributes(identifier, command.kind());
            case MIGRATE -> {
                identifier.channel = 1 - identifier.channel;
                yield DONE;
            }
            case CLOSE -> {
                close(identifier);
                yield DONE;
            }
            case CREATE, CREATE_DATAGRAMS, ADVANCE -> throw new IllegalStateException(command.toString());
        };
    }

    private String bind(ModelIdentifier identifier, Place place, int port) {
        if (identifier.phase != Phase.IDLE) {
            return INVALID;
        }
        if (identifier.stuck != null && identifier.stuck != place) {
            return "ENODEV";
        }
        if (place == Place.FOREIGN || place == Place.NOWHERE) {
            return "EADDRNOTAVAIL";
        }
        String taken = taken(identifier, place, port, identifier.reuses);
        if (taken != null) {
            identifier.stuck = place.isDevice() ? place : null;
            return taken;
        }
        identifier.phase = Phase.BOUND;
        identifier.local = place;
        identifier.port = port;
        bound.addFirst(identifier);
        return DONE;
    }

    /// The error of who wants a port, if another has it.
    private @Nullable String taken(ModelIdentifier wanting, Place place, int port, boolean reuses) {
        for (ModelIdentifier holder : bound) {
            if (holder == wanting || !holder.isPortSpaceOf(wanting) || holder.port != port || reuses && holder.reuses) {
                continue;
            }
            if (place == Place.ANY || holder.local == Place.ANY) {
                return "EADDRNOTAVAIL";
            }
            if (place == holder.local) {
                return "EADDRINUSE";
            }
        }
        return null;
    }

    private String resolve(ModelIdentifier identifier, Place place, int port) {
        if (identifier.phase != Phase.IDLE && identifier.phase != Phase.BOUND) {
            return INVALID;
        }
        identifier.phase = Phase.BOUND;
        if (place == Place.NOWHERE) {
            return "ENETUNREACH";
        }
        identifier.phase = Phase.ADDRESS_RESOLVED;
        identifier.destination = place;
        identifier.destinationPort = port;
        if (identifier.local == Place.ANY) {
            identifier.local = place; // the way to an own address begins there
        }
        event(identifier, "address resolved");
        return DONE;
    }

    private String resolveRoute(ModelIdentifier identifier) {
        if (identifier.phase != Phase.ADDRESS_RESOLVED) {
            return INVALID;
        }
        identifier.phase = Phase.ROUTE_RESOLVED;
        event(identifier, "route resolved");
        return DONE;
    }

    private String listen(ModelIdentifier identifier) {
        if (identifier.phase != Phase.IDLE && identifier.phase != Phase.BOUND) {
            return INVALID;
        }
        identifier.phase = Phase.BOUND;
        if (identifier.reuses && identifier.port != 0) {
            String taken = taken(identifier, identifier.local, identifier.port, false);
            if (taken != null) {
                return taken;
            }
        }
        identifier.phase = Phase.LISTENING;
        return DONE;
    }

    /// Returns the listener at an address.
    Optional<ModelIdentifier> listener(ModelIdentifier caller) {
        return bound.stream()
                .filter(each -> each.phase == Phase.LISTENING && each.isPortSpaceOf(caller)
                        && each.port == caller.destinationPort
                        && (each.local == Place.ANY || each.local == caller.destination))
                .findFirst();
    }

    private String connect(ModelIdentifier identifier, Command command) {
        if (identifier.phase != Phase.ROUTE_RESOLVED) {
            return INVALID;
        }
        identifier.phase = Phase.CONNECTING;
        Optional<ModelIdentifier> listener = listener(identifier);
        if (listener.isEmpty()) {
            identifier.talk = Talk.OVER;
            event(
                    identifier,
                    identifier.datagrams ? "unreachable " + NO_SERVICE : rejected(INVALID_SERVICE_ID, new byte[0]));
            return DONE;
        }
        ModelIdentifier incoming = create(identifier.datagrams, listener.get().channel);
        incoming.named = false;
        incoming.phase = Phase.CONNECTING;
        incoming.local = identifier.destination;
        incoming.port = identifier.destinationPort;
        incoming.destination = identifier.local;
        incoming.destinationPort = identifier.port;
        incoming.peer = identifier;
        identifier.peer = incoming;
        identifier.talk = identifier.datagrams ? Talk.QUESTION_SENT : Talk.REQUEST_SENT;
        incoming.talk = identifier.datagrams ? Talk.QUESTION_RECEIVED : Talk.REQUEST_RECEIVED;
        event(
                listener.get(),
                "request #" + incoming.number + data(command.data(), identifier.datagrams ? 180 : 56));
        return DONE;
    }

    private String accept(ModelIdentifier identifier, Command command) {
        ModelIdentifier peer = identifier.peer;
        if (peer == null || identifier.phase != Phase.CONNECTING) {
            return INVALID;
        }
        switch (identifier.talk) {
            case REQUEST_RECEIVED -> {
                identifier.named = true;
                identifier.talk = Talk.REPLY_SENT;
                peer.talk = Talk.REPLY_RECEIVED;
                event(peer, "response" + data(command.data(), 196));
                return DONE;
            }
            case QUESTION_RECEIVED -> {
                identifier.named = true;
                identifier.talk = Talk.OVER;
                answer(peer, "datagrams" + data(command.data(), 136));
                return DONE;
            }
            default -> {
                reject(identifier, new byte[0]);
                return INVALID;
            }
        }
    }

    /// Answers a question, if somebody waits for it.
    private void answer(ModelIdentifier asker, String text) {
        if (asker.talk == Talk.QUESTION_SENT) {
            asker.talk = Talk.OVER;
            event(asker, text);
        }
    }

    private String confirm(ModelIdentifier identifier) {
        if (identifier.talk != Talk.REPLY_RECEIVED || identifier.peer == null) {
            if (identifier.phase == Phase.CONNECTING) {
                reject(identifier, new byte[0]); // a refused command rejects
            }
            return INVALID;
        }
        identifier.talk = Talk.ESTABLISHED;
        identifier.peer.talk = Talk.ESTABLISHED;
        event(identifier.peer, "established");
        return DONE;
    }

    /// Rejects the request in progress.
    ///
    /// @return whether there was one
    private boolean reject(ModelIdentifier identifier, byte[] data) {
        ModelIdentifier peer = identifier.peer;
        switch (identifier.talk) {
            case REQUEST_RECEIVED, REPLY_SENT, REPLY_RECEIVED -> refuse(peer, rejected(BY_USER, data));
            case QUESTION_RECEIVED -> {
                if (peer != null) {
                    answer(peer, "unreachable " + SERVICE_REFUSES);
                }
            }
            default -> {
                return false;
            }
        }
        identifier.talk = Talk.OVER;
        return true;
    }

    private void refuse(@Nullable ModelIdentifier peer, String text) {
        if (peer != null && peer.talk != Talk.OVER) {
            peer.talk = Talk.OVER;
            event(peer, text);
        }
    }

    private String disconnect(ModelIdentifier identifier) {
        ModelIdentifier peer = identifier.peer;
        if (!identifier.hasConversation()) {
            return INVALID;
        }
        if (identifier.talk == Talk.ESTABLISHED && peer != null) {
            identifier.talk = Talk.END_SENT;
            peer.talk = Talk.END_RECEIVED;
            event(peer, "disconnected 0");
        } else if (identifier.talk == Talk.END_RECEIVED && peer != null) {
            identifier.talk = Talk.OVER;
            peer.talk = Talk.OVER;
            event(peer, "disconnected 0");
        }
        return DONE;
    }

    private String attributes(ModelIdentifier identifier, Kind kind) {
        if (!identifier.hasDevice()) {
            return INVALID;
        }
        if (identifier.datagrams || !identifier.hasConversation()) {
            return DONE;
        }
        return switch (identifier.talk) {
            case REQUEST_RECEIVED, REPLY_SENT, REPLY_RECEIVED, ESTABLISHED -> DONE;
            case REQUEST_SENT -> kind == Kind.ATTRIBUTES_INIT ? DONE : INVALID;
            default -> INVALID;
        };
    }

    private void close(ModelIdentifier identifier) {
        if (identifier.talk == Talk.REQUEST_SENT && identifier.peer != null) {
            identifier.peer.talk = Talk.OVER; // withdrawn, and nobody to say it to
        } else if (!reject(identifier, new byte[0])) {
            disconnect(identifier);
        }
        if (identifier.peer != null) {
            identifier.talk = Talk.OVER;
        }
        open.remove(identifier.number);
        bound.remove(identifier);
        events.removeIf(event -> event.identifier == identifier);
    }

    private static String rejected(int reason, byte[] data) {
        return "rejected " + reason + data(data, 148);
    }

    /// Private data as the peer sees them: as many as there is room for, with zeros at the end.
    private static String data(byte[] data, int room) {
        return " " + room + " " + HexFormat.of().formatHex(data);
    }

    private void event(ModelIdentifier identifier, String text) {
        if (identifier.named && open.containsKey(identifier.number)) {
            events.add(new Event(identifier, identifier.channel, text));
        }
    }

    @Override
    public List<String> events() {
        List<String> taken = events.stream()
                .map(event -> event.channel + " #" + event.identifier.number + " " + event.text)
                .sorted()
                .toList();
        events.clear();
        return taken;
    }

    @Override
    public String addresses(int number) {
        ModelIdentifier identifier = open.get(number);
        return identifier == null ? "" : identifier.addresses();
    }

    @Override
    public void close() {
        // holds nothing
    }
}
