// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

/// Transports of a channel's commands to the kernel, in order of preference. Each includes the later ones for verbs
/// that it cannot encode.
public enum Transport {
    /// Methods of their own for verbs that have them ([IoctlCommand]). The others are write commands inside an ioctl,
    /// or by `write()` on kernels that do not support that.
    NATIVE_IOCTL,
    /// Every verb as a write command inside an ioctl, `UVERBS_METHOD_INVOKE_WRITE`.
    INVOKE_WRITE,
    /// Every verb by `write()` on the file. The kernel refuses it to a process that forked or changed its credentials
    /// after it opened the file.
    WRITE
}
