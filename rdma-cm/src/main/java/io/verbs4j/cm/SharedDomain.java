// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.host.Host;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A protection domain that several connections use. The last user to release it closes the device and everything
/// created from it.
final class SharedDomain {
    private final ProtectionDomain domain;
    private final @Nullable Context owned;
    private final Host host = Host.current();
    private final AtomicInteger users = new AtomicInteger(1);

    private SharedDomain(ProtectionDomain domain, @Nullable Context owned) {
        this.domain = domain;
        this.owned = owned;
    }

    /// Opens a device, for one user.
    static SharedDomain open(Device device) {
        try (var rollback = new Rollback()) {
            Context context = rollback.make(device::open, Context::close);
            var opened = new SharedDomain(context.allocateProtectionDomain(), context);
            rollback.keep();
            return opened;
        }
    }

    /// Opens the same device again, for one user.
    ///
    /// @return null if the machine is another one, or the device's file belongs to another device now
    @Nullable
    @SuppressWarnings("ReferenceEquality") // of hosts, which are compared nowhere else
    SharedDomain reopen() {
        Device device = domain.context().device();
        if (host != Host.current()) {
            return null;
        }
        SharedDomain opened = open(device);
        if (opened.domain.context().attributes().nodeGuid() != device.nodeGuid()) {
            opened.leave();
            return null;
        }
        return opened;
    }

    /// Adopts the caller's domain, which the caller continues to own.
    ///
    /// @param nodeGuid GUID of the device that leads to the peer
    /// @param device returns that device, for the message of an exception
    /// @throws IllegalArgumentException if the domain belongs to another device
    static SharedDomain of(ProtectionDomain domain, long nodeGuid, Supplier<Device> device) {
        Device own = domain.context().device();
        if (own.nodeGuid() != nodeGuid) {
            throw new IllegalArgumentException(
                    "the protection domain belongs to " + own.name() + ", but the route to the peer uses "
                            + device.get().name() + ": protectionDomain=" + domain);
        }
        return new SharedDomain(domain, null);
    }

    ProtectionDomain domain() {
        return domain;
    }

    /// Adds a user.
    ///
    /// @return false if the last user has left
    boolean join() {
        return users.updateAndGet(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /// Removes a user. If the close of the device fails, the last user can call this again.
    void leave() {
        if (users.updateAndGet(count -> Math.max(count - 1, 0)) == 0 && owned != null) {
            owned.close();
        }
    }
}
