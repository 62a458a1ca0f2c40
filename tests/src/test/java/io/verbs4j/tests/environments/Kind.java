// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

/// Classifies commands by the resource that they need.
enum Kind {
    /// Nothing of the kernel.
    PURE,
    /// The list of devices. Without any, it is empty and explained on the standard error, and the exit code is 0.
    LIST,
    /// A device's attributes, by sysfs.
    LOOK,
    /// RDMA netlink, which shows devices and objects.
    NETLINK,
    /// The device's node.
    OPEN,
    /// Two queue pairs that exchange messages.
    DATA,
    /// The connection manager, and queue pairs that it connects.
    CONNECT,
    /// A packet socket, and the device's network interface.
    CAPTURE,
    /// A packet socket and the device's node.
    TRACE,
    /// The permission to make a software device.
    LINK,
    /// A folder that can be written.
    FILE,
    /// All of it; finds out what is missing.
    DOCTOR
}
