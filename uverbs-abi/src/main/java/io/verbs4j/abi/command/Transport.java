// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

/// Transports of a channel's commands to the kernel, in order of preference. Each includes the later ones for verbs
/// that it cannot encode.
public enum Transport {
    /// A verb that has an ioctl method uses this method ([IoctlCommand]). Other verbs are write commands inside an
    /// ioctl, or by `write()` if the kernel does not accept write commands inside an ioctl.
    NATIVE_IOCTL,
    /// Every verb as a write command inside an ioctl, `UVERBS_METHOD_INVOKE_WRITE`.
    INVOKE_WRITE,
    /// Every verb by `write()` on the file. The kernel refuses it to a process that forked or changed its credentials
    /// after it opened the file.
    WRITE
}
