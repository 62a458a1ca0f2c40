// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An argument of an ioctl method (`enum uverbs_attrs_*`, include/uapi/rdma/ib_user_ioctl_cmds.h, or a driver's
/// header). A number is unique only together with its method, which declares it ([UverbsMethod#in(int, String)] and
/// similar methods).
///
/// The kind of an argument (payload, constant, handle …) is not in the header but in the kernel's method tables
/// (`DECLARE_UVERBS_NAMED_METHOD` in drivers/infiniband/core/uverbs_std_types_*.c).
public final class UverbsAttribute {
    /// The driver's request in any method of the core.
    public static final UverbsAttribute UHW_IN = new UverbsAttribute(null, 0x1000, Kind.IN, "UHW_IN");
    /// The driver's response in any method of the core.
    public static final UverbsAttribute UHW_OUT = new UverbsAttribute(null, 0x1001, Kind.OUT, "UHW_OUT");

    private final @Nullable UverbsMethod method;
    private final int id;
    private final Kind kind;
    private final String name;
    private final @Nullable CStruct struct;
    private final boolean array;
    private final String field;

    /// The kind of an argument, which determines the contents of its 8 bytes of `data`.
    public enum Kind {
        /// Payload that the kernel reads: up to 8 bytes in `data` itself, otherwise their address.
        IN,
        /// The address of a response buffer.
        OUT,
        /// A number.
        CONSTANT,
        /// An object's handle.
        HANDLE,
        /// 0; after the command, the handle of a new object.
        NEW_HANDLE,
        /// A file descriptor.
        FILE,
        /// 0; after the command, a new file descriptor.
        NEW_FILE;

        /// Returns whether the kernel writes the argument.
        public boolean isAnswer() {
            return switch (this) {
                case OUT, NEW_HANDLE, NEW_FILE -> true;
                case IN, CONSTANT, HANDLE, FILE -> false;
            };
        }
    }

    UverbsAttribute(@Nullable UverbsMethod method, int id, Kind kind, String name) {
        this(method, id, kind, name, null, false, "");
    }

    UverbsAttribute(UverbsMethod method, int id, Kind kind, String name, String field) {
        this(method, id, kind, name, null, false, field);
    }

    UverbsAttribute(UverbsMethod method, int id, Kind kind, String name, CStruct struct, boolean array) {
        this(method, id, kind, name, struct, array, "");
    }

    private UverbsAttribute(
            @Nullable UverbsMethod method,
            int id,
            Kind kind,
            String name,
            @Nullable CStruct struct,
            boolean array,
            String field) {
        this.method = method;
        this.id = id;
        this.kind = kind;
        this.name = name;
        this.struct = struct;
        this.array = array;
        this.field = field;
        if (method != null) {
            method.add(this);
        }
    }

    /// Returns the kind of the argument.
    public Kind kind() {
        return kind;
    }

    /// Returns the struct of the argument or of its elements; empty for a number, or if it depends on more than the
    /// method.
    public Optional<CStruct> struct() {
        return Optional.ofNullable(struct);
    }

    /// Returns whether the argument is an array of its struct.
    public boolean isArray() {
        return array;
    }

    /// Returns the struct field with the same values as this constant, such as `qp_type`; empty if there is none.
    public Optional<String> field() {
        return field.isEmpty() ? Optional.empty() : Optional.of(field);
    }

    /// Returns the kind of object of a handle, from the end of the C name; empty for an argument that is not a handle.
    public Optional<UverbsObject> object() {
        for (UverbsObject object : UverbsObject.values()) {
            if (name.endsWith("_" + object.name() + "_HANDLE")) {
                return Optional.of(object);
            }
        }
        return Optional.empty();
    }

    /// Returns the method of the attribute; empty if any method may have it.
    public Optional<UverbsMethod> method() {
        return Optional.ofNullable(method);
    }

    /// Returns the number in `attr_id`.
    public int id() {
        return id;
    }

    /// Returns the C name without the owner and `_ATTR_`.
    public String name() {
        return name;
    }

    /// Returns the name in the header.
    public String cName() {
        return (method == null ? "UVERBS" : method.owner()) + "_ATTR_" + name;
    }

    /// Returns the attribute with a number that any method of the core may have.
    static Optional<UverbsAttribute> ofAnyMethod(int number) {
        return number == UHW_IN.id ? Optional.of(UHW_IN)
                : number == UHW_OUT.id ? Optional.of(UHW_OUT) : Optional.empty();
    }

    @Override
    public String toString() {
        return name;
    }
}
