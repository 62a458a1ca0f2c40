// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

/// Numbers of the kernel's RDMA drivers (`enum rdma_driver_id`, include/uapi/rdma/ib_user_ioctl_verbs.h). Every ioctl
/// command must contain that of its device. They also determine the provider.
public final class RdmaDriver {
    /// Unknown: not reported by the kernel.
    public static final int UNKNOWN = 0;
    /// NVIDIA ConnectX.
    public static final int MLX5 = 1;
    /// Software RoCE.
    public static final int RXE = 14;
    /// Software iWARP.
    public static final int SIW = 18;

    private static final String[] NAMES = {
            "UNKNOWN", "MLX5", "MLX4", "CXGB3", "CXGB4", "MTHCA", "BNXT_RE", "OCRDMA", "NES", "IRDMA", "VMW_PVRDMA",
            "QEDR",
            "HNS", "USNIC", "RXE", "HFI1", "QIB", "EFA", "SIW", "ERDMA", "MANA", "IONIC"
    };

    private RdmaDriver() {}

    /// Returns the number of drivers that this version has names for.
    public static int count() {
        return NAMES.length;
    }

    /// Returns the name in the header, without `RDMA_DRIVER_`.
    public static String name(int id) {
        return id >= 0 && id < NAMES.length ? NAMES[id] : "UNKNOWN(" + id + ")";
    }
}
