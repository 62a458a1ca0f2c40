// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import java.nio.file.Path;

/// Where the connection manager's device is.
public final class CmDevice {
    /// The device node.
    public static final Path NODE = Path.of("/dev/infiniband/rdma_cm");

    /// Where sysfs shows the version of its ABI.
    public static final Path ABI_VERSION = Path.of("/sys/class/misc/rdma_cm/abi_version");

    /// `RDMA_USER_CM_ABI_VERSION`: the version that this package speaks.
    public static final int SUPPORTED_ABI_VERSION = 4;

    /// The kernel module that brings the device.
    public static final String MODULE = "rdma_ucm";

    private CmDevice() {}
}
