// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import io.verbs4j.tests.cm.walks.Command.Kind;
import io.verbs4j.tests.cm.walks.ModelIdentifier.Phase;
import io.verbs4j.tests.cm.walks.ModelIdentifier.Talk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes commands of wishes: for an identifier that is open, and such that the model knows what comes of them.
final class Admission {
    private static final int MAX_OPEN = 8;

    private final ConnectionModel model;

    Admission(ConnectionModel model) {
        this.model = model;
    }

    /// Returns the command for a request; null if none is possible.
    ///
    /// @return null if no command is possible
    @Nullable
    Command admit(Command wish) {
        if (wish.kind() == Kind.CREATE || wish.kind() == Kind.CREATE_DATAGRAMS) {
            return create(wish);
        }
        var open = new ArrayList<>(model.open().values());
        if (open.isEmpty()) {
            return create(wish.with(Kind.CREATE));
        }
        Collections.rotate(open, -(wish.identifier() % open.size()));
        ModelIdentifier identifier = open.getFirst();
        if (wish.kind() != Kind.ADVANCE) {
            return limited(wish.of(identifier.number), identifier);
        }
        for (ModelIdentifier each : open) {
            Command command = next(wish.of(each.number), each);
            if (command != null) {
                return limited(command, each);
            }
        }
        return create(wish.with(Kind.CREATE));
    }

    private @Nullable Command create(Command wish) {
        return model.open().size() < MAX_OPEN ? wish.of(model.next()).inPeace() : null;
    }

    /// The next step on the way to a connection, and then to its end.
    private @Nullable Command next(Command wish, ModelIdentifier identifier) {
        if (identifier.doubtful || identifier.talk == Talk.OVER) {
            return wish.with(Kind.CLOSE).inPeace();
        }
        Kind kind = switch (identifier.talk) {
            case REQUEST_RECEIVED, QUESTION_RECEIVED -> Kind.ACCEPT;
            case REPLY_RECEIVED -> Kind.CONFIRM;
            case ESTABLISHED, END_RECEIVED -> Kind.DISCONNECT;
            case NONE -> switch (identifier.phase) {
                case ADDRESS_RESOLVED -> Kind.RESOLVE_ROUTE;
                case ROUTE_RESOLVED -> Kind.CONNECT;
                case IDLE, BOUND -> Kind.RESOLVE_ADDRESS;
                default -> null;
            };
            default -> null;
        };
        if (kind != Kind.RESOLVE_ADDRESS) {
            return kind == null ? null : wish.with(kind);
        }
        // To somebody who listens; if there is nobody, it listens itself.
        List<ModelIdentifier> listeners = model.open()
                .values()
                .stream()
                .filter(each -> each.phase == Phase.LISTENING && each.port != 0 && each.isPortSpaceOf(identifier))
                .toList();
        if (listeners.isEmpty()) {
            return wish.with(identifier.phase == Phase.IDLE ? Kind.BIND : Kind.LISTEN).inPeace();
        }
        ModelIdentifier listener = listeners.get(wish.size() % listeners.size());
        Place place = listener.local == Place.ANY ? Place.RIGHT : listener.local;
        return wish.with(Kind.RESOLVE_ADDRESS).at(place, listener.port);
    }

    private static @Nullable Command limited(Command command, ModelIdentifier identifier) {
        if (identifier.doubtful && command.kind() != Kind.CLOSE) {
            return null;
        }
        if (identifier.stuck != null && identifier.phase == Phase.IDLE) {
            // It can only try again: the routes that it finds are those of the interface.
            boolean again = command.kind() == Kind.BIND ? command.place() != Place.ANY
                    : command.kind() != Kind.RESOLVE_ADDRESS && command.kind() != Kind.LISTEN;
            if (!again) {
                return command.with(Kind.CLOSE).inPeace();
            }
        }
        Command fitting = switch (command.kind()) {
            // A silent neighbour takes its time. To an identifier with an interface, hosts without a route are
            // neighbours.
            case RESOLVE_ADDRESS -> command.place().isDevice()
                    || command.place() == Place.NOWHERE && !identifier.hasDevice() ? command
                            : command.at(Place.LEFT, command.port());
            case CONNECT -> command.withSize(Math.min(command.size(), identifier.datagrams ? 180 : 56));
            case ACCEPT -> command.withSize(Math.min(command.size(), identifier.datagrams ? 136 : 196));
            case REJECT -> command.withSize(Math.min(command.size(), identifier.datagrams ? 136 : 148));
            // It would accept datagrams for queue pair 0.
            case CONFIRM -> identifier.datagrams ? null : command;
            default -> command;
        };
        // A peer does not find what is rejected before it has answered, and would wait for its confirmation.
        boolean rejects = command.kind() == Kind.REJECT || command.kind() == Kind.ACCEPT
                || command.kind() == Kind.CONFIRM;
        return rejects && identifier.talk == Talk.REQUEST_SENT ? null : fitting;
    }
}
