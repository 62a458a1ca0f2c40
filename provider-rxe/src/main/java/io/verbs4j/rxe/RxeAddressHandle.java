// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// An address handle. The kernel stores the resolved path, and datagrams refer to the path by a number.
final class RxeAddressHandle extends ProviderAddressHandle {
    private final int domain;
    private volatile int number;

    /// @param number the kernel's number for work requests, at least 1; 0 until it is known
    RxeAddressHandle(CommandChannel channel, int handle, int domain, int number) {
        super(channel, handle);
        this.domain = domain;
        this.number = number;
    }

    /// Creates an address handle. The kernel resolves the destination during the call, and may wait for an answer from
    /// the network.
    static RxeAddressHandle create(CommandChannel channel, ProviderProtectionDomain domain, AddressVector path) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = RxeStructs.CREATE_AH.allocate(arena);
            // Events never refer to an address handle, so the user handle is unused. The object is allocated before the
            // command runs, so that a lack of heap cannot leak a handle.
            RxeAddressHandle created = rollback.make(
                    () -> new RxeAddressHandle(
                            channel,
                            CreateAddressHandle.execute(channel, domain.handle(), 0, path, DriverData.out(answer)),
                            domain.handle(),
                            0),
                    RxeAddressHandle::destroy);
            created.number = RxeStructs.CREATE_AH.view(answer).getInt("ah_num");
            if (created.number == 0) {
                throw new NotSupportedException(
                        "create address handle",
                        Errno.EOPNOTSUPP,
                        "rxe before Linux 5.14 does not number address handles");
            }
            rollback.keep();
            return created;
        }
    }

    /// Returns the handle of the protection domain. Datagrams must be posted to queue pairs of the same domain.
    int domain() {
        return domain;
    }

    /// Returns the number for work requests; 0 after [#destroy()].
    int number() {
        return number;
    }

    @Override
    public void destroy() {
        super.destroy();
        number = 0;
    }

    /// Returns the exception for a missing or closed address handle, or for one of another provider or protection
    /// domain.
    ///
    /// @param domain the queue pair's protection domain
    static RuntimeException refusal(int domain, @Nullable ProviderAddressHandle handle) {
        if (handle == null) {
            return new IllegalArgumentException("addressHandle is missing: a datagram needs a destination");
        }
        if (!(handle instanceof RxeAddressHandle ours)) {
            return new IllegalArgumentException(
                    "addressHandle belongs to another provider: " + handle.getClass().getName());
        }
        return ours.number() == 0
                ? new IllegalStateException("the address handle is destroyed")
                : new IllegalArgumentException("addressHandle of protection domain " + ours.domain()
                        + " on a queue pair of domain " + domain);
    }
}
