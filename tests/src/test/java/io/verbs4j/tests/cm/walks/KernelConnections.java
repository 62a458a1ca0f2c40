// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import io.verbs4j.Device;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The running kernel's connection manager, through verbs4j.
final class KernelConnections implements ConnectionDevice {
    /// A peer rejects numbers of queue pairs that it still remembers: each is used once. Other tests have lower ones.
    static final int FIRST_QUEUE_PAIR = 0x400000;
    private static final AtomicInteger NEXT_QUEUE_PAIR = new AtomicInteger(FIRST_QUEUE_PAIR);
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    /// The kernel chooses ports from here on (`net.ipv4.ip_local_port_range`).
    private static final int FIRST_CHOSEN_PORT = 32_768;

    private final List<EventChannel> channels = List.of(EventChannel.open(), EventChannel.open());
    private final Map<Integer, Identifier> open = new HashMap<>();
    private int next;

    @Override
    public String perform(Command command) {
        try {
            switch (command.kind()) {
                case CREATE, CREATE_DATAGRAMS -> add(channels.get(ConnectionModel.channel(command))
                        .create(command.kind() == Command.Kind.CREATE ? PortSpace.TCP : PortSpace.UDP));
                default -> run(identifier(command.identifier()), command);
            }
            return "done";
        } catch (VerbsException e) {
            return Errno.name(e.errno());
        } finally {
            if (command.hasty()) {
                close(command.identifier());
            }
        }
    }

    private void run(Identifier identifier, Command command) {
        var address = new InetSocketAddress(command.place().host, command.port());
        switch (command.kind()) {
            case REUSE_ADDRESS -> identifier.setReuseAddress(true);
            case BIND -> identifier.bind(address);
            case RESOLVE_ADDRESS -> identifier.resolveAddress(null, address, TIMEOUT);
            case RESOLVE_ROUTE -> identifier.resolveRoute(TIMEOUT);
            case LISTEN -> identifier.listen(0);
            case CONNECT -> identifier.connect(parameters(command));
            case ACCEPT -> identifier.accept(parameters(command));
            case CONFIRM -> identifier.confirm();
            case REJECT -> identifier.reject(PrivateData.of(command.data()));
            case DISCONNECT -> identifier.disconnect();
            case ATTRIBUTES_INIT -> identifier.attributes(QueuePairState.INIT);
            case ATTRIBUTES_RTR -> identifier.attributes(QueuePairState.RTR);
            case ATTRIBUTES_RTS -> identifier.attributes(QueuePairState.RTS);
            case MIGRATE -> identifier.migrate(channels.get(1 - channels.indexOf(identifier.channel())));
            case CLOSE -> close(command.identifier());
            case CREATE, CREATE_DATAGRAMS, ADVANCE -> throw new IllegalStateException(command.toString());
        }
    }

    private static ConnectionParameters parameters(Command command) {
        return ConnectionParameters.DEFAULT
                .withQueuePairNumber(NEXT_QUEUE_PAIR.getAndIncrement())
                .withPrivateData(PrivateData.of(command.data()));
    }

    private void add(Identifier identifier) {
        identifier.attach(next);
        open.put(next++, identifier);
    }

    private Identifier identifier(int number) {
        Identifier identifier = open.get(number);
        if (identifier == null) {
            throw new IllegalStateException("#" + number + " did not come");
        }
        return identifier;
    }

    private void close(int number) {
        Identifier identifier = open.remove(number);
        if (identifier != null) {
            identifier.close();
        }
    }

    @Override
    public List<String> events() {
        var taken = new ArrayList<String>();
        for (int channel = 0; channel < channels.size(); channel++) {
            for (Optional<CmEvent> event = channels.get(channel).poll(); event.isPresent(); event =
                    channels.get(channel).poll()) {
                String text = text(event.get());
                if (text != null) {
                    taken.add(channel + " #" + event.get().identifier().attachment() + " " + text);
                }
            }
        }
        return taken;
    }

    /// @return null for the end of a time-wait, which comes when it comes
    private @Nullable String text(CmEvent event) {
        return switch (event) {
            case CmEvent.AddressResolved _ -> "address resolved";
            case CmEvent.RouteResolved _ -> "route resolved";
            case CmEvent.ConnectRequest request -> {
                add(request.incoming());
                yield "request #" + request.incoming().attachment() + data(request.privateData());
            }
            case CmEvent.ConnectResponse response ->
                "response" + data(response.parameters().privateData());
            case CmEvent.Established _ -> "established";
            case CmEvent.DatagramsEstablished datagrams ->
                "datagrams" + data(datagrams.path().privateData());
            case CmEvent.Rejected rejected -> "rejected " + rejected.status() + data(rejected.privateData());
            case CmEvent.Unreachable unreachable -> "unreachable " + unreachable.status();
            case CmEvent.Disconnected disconnected -> "disconnected " + disconnected.status();
            case CmEvent.TimewaitExited _ -> null;
            default -> event.toString();
        };
    }

    private static String data(PrivateData data) {
        return " " + data.size() + " " + HexFormat.of().formatHex(data.trimmed());
    }

    @Override
    public String addresses(int number) {
        Identifier identifier = open.get(number);
        if (identifier == null) {
            return "";
        }
        ConnectionAddresses addresses = identifier.addresses();
        InetSocketAddress local = addresses.local();
        InetSocketAddress peer = addresses.peer();
        // Kernels differ in what they keep of a destination that there is no route to.
        boolean resolved = peer != null && !peer.getAddress().isAnyLocalAddress()
                && !peer.getHostString().equals(Place.NOWHERE.host);
        return identifier.device().map(Device::name).orElse("-") + (local == null ? "" : " " + text(local))
                + (resolved ? " to " + text(peer) : "");
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":"
                + ModelIdentifier.port(address.getPort() < FIRST_CHOSEN_PORT ? address.getPort() : 0);
    }

    @Override
    public void close() {
        channels.forEach(EventChannel::close);
    }
}
