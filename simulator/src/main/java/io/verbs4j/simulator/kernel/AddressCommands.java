// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.Path;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Commands on paths: address handles and groups.
record AddressCommands(OpenDevice file) {
    private static final ValueLayout.OfLong BIG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int PORT = 1;
    private static final int DRIVER_ANSWER = 8;
    /// Default hop limit of routes.
    private static final int HOPS = 64;

    static Address address(MemorySegment gid) {
        return new Address(gid.get(BIG, 0), gid.get(BIG, Long.BYTES));
    }

    /// Resolves a path (`ib_resolve_eth_dmac`, verbs.c).
    ///
    /// @param grh prefix of the global route's fields in `in`
    /// @param rest prefix of the other fields
    Path resolve(CView in, String grh, String rest) {
        Refusal.unless(in.getInt(rest + "is_global") != 0, Errno.EINVAL);
        Refusal.unless(in.getInt(rest + "port_num") == PORT, Errno.EINVAL);
        int index = in.getInt(grh + "sgid_index"); // one byte
        Address source = source(index);
        if (source == null) {
            throw new Refusal(Errno.ENODATA);
        }
        Address destination = address(in.slice(grh + "dgid"));
        Refusal.unless(source.isIpv4() == destination.isIpv4(), Errno.EINVAL);
        RxeDevice rxe = file.node().rxe();
        Refusal.unless(
                destination.isMulticast() || file.node().wire().knows(rxe, destination),
                destination.isIpv4() || destination.isLinkLocal() ? Errno.ETIMEDOUT : Errno.ENETUNREACH);
        int hops = in.getInt(grh + "hop_limit");
        return new Path(
                source,
                destination,
                index,
                in.getInt(grh + "flow_label") & 0xf_ffff,
                destination.isMulticast() ? Math.max(hops, 1) : HOPS,
                in.getInt(grh + "traffic_class"),
                PORT);
    }

    private @Nullable Address source(int index) {
        var addresses = file.node().addresses();
        return index < addresses.size() ? addresses.get(index) : null;
    }

    void create(CView in, CView out, MemorySegment driver) {
        Refusal.when(driver.byteSize() > 0 && driver.byteSize() < DRIVER_ANSWER, Errno.EINVAL);
        Refusal.unless(in.getInt("attr.port_num") == PORT, Errno.EINVAL);
        KernelObject.Domain domain = file.objects().get(in.getInt("pd_handle"), KernelObject.Domain.class);
        Path path = resolve(in, "attr.grh.", "attr.");
        RxeDevice.Handle handle = file.node().rxe().handle(domain.rxe, path);
        if (handle == null) {
            throw new Refusal(Errno.EINVAL); // `__rxe_add_to_pool`, rxe_pool.c
        }
        if (driver.byteSize() > 0) {
            driver.set(ValueLayout.JAVA_INT_UNALIGNED, 0, handle.index());
        }
        out.set("ah_handle", file.objects().add(new KernelObject.AddressHandle(domain, handle)));
    }

    void destroy(int handle) {
        KernelObject.AddressHandle object = file.objects().get(handle, KernelObject.AddressHandle.class);
        file.node().rxe().remove(object.handle);
        file.objects().remove(handle);
    }

    void attach(CView in) {
        KernelObject.Pair pair = file.objects().get(in.getInt("qp_handle"), KernelObject.Pair.class);
        var membership = new KernelObject.Membership(address(in.slice("gid")), in.getInt("mlid"));
        if (pair.memberships.contains(membership)) {
            return;
        }
        Refusal.unless(
                membership.group().isMulticast()
                        && pair.queuePair().shape().type() == QueuePairType.UD,
                Errno.EINVAL);
        RxeDevice rxe = file.node().rxe();
        Refusal.when(rxe.members(membership.group()) >= RxeDevice.MAX_GROUP_MEMBERS, Errno.ENOMEM);
        rxe.group(membership.group(), pair.queuePair(), true);
        pair.memberships.add(membership);
    }

    void detach(CView in) {
        KernelObject.Pair pair = file.objects().get(in.getInt("qp_handle"), KernelObject.Pair.class);
        var membership = new KernelObject.Membership(address(in.slice("gid")), in.getInt("mlid"));
        Refusal.unless(
                membership.group().isMulticast()
                        && pair.queuePair().shape().type() == QueuePairType.UD,
                Errno.EINVAL);
        Refusal.unless(
                file.node().rxe().group(membership.group(), pair.queuePair(), false), Errno.EINVAL);
        pair.memberships.remove(membership);
    }
}
