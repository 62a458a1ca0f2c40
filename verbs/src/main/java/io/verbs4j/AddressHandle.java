// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.types.AddressVector;
import java.util.List;

/// The path of datagrams to one destination. Thread-safe.
///
/// A program may close a handle as soon as it has posted the last datagram to the destination. The kernel's object
/// stays until the device has sent the posted datagrams. Before closing a handle that a
/// [single-threaded][QueuePairBuilder#singleThreaded()] queue pair uses, make sure that no other thread posts to this
/// queue pair.
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

    /// Returns the path that the handle was created with.
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
