// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.Device;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The protection domains of a set of connections, one for each device. Not thread-safe.
final class SharedDomains {
    private final List<SharedDomain> domains = new ArrayList<>();
    private final boolean keeps;

    /// @param keeps whether this set is a user of its domains, until [#clear()]
    SharedDomains(boolean keeps) {
        this.keeps = keeps;
    }

    /// Returns the domain of an identifier's device, and adds a user. Opens the device if it is not open. Lists the
    /// machine's devices only if no device that is or was open has the identifier's GUID and index, because listing
    /// takes longer than connecting.
    SharedDomain join(Identifier identifier) {
        ConnectionAddresses addresses = identifier.addresses();
        SharedDomain known = joined(addresses.nodeGuid(), OptionalInt.of(addresses.deviceIndex()));
        if (known != null) {
            return known;
        }
        Device device = identifier.requireDevice();
        known = joined(device.nodeGuid(), device.index()); // without netlink, the device has no index
        if (known != null) {
            return known;
        }
        return added(SharedDomain.open(device));
    }

    /// Adds a user to the domain of a device. Opens the device again if the last user has left.
    private @Nullable SharedDomain joined(long nodeGuid, OptionalInt index) {
        for (SharedDomain domain : domains) {
            Device device = device(domain);
            if (device.nodeGuid() == nodeGuid && device.index().equals(index)) {
                if (domain.join()) {
                    return domain;
                }
                domains.remove(domain);
                return reopened(domain);
            }
        }
        return null;
    }

    /// Returns null if the device cannot be opened as before. It may have been removed and added again.
    private @Nullable SharedDomain reopened(SharedDomain closed) {
        try {
            SharedDomain opened = closed.reopen();
            return opened == null ? null : added(opened);
        } catch (VerbsException e) {
            return null; // the next attempt reports the cause
        }
    }

    private SharedDomain added(SharedDomain opened) {
        if (keeps) {
            opened.join();
        }
        domains.add(opened);
        return opened;
    }

    private static Device device(SharedDomain domain) {
        return domain.domain().context().device();
    }

    /// Removes all domains from this set, and returns them.
    List<SharedDomain> clear() {
        List<SharedDomain> removed = List.copyOf(domains);
        domains.clear();
        return removed;
    }
}
