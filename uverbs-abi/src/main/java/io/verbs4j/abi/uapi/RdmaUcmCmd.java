// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A command of `/dev/infiniband/rdma_cm` (include/uapi/rdma/rdma_user_cm.h): its number, its name and its structs.
///
/// Only the class of a command contains its number. A test compares it with the kernel's header by its C name.
public final class RdmaUcmCmd {
    private final int number;
    private final String name;
    private final CStruct request;
    private final @Nullable CStruct response;

    private RdmaUcmCmd(int number, String name, CStruct request, @Nullable CStruct response) {
        this.number = number;
        this.name = name;
        this.request = request;
        this.response = response;
    }

    /// Declares a command without a response.
    ///
    /// @param name the C name without `RDMA_USER_CM_CMD_`
    public static RdmaUcmCmd of(int number, String name, CStruct request) {
        return new RdmaUcmCmd(number, name, request, null);
    }

    /// Declares a command.
    ///
    /// @param name the C name without `RDMA_USER_CM_CMD_`
    public static RdmaUcmCmd of(int number, String name, CStruct request, CStruct response) {
        return new RdmaUcmCmd(number, name, request, response);
    }

    /// Returns the value of `cmd`.
    public int number() {
        return number;
    }

    /// Returns the C name without `RDMA_USER_CM_CMD_`.
    public String name() {
        return name;
    }

    /// Returns the name in the header.
    public String cName() {
        return "RDMA_USER_CM_CMD_" + name;
    }

    /// Returns the request's struct.
    public CStruct request() {
        return request;
    }

    /// Returns the response's struct; empty if the command has none.
    public Optional<CStruct> response() {
        return Optional.ofNullable(response);
    }

    @Override
    public String toString() {
        return name;
    }
}
