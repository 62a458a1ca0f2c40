// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

/// An argument of an ioctl method: one of the core's ([UverbsAttribute]), or one that a driver adds to its own methods or to
/// the core's.
public interface IoctlAttribute {
    /// The number in `attr_id`; drivers' own start at 0x1000.
    int id();
}
