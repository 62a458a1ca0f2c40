// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.types.AddressVector;
import java.util.List;

/// The path of datagrams to one destination. Thread-safe.
///
/// It may be closed as soon as the last datagram to it is posted: the kernel's object stays until the device has sent
/// them. If a queue pair is [single-threaded][QueuePairBuilder#singleThreaded()], close its handles only while no other
/// thread posts.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_ah.3.html">ibv_create_ah(3)</a>
public final class AddressHandle extends VerbsObject {
    private final ProtectionDomain domain;
    private final AddressVector path;
    private final ProviderAddressHandle provider;

    AddressHandle(ProtectionDomain domain, AddressVector path, ProviderAddressHandle provider) {
        super(List.of(domain));
        this.domain = domain;
        this.path = path;
        this.provider = provider;
    }

    /// Returns the path, as it was given.
    public AddressVector path() {
        return path;
    }

    /// Returns the protection domain that the handle belongs to.
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /// Returns the provider's handle, for a work request of a queue pair of `user`.
    ProviderAddressHandle providerFor(ProtectionDomain user) {
        requireOpen();
        if (user != domain) {
            throw new IllegalArgumentException(this + " belongs to another protection domain than the queue pair");
        }
        return provider;
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.ADDRESS_HANDLE;
    }

    @Override
    void destroy() {
        domain.retiredHandles().retire(provider);
    }

    @Override
    public String toString() {
        return "address handle to " + path.destinationGid();
    }
}
