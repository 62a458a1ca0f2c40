// SPDX-License-Identifier: Apache-2.0
/// Carries commands to the kernel, from one open device to one command:
///
/// 1. `CommandChannel`: one open device, and the encodings that its kernel supports.
/// 2. `IoctlCommand`, the native encoding, and `WriteCommand`, the older one, which travels inside an ioctl or by
///    `write()`.
/// 3. `CommandSpecification`: the description of one command: its encodings, structs, object and errors.
///
/// The commands are grouped by object: `io.verbs4j.abi.context`, `memory`, `completion`, `queuepair`, `sharedreceive`
/// and `datagram`. One class per verb has its encodings, fills the request and reads the response. Their structs and
/// numbers are in `io.verbs4j.abi.uapi`, the devices of this machine in `io.verbs4j.abi.discovery`.
///
/// Callers outside the project's own modules should use `io.verbs4j`; these packages follow the kernel and may change.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.command;

import org.jspecify.annotations.NullMarked;
