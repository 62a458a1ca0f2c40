// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.simulator.rxe.Wire;
import io.verbs4j.types.AsyncEventType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A device with its name, its addresses and its open files.
public final class DeviceNode {
    /// Size of a port's GID table (`RXE_PORT_GID_TBL_LEN`, rxe_param.h).
    public static final int GIDS = 1024;

    private final RxeDevice rxe;
    private final Wire wire;
    private final long guid;
    private final int interfaceIndex;
    private final List<@Nullable Address> addresses = new ArrayList<>();
    private final List<OpenDevice> contexts = new ArrayList<>();
    private long nextOffset = 0x1000;
    private int nextFile;

    /// @param guid the GUID, as a big-endian number
    /// @param interfaceIndex number of the network interface
    /// @param firstFile number of the first file descriptor
    public DeviceNode(RxeDevice rxe, Wire wire, long guid, int interfaceIndex, int firstFile) {
        this.rxe = rxe;
        this.guid = guid;
        this.wire = wire;
        this.interfaceIndex = interfaceIndex;
        this.nextFile = firstFile;
    }

    /// Returns the device itself.
    public RxeDevice rxe() {
        return rxe;
    }

    /// Returns the GUID.
    public long guid() {
        return guid;
    }

    Wire wire() {
        return wire;
    }

    KernelProfile profile() {
        return rxe.profile();
    }

    /// Returns the number of the network interface.
    public int interfaceIndex() {
        return interfaceIndex;
    }

    /// Returns the addresses by index; null where there is none.
    public List<@Nullable Address> addresses() {
        return addresses;
    }

    /// Adds an address, in the lowest free slot.
    public void add(Address address) {
        int free = addresses.indexOf(null);
        if (free < 0) {
            addresses.add(address);
        } else {
            addresses.set(free, address);
        }
        report(AsyncEventType.GID_CHANGE);
    }

    /// Removes an address.
    public boolean remove(Address address) {
        int index = addresses.indexOf(address);
        if (index < 0) {
            return false;
        }
        addresses.set(index, null);
        report(AsyncEventType.GID_CHANGE);
        return true;
    }

    /// Opens the device.
    public OpenDevice open() {
        return new OpenDevice(this);
    }

    void opened(OpenDevice context) {
        contexts.add(context);
    }

    void closed(OpenDevice context) {
        contexts.remove(context);
    }

    /// Returns the number of open contexts.
    public int contexts() {
        return contexts.size();
    }

    /// Returns the objects of all contexts.
    public List<String> objects() {
        return contexts.stream().flatMap(context -> context.describe().stream()).toList();
    }

    /// Returns the open objects of one kind, as RDMA netlink would list them.
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
