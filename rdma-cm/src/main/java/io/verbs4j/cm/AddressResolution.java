// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.types.Errno;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Resolves a peer's address in several attempts, each longer than the previous one. [Identifier#resolveAddress] makes
/// only one attempt. Not thread-safe: use it in the thread that reads the events.
///
/// Several attempts are necessary, because `rdma_resolve_ip` sends the request before `queue_req` waits for the reply
/// (drivers/infiniband/core/addr.c). A reply that arrives before `queue_req` is lost. At the timeout, the kernel then
/// reports that the neighbour did not answer. At the next attempt, the kernel has the neighbour's address.
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

    /// Makes the first attempt. The attempt ends with an event of the identifier. Pass that event to [#retry].
    ///
    /// @param source null to let the route determine the local address
    /// @param timeout the total time that the neighbour may take to answer
    /// @throws io.verbs4j.types.VerbsException `ENETUNREACH` if there is no route
    public static AddressResolution begin(
            Identifier identifier, @Nullable InetSocketAddress source, InetSocketAddress destination,
            Duration timeout) {
        return begin(identifier, source, destination, Deadline.within(timeout));
    }

    static AddressResolution begin(
            Identifier identifier, @Nullable InetSocketAddress source, InetSocketAddress destination, long deadline) {
        var resolution = new AddressResolution(identifier, source, destination, deadline);
        resolution.ask();
        return resolution;
    }

    /// Makes another attempt if time is left and the event reports that the neighbour did not answer.
    ///
    /// @return true after another attempt was started; false if the event is final, so that the caller has to handle
    ///     the event
    public boolean retry(CmEvent event) {
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
        Duration left = Duration.ofNanos(Deadline.left(deadline));
        last = attempt.compareTo(left) >= 0;
        identifier.resolveAddress(source, destination, last ? left : attempt);
    }
}
