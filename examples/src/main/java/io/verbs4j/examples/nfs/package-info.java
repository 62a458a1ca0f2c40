// SPDX-License-Identifier: Apache-2.0
/// A client of the kernel's NFS server. The server sends the bytes of files by RDMA.
@NullMarked
package io.verbs4j.examples.nfs;

import org.jspecify.annotations.NullMarked;
