// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

/// Ways by which a channel's commands reach the kernel. The order is that of preference: each includes the later ones
/// for verbs that it has no form for.
public enum Transport {
    /// Methods of their own where verbs have them ([IoctlCommand]); the rest as write commands inside an ioctl, or by
    /// `write()` on kernels that cannot do that.
    NATIVE_IOCTL,
    /// Every verb as a write command inside an ioctl, `UVERBS_METHOD_INVOKE_WRITE`.
    INVOKE_WRITE,
    /// Every verb by `write()` on the file. The kernel refuses it to a process that forked or changed its credentials
    /// since it opened the file.
    WRITE
}
