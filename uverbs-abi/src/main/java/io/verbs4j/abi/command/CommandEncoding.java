// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UverbsMethod;

/// One encoding in which a command reaches the kernel.
public sealed interface CommandEncoding {
    /// Returns the method's or command's name in C.
    String cName();

    /// Returns the approximate Linux release that introduced the encoding.
    String since();

    /// A method of the ioctl interface.
    record Method(UverbsMethod method, String since) implements CommandEncoding {
        @Override
        public String cName() {
            return method.cName();
        }
    }

    /// A write command, inside an ioctl or by `write()`.
    record Write(IbUserVerbsCmd command, String since) implements CommandEncoding {
        @Override
        public String cName() {
            return command.cName();
        }
    }

    /// A command of the connection manager, by `write()` on `/dev/infiniband/rdma_cm`.
    record ConnectionManager(RdmaUcmCmd command, String since) implements CommandEncoding {
        @Override
        public String cName() {
            return command.cName();
        }
    }
}
