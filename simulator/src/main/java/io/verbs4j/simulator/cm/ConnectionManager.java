// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.simulator.engine.Task;
import io.verbs4j.types.PortSpace;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The connection manager of one host: its identifiers, its listeners, and the peers' queue pair numbers that it
/// remembers.
public final class ConnectionManager {
    /// Descriptors of simulated files. They are negative, unlike those of Linux.
    private static final int FIRST_FILE = -2;

    final Environment environment;
    final Ports ports = new Ports();
    private final Map<Integer, CmIdentifier> identifiers = new TreeMap<>();
    private final Map<Integer, CmFile> files = new HashMap<>();
    private final Set<Conversation.RemoteQueuePair> remembered = new HashSet<>();
    /// Conversations of this host by the requesting conversations of peers.
    private final Map<Conversation, Conversation> asked = new HashMap<>();
    private int nextFile = FIRST_FILE;
    private int nextMembership;

    /// @param environment the host
    public ConnectionManager(Environment environment) {
        this.environment = environment;
    }

    /// Opens `/dev/infiniband/rdma_cm`.
    public CmFile open() {
        var file = new CmFile(this, nextFile--);
        files.put(file.fileDescriptor(), file);
        return file;
    }

    void closed(CmFile file) {
        files.remove(file.fileDescriptor());
    }

    /// Returns the open file with a descriptor.
    @Nullable
    CmFile file(int descriptor) {
        return files.get(descriptor);
    }

    /// Assigns an identifier the lowest free number.
    int add(CmIdentifier identifier) {
        int number = 0;
        while (identifiers.containsKey(number)) {
            number++;
        }
        identifiers.put(number, identifier);
        return number;
    }

    int nextMembership() {
        return nextMembership++;
    }

    void remove(CmIdentifier identifier) {
        identifiers.remove(identifier.number);
        ports.leave(identifier);
    }

    /// Returns the identifier with a number.
    @Nullable
    CmIdentifier identifier(int number) {
        return identifiers.get(number);
    }

    List<CmIdentifier> all() {
        return new ArrayList<>(identifiers.values());
    }

    /// Returns the identifiers that are bound to a device, as `rdma resource` lists them: one text per identifier, such
    /// as `CM_ID 3`.
    public List<String> describe() {
        return identifiers.values()
                .stream()
                .filter(CmIdentifier::hasDevice)
                .map(identifier -> "CM_ID " + identifier.number)
                .toList();
    }

    /// Returns the identifiers on a port.
    public List<KernelResource> resources(CmPort port) {
        return identifiers.values()
                .stream()
                .filter(identifier -> port.equals(identifier.port()))
                .map(identifier -> KernelResource.ofThisProcess(
                        ResourceKind.CONNECTION_ID,
                        identifier.number,
                        new KernelResource.Detail("port-space", identifier.portSpace().value())))
                .toList();
    }

    /// Reports the removal of a port to all its identifiers.
    public void removing(CmPort port) {
        all().stream().filter(identifier -> port.equals(identifier.port())).forEach(CmIdentifier::deviceRemoved);
    }

    /// Handles a request to this host.
    void request(Conversation asker, Terms terms, byte[] data) {
        if (asked.containsKey(asker)) {
            return; // repeated, while the program has not answered yet
        }
        CmIdentifier from = asker.identifier();
        InetSocketAddress address = from.remote();
        CmIdentifier listener = listener(from.portSpace(), address);
        if (listener == null) {
            answer(from, () -> {
                asker.denied(Conversation.NO_SERVICE);
                asker.rejected(Conversation.NO_LISTENER, new byte[Conversation.REJECT_DATA]);
            });
        } else if (!from.isOfDatagrams()
                && remembers(new Conversation.RemoteQueuePair(from.deviceGuid(), terms.queuePair()))) {
                    answer(from, () -> asker.rejected(Conversation.STALE, new byte[Conversation.REJECT_DATA]));
                } else {
                    Conversation taken = listener.handshake.request(asker, terms, data);
                    if (taken != null) {
                        asked.put(asker, taken);
                    }
                }
    }

    private void answer(CmIdentifier asker, Task message) {
        CmPort port = environment.holder(IpAddresses.address(asker.remote()));
        if (port != null) {
            environment.carry(port, IpAddresses.address(asker.local()), message);
        }
    }

    /// Withdraws a request whose sender is gone.
    void withdraw(Conversation asker) {
        Conversation answering = asked.get(asker);
        if (answering != null) {
            answering.rejected(Conversation.TIMED_OUT, new byte[Conversation.REJECT_DATA]);
        }
    }

    void done(Conversation asker) {
        asked.remove(asker);
    }

    /// Returns the listener at an address. A listener bound to the address precedes a listener bound to the wildcard
    /// (`cma_find_listener`, cma.c).
    private @Nullable CmIdentifier listener(PortSpace space, InetSocketAddress address) {
        return identifiers.values()
                .stream()
                .filter(each -> each.listensAt(space, address))
                .min(Comparator.comparing((CmIdentifier each) -> each.local().getAddress().isAnyLocalAddress()))
                .orElse(null);
    }

    void remember(Conversation.RemoteQueuePair number) {
        remembered.add(number);
    }

    void forget(Conversation.RemoteQueuePair number) {
        remembered.remove(number);
    }

    boolean remembers(Conversation.RemoteQueuePair number) {
        return remembered.contains(number);
    }
}
