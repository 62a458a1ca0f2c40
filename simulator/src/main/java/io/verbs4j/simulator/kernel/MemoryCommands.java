// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.rxe.Region;
import io.verbs4j.simulator.rxe.Window;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;

/// Commands on protection domains, memory regions and windows.
record MemoryCommands(OpenDevice file) {
    private static final long PAGE = 4096;
    private static final int WRITING = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    /// Access rights for which memory is pinned for writing (`ib_access_writable`, ib_verbs.h).
    private static final int WRITABLE =
            WRITING | Access.mask(Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
    /// Maximum size of memory whose page table fits into one allocation.
    private static final long LONGEST_TABLE = 1L << 30;
    private static final int FLUSHING = Access.mask(Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);
    /// Access rights that a device may ignore.
    private static final int OPTIONAL = 0x3ff0_0000;

    private static final int OF_UVERBS = 0xff | OPTIONAL;
    /// `RXE_ACCESS_SUPPORTED_MR`, rxe_verbs.h.
    private static final int OF_RXE = 0x1f | OPTIONAL | FLUSHING;

    private static final int CHANGE_TRANSLATION = 1;
    private static final int CHANGE_DOMAIN = 2;
    private static final int CHANGE_ACCESS = 4;

    boolean pagesOnDemand() {
        return has(Behaviour.ON_DEMAND_PAGING);
    }

    private boolean has(Behaviour behaviour) {
        return file.node().profile().has(behaviour);
    }

    private KernelObject.Domain domain(int handle) {
        return file.objects().get(handle, KernelObject.Domain.class);
    }

    private KernelObject.Memory memory(int handle) {
        return file.objects().get(handle, KernelObject.Memory.class);
    }

    int allocate() {
        return file.objects().add(new KernelObject.Domain());
    }

    void deallocate(int handle) {
        Refusal.when(domain(handle).isUsed(), Errno.EBUSY);
        file.objects().remove(handle);
    }

    void register(CView in, CView out) {
        long start = in.get("start");
        long length = in.get("length");
        long iova = in.get("hca_va");
        int access = in.getInt("access_flags");
        Refusal.unless((start & PAGE - 1) == (iova & PAGE - 1), Errno.EINVAL);
        checkAccess(access);
        KernelObject.Domain domain = domain(in.getInt("pd_handle"));
        checkRxeAccess(access);
        // The kernel counts pages: an empty range within a page has one (`ib_umem_num_pages`, ib_umem.h).
        boolean noPage = length == 0 && (start & PAGE - 1) == 0;
        Refusal.when(noPage || start + length < 0 || start < 0, Errno.EINVAL);
        Refusal.when(start + length + PAGE < start, Errno.EINVAL);
        Refusal.when((access & Access.FLUSH_PERSISTENT.value()) != 0, Errno.EINVAL);
        if ((access & Access.ON_DEMAND.value()) == 0) {
            boolean writes = (access & WRITABLE) != 0 || has(Behaviour.PINS_WRITABLE_MEMORY_ONLY);
            Refusal.unless(MappedMemory.holds(start, length, writes), Errno.EFAULT);
            Refusal.when(length > LONGEST_TABLE && has(Behaviour.REFUSES_LONG_REGIONS), Errno.ENOMEM);
        }
        Region region = file.node().rxe().register(domain.rxe, start, length, iova, access);
        if (region == null) {
            throw new Refusal(Errno.ENOMEM);
        }
        out.set("mr_handle", file.objects().add(new KernelObject.Memory(domain, region, (access & WRITABLE) != 0)))
                .set("lkey", region.key())
                .set("rkey", region.key());
    }

    /// Performs the checks of uverbs (`ib_check_mr_access`, ib_verbs.h).
    private void checkAccess(int access) {
        boolean flushes = has(Behaviour.ATOMIC_WRITE_AND_FLUSH);
        Refusal.when((access & WRITING) != 0 && (access & Access.LOCAL_WRITE.value()) == 0, Errno.EINVAL);
        Refusal.when((access & ~(OF_UVERBS | (flushes ? FLUSHING : 0))) != 0, Errno.EINVAL);
        boolean onDemand = (access & Access.ON_DEMAND.value()) != 0;
        Refusal.when(
                onDemand && !pagesOnDemand(),
                has(Behaviour.REFUSES_FOREIGN_REGION_RIGHTS) ? Errno.EOPNOTSUPP : Errno.EINVAL);
    }

    private void checkRxeAccess(int access) {
        int known = OF_RXE | (pagesOnDemand() ? Access.ON_DEMAND.value() : 0);
        Refusal.when(
                has(Behaviour.REFUSES_FOREIGN_REGION_RIGHTS) && (access & ~known) != 0, Errno.EOPNOTSUPP);
    }

    void reregister(CView in, CView out) {
        Refusal.unless(has(Behaviour.REREGISTRATION), Errno.EOPNOTSUPP);
        int flags = in.getInt("flags");
        Refusal.when(flags == 0, Errno.EINVAL);
        Refusal.when((flags & ~(CHANGE_TRANSLATION | CHANGE_DOMAIN | CHANGE_ACCESS)) != 0, Errno.EOPNOTSUPP);
        KernelObject.Memory memory = memory(in.getInt("mr_handle"));
        int access = in.getInt("access_flags");
        if ((flags & CHANGE_ACCESS) != 0) {
            checkAccess(access);
        }
        KernelObject.Domain domain =
                (flags & CHANGE_DOMAIN) != 0 ? domain(in.getInt("pd_handle")) : memory.domain;
        Refusal.when((flags & CHANGE_TRANSLATION) != 0, Errno.EOPNOTSUPP);
        Region region = memory.region;
        if ((flags & CHANGE_ACCESS) != 0) {
            boolean writes = (access & WRITABLE) != 0;
            Refusal.when(writes && !memory.writable && has(Behaviour.MEMORY_STAYS_READ_ONLY), Errno.EACCES);
            checkRxeAccess(access);
        }
        region.change(domain.rxe, (flags & CHANGE_ACCESS) != 0 ? access : region.access());
        if (domain != memory.domain) {
            memory.move(domain);
        }
        out.set("lkey", region.key()).set("rkey", region.key());
    }

    Region region(int handle) {
        return memory(handle).region;
    }

    void deregister(int handle) {
        Region region = region(handle);
        Refusal.when(region.windows() > 0, Errno.EINVAL);
        file.node().rxe().remove(region);
        file.objects().remove(handle);
    }

    /// Prefetches pages. All are present, so only errors remain (`rxe_ib_prefetch_sg_list`, rxe_odp.c). Without
    /// [AdviseMemory#FLUSH] they are not reported.
    void advise(int domainHandle, int advice, int flags, MemorySegment elements) {
        KernelObject.Domain domain = domain(domainHandle);
        Refusal.when(advice < AdviseMemory.PREFETCH || advice > AdviseMemory.PREFETCH_NO_FAULT, Errno.EOPNOTSUPP);
        int size = AdviseMemory.BUFFER.size();
        Refusal.when(elements.byteSize() == 0 || elements.byteSize() % size != 0, Errno.EINVAL);
        if ((flags & AdviseMemory.FLUSH) == 0) {
            return;
        }
        for (long at = 0; at < elements.byteSize(); at += size) {
            int key = AdviseMemory.BUFFER.view(elements.asSlice(at, size)).getInt("lkey");
            Region region = file.node().rxe().region(key, domain.rxe, Access.LOCAL_WRITE.value());
            Refusal.when(region == null, Errno.EINVAL);
        }
    }

    void allocateWindow(CView in, CView out) {
        KernelObject.Domain domain = domain(in.getInt("pd_handle"));
        int type = in.getInt("mw_type");
        Refusal.unless(type == 1 || type == 2, Errno.EINVAL);
        Window window = file.node().rxe().window(domain.rxe, type);
        if (window == null) {
            throw new Refusal(Errno.ENOMEM);
        }
        out.set("mw_handle", file.objects().add(new KernelObject.MemoryWindow(domain, window)))
                .set("rkey", window.key());
    }

    void deallocateWindow(int handle) {
        KernelObject.MemoryWindow object = file.objects().get(handle, KernelObject.MemoryWindow.class);
        file.node().rxe().remove(object.window);
        file.objects().remove(handle);
    }
}
