// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.cm.*;
import io.verbs4j.types.*;
import java.net.*;
import java.time.*;

static final InetSocketAddress SERVICE = new InetSocketAddress("10.9.0.2", 7471);

void main() throws Exception {
    try (var left = EventChannel.open(); var right = EventChannel.open()) {
        var listener = right.create(PortSpace.TCP);
        listener.bind(SERVICE);
        listener.listen(1);

        var client = left.create(PortSpace.TCP);
        client.resolveAddress(new InetSocketAddress("10.9.0.1", 0), SERVICE, Duration.ofSeconds(10));
        next("client", left);
        IO.println("  the address belongs to " + client.device().orElseThrow().name());
        client.resolveRoute(Duration.ofSeconds(10));
        next("client", left);

        try (var one = client.device().orElseThrow().open()) {
            var sender = queuePair(one);
            move("client", sender, client, QueuePairState.INIT);
            client.connect(ConnectionParameters.DEFAULT.withQueuePairNumber(sender.number())
                    .withPrivateData(PrivateData.of("it is me")));

            var request = (CmEvent.ConnectRequest) next("server", right);
            IO.println("  with \"" + request.privateData().text() + "\" for a new identifier");
            var incoming = request.incoming();
            try (var other = incoming.device().orElseThrow().open()) {
                var receiver = queuePair(other);
                move("server", receiver, incoming, QueuePairState.INIT);
                try (var receives = receiver.beginReceive()) { // before the peer may send
                    receives.receive(receiver.protectionDomain().allocate(64, Access.LOCAL_WRITE), 0, 64);
                    receives.submit();
                }
                move("server", receiver, incoming, QueuePairState.RTR);
                move("server", receiver, incoming, QueuePairState.RTS);
                incoming.accept(ConnectionParameters.DEFAULT.withQueuePairNumber(receiver.number()));

                next("client", left);
                move("client", sender, client, QueuePairState.INIT);
                move("client", sender, client, QueuePairState.RTR);
                move("client", sender, client, QueuePairState.RTS);
                client.confirm();
                next("server", right);
                IO.println("they know each other: " + (known(sender) == receiver.number())
                        + ", " + (known(receiver) == sender.number()));

                client.disconnect();
                next("server", right);
                incoming.disconnect();
                next("client", left);
            }
        }
    }
}

QueuePair queuePair(Context context) {
    var queue = context.createCompletionQueue(16);
    return context.allocateProtectionDomain().queuePair(QueuePairType.RC, queue).create();
}

/// Waits for an event and prints it.
CmEvent next(String who, EventChannel events) throws InterruptedException {
    var event = events.await(Duration.ofSeconds(60)).orElseThrow();
    IO.println(who + " receives " + event.getClass().getSimpleName());
    return event;
}

/// Queries the attributes of a state from the kernel, and moves the queue pair to this state.
void move(String who, QueuePair pair, Identifier identifier, QueuePairState state) {
    var attributes = identifier.attributes(state);
    pair.modify(attributes);
    IO.println("  %s: queue pair to %s%s".formatted(who, state, switch (state) {
        case RTR -> ", the peer's packets begin with PSN 0x%06x, path MTU %d".formatted(
                attributes.receivePsn(), attributes.pathMtu().bytes());
        case RTS -> ", own packets begin with PSN 0x%06x".formatted(attributes.sendPsn());
        default -> "";
    }));
}

int known(QueuePair pair) {
    return pair.query(QueuePairAttribute.DESTINATION_QP).destinationQueuePairNumber();
}
