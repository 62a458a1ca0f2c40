// SPDX-License-Identifier: Apache-2.0
/// The kernel's uverbs interface, from one system call up to one verb:
///
/// 1. `UverbsFile`, the boundary: an open device file with the system calls it takes. `io.verbs4j.abi.os` has the real one.
/// 2. The envelopes: `IoctlCommand`, the native one, and `WriteCommand`, the older one, which travels inside an ioctl or by
///    `write()`.
/// 3. `CommandChannel`, one open device, which knows the envelopes that its kernel takes.
/// 4. One class per verb, which knows its transports, fills the request and reads the answer, and turns a refusal into an
///    exception that says what usually causes it.
///
/// The structs and numbers that requests and answers are made of are in `io.verbs4j.abi.uapi`, the devices that there are in
/// `io.verbs4j.abi.discovery`.
///
/// Callers outside the project's own modules should use `io.verbs4j`; this package follows the kernel and may change.
@NullMarked
package io.verbs4j.abi;

import org.jspecify.annotations.NullMarked;
