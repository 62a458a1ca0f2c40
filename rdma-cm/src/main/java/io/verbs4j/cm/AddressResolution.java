// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.Errno;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Resolves a peer's address in attempts, each longer than the one before, where [Identifier#resolveAddress] makes one.
///
/// A neighbour that answers at once may do so before the kernel waits for its answer (`rdma_resolve_ip` sends the question before
/// `queue_req`, drivers/infiniband/core/addr.c); then the kernel looks again only when the time is up, and calls the neighbour
/// silent. The next attempt finds it known. For whoever reads the events; one thread at a time.
public final class AddressResolution {
    private static final Duration FIRST_ATTEMPT = Duration.ofMillis(50);

    private final Identifier identifier;
    private final @Nullable InetSocketAddress source;
    private final InetSocketAddress destination;
    private final long deadline;
    private Duration attempt = FIRST_ATTEMPT;
    private boolean last;

    private AddressResolution(
            Identifier identifier, @Nullable InetSocketAddress source, InetSocketAddress destination, long deadline) {
        this.identifier = identifier;
        this.source = source;
        this.destination = destination;
        this.deadline = deadline;
    }

    /// Makes the first attempt. It ends with an event of the identifier, which [#asksAgain] is to be given.
    ///
    /// @param source null for the one that the route gives
    /// @param timeout how long the neighbour may take to answer in all
    /// @throws io.verbs4j.types.VerbsException `ENETUNREACH` if there is no route
    public static AddressResolution begin(
            Identifier identifier, @Nullable InetSocketAddress source, InetSocketAddress destination,
            Duration timeout) {
        return begin(identifier, source, destination, Deadline.of(timeout));
    }

    static AddressResolution begin(
            Identifier identifier, @Nullable InetSocketAddress source, InetSocketAddress destination, long deadline) {
        var resolution = new AddressResolution(identifier, source, destination, deadline);
        resolution.ask();
        return resolution;
    }

    /// Makes another attempt if the event says that the neighbour has not answered, and time is left.
    ///
    /// @return false if the event is the answer: the caller handles it
    public boolean asksAgain(CmEvent event) {
        if (last
                || event.identifier() != identifier
                || !(event instanceof CmEvent.AddressFailed)
                || event.status() != -Errno.ETIMEDOUT) {
            return false;
        }
        attempt = attempt.multipliedBy(2);
        ask();
        return true;
    }

    private void ask() {
        Duration left = Deadline.left(deadline);
        last = attempt.compareTo(left) >= 0;
        identifier.resolveAddress(source, destination, last ? left : attempt);
    }
}
