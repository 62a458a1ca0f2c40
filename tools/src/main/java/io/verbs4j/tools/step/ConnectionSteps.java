// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.GidSelector;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects by IP address with both ends in one process: the left one connects, the right one listens.
final class ConnectionSteps extends SteppedProgram<ConnectionSteps.End> {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MESSAGE = 64;
    private static final int QUEUE = 7;

    private final List<String> events = new ArrayList<>();
    private @Nullable InetSocketAddress service;
    private @Nullable InetSocketAddress clientAddress;
    private @Nullable Identifier listener;

    ConnectionSteps(Device left, Device right, StepScreen screen) {
        super(left, right, screen);
    }

    /// One of the two ends.
    static final class End implements SteppedProgram.End {
        final String name;
        final EventChannel channel = EventChannel.open();
        @Nullable Identifier identifier;
        @Nullable Context context;
        @Nullable CompletionQueue queue;
        @Nullable MemoryRegion memory;
        @Nullable QueuePair queuePair;

        End(String name) {
            this.name = name;
        }

        Identifier identifier() {
            return Objects.requireNonNull(identifier);
        }

        QueuePair queuePair() {
            return Objects.requireNonNull(queuePair);
        }

        CompletionQueue queue() {
            return Objects.requireNonNull(queue);
        }

        MemoryRegion memory() {
            return Objects.requireNonNull(memory);
        }

        /// Opens the identifier's device, creates a queue pair and moves it to INIT.
        void prepare() {
            context = identifier().device()
                    .orElseThrow(() -> new ToolException("the connection manager reports no device for " + name))
                    .open();
            queue = context.createCompletionQueue(QUEUE);
            var domain = context.allocateProtectionDomain();
            memory = domain.allocate(2 * MESSAGE, Access.LOCAL_WRITE);
            queuePair = domain.queuePair(QueuePairType.RC, queue).maxSends(QUEUE).maxReceives(QUEUE).create();
            move(QueuePairState.INIT);
        }

        void move(QueuePairState state) {
            queuePair().modify(identifier().attributes(state));
        }

        ConnectionParameters offer(String text) {
            return ConnectionParameters.DEFAULT.withQueuePairNumber(queuePair().number())
                    .withPrivateData(PrivateData.of(text));
        }

        @Override
        public void close() {
            if (context != null) {
                context.close();
            }
            channel.close();
        }
    }

    private InetSocketAddress service() {
        return Objects.requireNonNull(service);
    }

    @Override
    List<Step> steps() {
        return List.of(
                new Step("Listen",
                        """
                            The connection manager is another file, /dev/infiniband/rdma_cm: an event channel. An identifier on it
                            corresponds to a TCP socket. %s listens on its IP address; no RDMA device has to be open for that."""
                                .formatted(rightDevice),
                        """
                            EventChannel channel = EventChannel.open();
                            Identifier listener = channel.create(PortSpace.TCP);
                            listener.bind(address);
                            listener.listen(1);""", this::listen),
                new Step("Resolve address and route",
                        """
                            The kernel looks up the device and the path to that address. Both take time, so the results arrive as
                            events. Only then is it known which device to open.""",
                        """
                            Identifier client = channel.create(PortSpace.TCP);
                            client.resolveAddress(own, address, timeout);      // ends with an event
                            client.resolveRoute(timeout);                      // ends with another""", this::resolve),
                new Step("Create a queue pair, and request the connection",
                        """
                            The kernel returns the attributes for INIT. The request (REQ) carries the queue pair's number, the PSN
                            that the peer has to start with, the path, and a few bytes of the program.""",
                        """
                            QueuePair queuePair = domain.queuePair(QueuePairType.RC, queue).create();
                            queuePair.modify(client.attributes(QueuePairState.INIT));
                            client.connect(ConnectionParameters.DEFAULT.withQueuePairNumber(queuePair.number()));""",
                        this::ask),
                new Step("The server prepares its queue pair, and accepts",
                        """
                            The request creates a new identifier. The server moves to RTS and posts its receives before it accepts,
                            because the client may send as soon as it has the answer (REP).""",
                        """
                            queuePair.modify(incoming.attributes(QueuePairState.INIT));
                            queuePair.beginReceive() ...
                            queuePair.modify(incoming.attributes(QueuePairState.RTR));
                            queuePair.modify(incoming.attributes(QueuePairState.RTS));
                            incoming.accept(parameters);""", this::accept),
                new Step("The client prepares its queue pair, and confirms",
                        """
                            The client sets INIT again, because only the answer contains the peer's access rights, then RTR and RTS. The
                            confirmation (RTU) reports that the client is ready, too.""",
                        """
                            queuePair.modify(client.attributes(QueuePairState.INIT));
                            queuePair.modify(client.attributes(QueuePairState.RTR));
                            queuePair.modify(client.attributes(QueuePairState.RTS));
                            client.confirm();""", this::confirm),
                new Step("A message", """
                    From here on the queue pairs communicate without the connection manager.""", """
                    queuePair.post(new SendWorkRequest().send().local(memory).signaled());""", this::send),
                new Step("Disconnect",
                        """
                            Either end may disconnect. It sends DREQ; the other end gets an event and answers with DREP. If a program
                            dies, its kernel disconnects in its place.""",
                        """
                            client.disconnect();
                            incoming.disconnect();                             // the other end, after the event""",
                        this::disconnect),
                new Step("Clean up",
                        """
                            Identifiers are closed with their channel. A queue pair number stays reserved for a while, so that packets of
                            the old connection cannot reach a new one (time wait).""",
                        """
                            context.close();
                            channel.close();                                   // both ends""", this::cleanUp));
    }

    private void listen() {
        var own = new InetSocketAddress(address(rightDevice), 0);
        clientAddress = new InetSocketAddress(address(leftDevice), 0);
        screen.forget(); // a program does not need to query its own addresses
        left = new End("client");
        right = new End("server");
        listener = right().channel.create(PortSpace.TCP);
        listener.bind(own);
        listener.listen(1);
        service = listener.addresses().local();
        screen.crossed(KERNEL);
        screen.result("Result", List.of("listening on " + text(service())));
    }

    private static InetAddress address(Device device) {
        try (Context context = device.open()) {
            return GidSelector.automatic().select(context, 1).entry().gid().toInetAddress();
        }
    }

    private static String text(InetSocketAddress address) {
        return AddressText.of(address.getAddress()) + " port " + address.getPort();
    }

    private void resolve() {
        left().identifier = left().channel.create(PortSpace.TCP);
        left().identifier().resolveAddress(clientAddress, service(), LIMIT);
        next(left());
        left().identifier().resolveRoute(LIMIT);
        next(left());
        crossed();
        screen.result("Result",
                List.of("from " + text(Objects.requireNonNull(left().identifier().addresses().local())) + " by "
                        + left().identifier().device().map(Device::name).orElse("an unknown device")));
    }

    private void ask() {
        left().prepare();
        left().identifier().connect(left().offer("it is me"));
        var request = (CmEvent.ConnectRequest) next(right());
        right().identifier = request.incoming();
        crossed();
        screen.packets();
        screen.result("Result at the server",
                List.of("a new identifier, and \"" + request.privateData().text() + "\""));
        states(left());
    }

    private void accept() {
        right().prepare();
        try (var batch = right().queuePair().beginReceive()) {
            batch.workRequestId(1).receive(right().memory(), MESSAGE, MESSAGE);
            batch.submit();
        }
        right().move(QueuePairState.RTR);
        right().move(QueuePairState.RTS);
        right().identifier().accept(right().offer("come in"));
        next(left());
        crossed();
        screen.packets();
        states(right());
    }

    private void confirm() {
        left().move(QueuePairState.INIT);
        left().move(QueuePairState.RTR);
        left().move(QueuePairState.RTS);
        left().identifier().confirm();
        next(right());
        crossed();
        screen.packets();
        states(left());
    }

    private void send() {
        left().memory().segment().setString(0, "connected");
        left().queuePair()
                .post(new SendWorkRequest().send()
                        .local(left().memory().slice(0, MESSAGE))
                        .workRequestId(2)
                        .signaled());
        var completions = List.of(take(left()), take(right()));
        screen.crossed(KERNEL);
        screen.packets();
        screen.result("Completions", completions);
        screen.result("What arrived", List.of("\"" + right().memory().segment().getString(MESSAGE) + "\""));
    }

    private void disconnect() {
        left().identifier().disconnect();
        next(right());
        right().identifier().disconnect();
        next(left());
        crossed();
        screen.packets();
    }

    private void crossed() {
        screen.crossed(KERNEL);
        screen.result("Events", List.copyOf(events));
        events.clear();
    }

    private void states(End end) {
        String picture = Pictures.states(end.queuePair().query().state());
        screen.forget();
        screen.result("State", List.of(end.name + "'s qp#" + end.queuePair().number() + ": " + picture));
    }

    private CmEvent next(End end) {
        try {
            CmEvent event = end.channel.await(LIMIT)
                    .orElseThrow(() -> new ToolException(
                            "the " + end.name + " received no event for " + LIMIT.toSeconds() + " s",
                            "'verbs doctor' finds problems of the network"));
            if (event.status() != 0) {
                throw new ToolException("the " + end.name + " heard " + event + ": " + event.explanation());
            }
            events.add("the " + end.name + " receives " + event.getClass().getSimpleName());
            return event;
        } catch (InterruptedException e) {
            throw ToolException.interrupted();
        }
    }

    private static String take(End end) {
        var taken = new ArrayList<String>();
        long start = System.nanoTime();
        while (end.queue().poll(1, completion -> taken.add(completion.toString())) == 0) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new ToolException(
                        "no completion of the " + end.name + " after " + LIMIT.toSeconds() + " s",
                        "'verbs doctor' finds problems of the network");
            }
            Thread.onSpinWait();
        }
        return end.name + ": " + String.join("", taken);
    }
}
