// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The first step of connecting: an identifier that has no device yet. A connector resolves an address and returns a
/// [Resolved], which requests the connection. The compiler therefore rejects a wrong order.
///
/// @param identifier the identifier
/// @param events its events
/// @param source local address to connect from; null to let the route determine the address
record Connector(Identifier identifier, ConnectionEvents events, @Nullable InetSocketAddress source) {
    /// Creates an identifier with the options, in a channel of its own or in the channel of the options' group.
    ///
    /// @param operation the operation, for messages
    /// @param deadline latest time of the last event
    /// @param rollback closes the identifier and its channel after a failure
    static Connector open(
            PortSpace space, String operation, ConnectionOptions options, long deadline, Rollback rollback) {
        ConnectionGroup group = options.group();
        EventChannel channel = group == null
                ? rollback.make(EventChannel::open, EventChannel::close)
                : rollback.make(group::joinChannel, _ -> group.leaveChannel());
        Identifier identifier = rollback.make(() -> channel.create(space), Identifier::close);
        var events = new ConnectionEvents(group == null ? channel : null, operation, options.timeout(), deadline);
        identifier.attach(events);
        configure(identifier, options);
        return new Connector(identifier, events, options.source());
    }

    /// Sets the options that the kernel stores in an identifier.
    static void configure(Identifier identifier, ConnectionOptions options) {
        if (options.typeOfService() >= 0) {
            identifier.setTypeOfService(options.typeOfService());
        }
        if (options.acknowledgeTimeout() >= 0) {
            identifier.setAcknowledgeTimeout(options.acknowledgeTimeout());
        }
    }

    /// Resolves address and route.
    Resolved resolve(InetSocketAddress address) throws InterruptedException {
        var resolution = AddressResolution.begin(identifier, source, address, events.deadline());
        CmEvent event = events.next(null);
        while (event != null && resolution.retry(event)) {
            event = events.next(null);
        }
        events.check(event, CmEvent.AddressResolved.class, () -> "the neighbour has not answered");
        identifier.resolveRoute(Duration.ofNanos(Deadline.left(events.deadline())));
        events.await(CmEvent.RouteResolved.class, () -> "the route is not resolved");
        return new Resolved(identifier, events);
    }
}
