// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.simulator.KernelProfile;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.simulator.rxe.Wire;
import io.verbs4j.types.AsyncEventType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A device with its name and addresses, and who has it open.
public final class DeviceNode {
    /// Slots of a port's GID table (`RXE_PORT_GID_TBL_LEN`, rxe_param.h).
    public static final int GIDS = 1024;

    private final RxeDevice rxe;
    private final Wire wire;
    private final long guid;
    private final int interfaceIndex;
    private final List<@Nullable Address> addresses = new ArrayList<>();
    private final List<OpenDevice> contexts = new ArrayList<>();
    private long nextOffset = 0x1000;
    private int nextFile;

    /// @param guid its GUID, as a big-endian number
    /// @param interfaceIndex number of its network interface
    /// @param firstFile number of the first file descriptor
    public DeviceNode(RxeDevice rxe, Wire wire, long guid, int interfaceIndex, int firstFile) {
        this.rxe = rxe;
        this.guid = guid;
        this.wire = wire;
        this.interfaceIndex = interfaceIndex;
        this.nextFile = firstFile;
    }

    /// The device itself.
    public RxeDevice rxe() {
        return rxe;
    }

    /// Its GUID.
    public long guid() {
        return guid;
    }

    Wire wire() {
        return wire;
    }

    KernelProfile profile() {
        return rxe.profile();
    }

    /// Number of its network interface.
    public int interfaceIndex() {
        return interfaceIndex;
    }

    /// Its addresses by index; null where there is none.
    public List<@Nullable Address> addresses() {
        return addresses;
    }

    /// Gives it an address, in the lowest free slot.
    public void add(Address address) {
        int free = addresses.indexOf(null);
        if (free < 0) {
            addresses.add(address);
        } else {
            addresses.set(free, address);
        }
        report(AsyncEventType.GID_CHANGE);
    }

    /// Takes an address from it.
    public boolean remove(Address address) {
        int index = addresses.indexOf(address);
        if (index < 0) {
            return false;
        }
        addresses.set(index, null);
        report(AsyncEventType.GID_CHANGE);
        return true;
    }

    /// Opens it.
    public OpenDevice open() {
        return new OpenDevice(this);
    }

    void opened(OpenDevice context) {
        contexts.add(context);
    }

    void closed(OpenDevice context) {
        contexts.remove(context);
    }

    /// Contexts that are open.
    public int contexts() {
        return contexts.size();
    }

    /// Objects of all contexts.
    public List<String> objects() {
        return contexts.stream().flatMap(context -> context.describe().stream()).toList();
    }

    /// Returns the objects of one kind that programs hold of it, as RDMA netlink would list them.
    public List<KernelResource> resources(ResourceKind kind) {
        if (kind == ResourceKind.CONTEXT) {
            return IntStream.range(0, contexts.size())
                    .mapToObj(number -> KernelResource.ofThisProcess(kind, number))
                    .toList();
        }
        return contexts.stream()
                .flatMap(context -> context.resources().stream())
                .filter(resource -> resource.kind() == kind)
                .toList();
    }

    /// Raises an event of the port.
    public void report(AsyncEventType event) {
        for (OpenDevice context : List.copyOf(contexts)) {
            context.reportPort(event);
        }
    }

    long offset(long size) {
        long offset = nextOffset;
        nextOffset += size;
        return offset;
    }

    int file() {
        return nextFile++;
    }
}
