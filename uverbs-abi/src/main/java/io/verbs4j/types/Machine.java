// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A machine whose RDMA devices can be listed, such as a simulated one. Only verbs4j implements this interface.
public interface Machine {}
