// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.cm.AddressResolution;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One side of a test program of librdmacm: creates its nodes, and handles the events on the way to them.
abstract class TestRun implements AutoCloseable {
    private static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofDays(1);

    final TestOptions options;
    final Console console;
    final List<Identifier> identifiers = new ArrayList<>();
    final List<TestNode> nodes = new ArrayList<>();
    EventChannel channel = EventChannel.open();
    private final String name;
    private final PortSpace space;
    private final int port;
    private final Map<String, Context> contexts = new HashMap<>();

    /// @param name the program's name in its output
    TestRun(String name, PortSpace space, TestOptions options, int port, Console console) {
        this.name = name;
        this.space = space;
        this.options = options;
        this.port = port;
        this.console = console;
    }

    /// Runs the server or the client.
    final void run() throws InterruptedException {
        if (options.server == null) {
            console.print(name + ": starting server");
            Identifier listener = channel.create(space);
            identifiers.add(listener);
            listener.bind(Hosts.resolve(options.own, port));
            listener.listen(0);
            Listening.begins();
            serve();
        } else {
            console.print(name + ": starting client");
            InetSocketAddress address = Hosts.resolve(options.server, port);
            InetSocketAddress own = options.source();
            console.print(name + ": connecting");
            for (int i = 0; i < options.connections; i++) {
                Identifier identifier = channel.create(space);
                identifiers.add(identifier);
                identifier.attach(AddressResolution.begin(identifier, own, address, RESOLVE));
            }
            connect();
        }
        console.print("test complete");
    }

    /// Serves. The program listens already.
    abstract void serve() throws InterruptedException;

    /// Connects. The resolution of all addresses has begun.
    abstract void connect() throws InterruptedException;

    /// Requests a connection or a datagram service, from a node in its initial state.
    abstract void request(TestNode node);

    /// Accepts a request.
    abstract void accept(CmEvent.ConnectRequest request);

    /// Handles the other events.
    abstract void on(CmEvent event);

    /// Takes events until a condition holds.
    final void take(BooleanSupplier done) throws InterruptedException {
        while (!done.getAsBoolean()) {
            channel.await(LONG).ifPresent(this::dispatch);
        }
    }

    final void awaitReceives() throws InterruptedException {
        for (TestNode node : nodes) {
            node.awaitReceives();
        }
    }

    final void awaitSends() throws InterruptedException {
        for (TestNode node : nodes) {
            node.awaitSends();
        }
    }

    private void dispatch(CmEvent event) {
        if (event.identifier().attachment() instanceof AddressResolution resolution && resolution.retry(event)) {
            return;
        }
        CmFailure.check(event);
        switch (event) {
            case CmEvent.AddressResolved(Identifier identifier) -> {
                configure(identifier, options.typeOfService);
                identifier.resolveRoute(RESOLVE);
            }
            case CmEvent.RouteResolved(Identifier identifier) -> request(create(identifier));
            case CmEvent.ConnectRequest request -> {
                Identifier incoming = request.incoming();
                if (nodes.size() == options.connections) {
                    incoming.reject(PrivateData.NONE);
                    incoming.close();
                    return;
                }
                identifiers.add(incoming);
                configure(incoming, null);
                accept(request);
            }
            default -> on(event);
        }
    }

    /// Sets the options of an identifier.
    void configure(Identifier identifier, @Nullable Integer typeOfService) {
        if (typeOfService != null) {
            identifier.setTypeOfService(typeOfService);
        }
    }

    /// Rejects a device that is not suitable.
    void check(Identifier identifier, Context context) {}

    /// Creates the queue pair of an identifier, and posts its receives.
    final TestNode create(Identifier identifier) {
        Device device = identifier.requireDevice();
        Context context = contexts.computeIfAbsent(device.name(), _ -> device.open());
        check(identifier, context);
        var node = new TestNode(identifier, context, options.count(), options.bytes);
        identifier.attach(node);
        nodes.add(node);
        node.postReceives();
        return node;
    }

    @Override
    public void close() {
        contexts.values().forEach(Context::close);
        channel.close();
    }
}
