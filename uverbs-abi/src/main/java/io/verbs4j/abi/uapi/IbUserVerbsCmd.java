// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A write command (`enum ib_uverbs_write_cmds`, include/uapi/rdma/ib_user_verbs.h), of the older interface of uverbs:
/// its number, its name and its structs.
///
/// Only the class of a command contains its number. A test compares it with the kernel's header by its C name. An
/// extended command has the plain one's number, other structs, and bit 31 set.
public final class IbUserVerbsCmd {
    /// `IB_USER_VERBS_CMD_FLAG_EXTENDED`.
    public static final int EXTENDED = 0x8000_0000;

    private final int number;
    private final boolean extended;
    private final String name;
    private final CStruct request;
    private final @Nullable CStruct response;

    private IbUserVerbsCmd(int number, boolean extended, String name, CStruct request, @Nullable CStruct response) {
        this.number = number;
        this.extended = extended;
        this.name = name;
        this.request = request;
        this.response = response;
    }

    /// Declares a command without a response.
    ///
    /// @param name the C name without `IB_USER_VERBS_CMD_`
    public static IbUserVerbsCmd of(int number, String name, CStruct request) {
        return new IbUserVerbsCmd(number, false, name, request, null);
    }

    /// Declares a command.
    ///
    /// @param name the C name without `IB_USER_VERBS_CMD_`
    public static IbUserVerbsCmd of(int number, String name, CStruct request, CStruct response) {
        return new IbUserVerbsCmd(number, false, name, request, response);
    }

    /// Declares an extended command.
    ///
    /// @param number without bit 31
    /// @param name the C name without `IB_USER_VERBS_EX_CMD_`
    public static IbUserVerbsCmd ofExtended(int number, String name, CStruct request, CStruct response) {
        return new IbUserVerbsCmd(number, true, name, request, response);
    }

    /// Returns the number without bit 31.
    public int number() {
        return number;
    }

    /// Returns whether it is an extended command.
    public boolean isExtended() {
        return extended;
    }

    /// Returns the value of `command`: the number, with bit 31 for an extended command.
    public int command() {
        return extended ? number | EXTENDED : number;
    }

    /// Returns a short name, such as `CREATE_CQ`, or `EX_CREATE_CQ` for the extended command.
    public String name() {
        return extended ? "EX_" + name : name;
    }

    /// Returns the name in the header.
    public String cName() {
        return (extended ? "IB_USER_VERBS_EX_CMD_" : "IB_USER_VERBS_CMD_") + name;
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
        return name();
    }
}
