// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// The method of an ioctl command (`enum uverbs_methods_*`, include/uapi/rdma/ib_user_ioctl_cmds.h, or a driver's
/// header). A number is unique only together with its object, and a driver's own number only together with the driver.
///
/// Only the class of a command contains the numbers of its method and attributes. A test compares them with the
/// kernel's header by their C names.
public final class UverbsMethod {
    /// `UVERBS_ID_DRIVER_NS`: numbers from this one on are a driver's own.
    private static final int DRIVER_NAMES = 0x1000;

    private static final String CORE = "UVERBS";

    private final UverbsObject object;
    private final int id;
    private final String owner;
    private final String name;
    private final List<UverbsAttribute> attributes = new CopyOnWriteArrayList<>();

    private UverbsMethod(UverbsObject object, int id, String owner, String name) {
        if (id < 0 || id >= DRIVER_NAMES == owner.equals(CORE)) {
            throw new IllegalArgumentException(
                    "a driver's numbers start at 0x1000: owner=" + owner + " name=" + name + " id=" + id);
        }
        this.object = object;
        this.id = id;
        this.owner = owner;
        this.name = name;
    }

    /// Declares a method of the RDMA core.
    ///
    /// @param name the C name without `UVERBS_METHOD_`
    public static UverbsMethod of(UverbsObject object, int id, String name) {
        return new UverbsMethod(object, id, CORE, name);
    }

    /// Declares a method that a driver adds to an object of the core.
    ///
    /// @param id from 0x1000
    /// @param owner prefix of the driver's C names, such as `MLX5_IB`
    /// @param name the C name without the owner and `_METHOD_`
    public static UverbsMethod ofDriver(UverbsObject object, int id, String owner, String name) {
        return new UverbsMethod(object, id, owner, name);
    }

    /// Declares a number, or an array without a struct, that the kernel reads.
    ///
    /// @param attribute the number in `attr_id`
    /// @param named the C name without the owner and `_ATTR_`
    public UverbsAttribute in(int attribute, String named) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.IN, named);
    }

    /// Declares a struct that the kernel reads.
    public UverbsAttribute in(int attribute, String named, CStruct struct) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.IN, named, struct, false);
    }

    /// Declares an array of structs that the kernel reads.
    public UverbsAttribute inArray(int attribute, String named, CStruct element) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.IN, named, element, true);
    }

    /// Declares a number that the kernel writes.
    public UverbsAttribute out(int attribute, String named) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.OUT, named);
    }

    /// Declares a struct that the kernel writes.
    public UverbsAttribute out(int attribute, String named, CStruct struct) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.OUT, named, struct, false);
    }

    /// Declares an array of structs that the kernel writes.
    public UverbsAttribute outArray(int attribute, String named, CStruct element) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.OUT, named, element, true);
    }

    /// Declares a constant.
    public UverbsAttribute constant(int attribute, String named) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.CONSTANT, named);
    }

    /// Declares a constant with the values of a struct field.
    ///
    /// @param field the field's C name, such as `qp_type`
    public UverbsAttribute constant(int attribute, String named, String field) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.CONSTANT, named, field);
    }

    /// Declares the handle of an object.
    public UverbsAttribute handle(int attribute, String named) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.HANDLE, named);
    }

    /// Declares the handle of an object that the command creates.
    public UverbsAttribute newHandle(int attribute, String named) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.NEW_HANDLE, named);
    }

    /// Declares a file descriptor.
    public UverbsAttribute file(int attribute, String named) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.FILE, named);
    }

    /// Declares a file descriptor that the command creates.
    public UverbsAttribute newFile(int attribute, String named) {
        return new UverbsAttribute(this, attribute, UverbsAttribute.Kind.NEW_FILE, named);
    }

    /// Adds an attribute; called by its constructor.
    void add(UverbsAttribute attribute) {
        for (UverbsAttribute other : attributes) {
            if (other.id() == attribute.id()) {
                throw new IllegalStateException(attribute + " and " + other + " have the same number");
            }
        }
        attributes.add(attribute);
    }

    /// Returns the object that the method belongs to.
    public UverbsObject object() {
        return object;
    }

    /// Returns the number in `method_id`.
    public int id() {
        return id;
    }

    /// Returns whether the method has these numbers.
    public boolean is(int objectId, int methodId) {
        return object.id() == objectId && id == methodId;
    }

    /// Returns the C name without the owner and `_METHOD_`.
    public String name() {
        return name;
    }

    /// Returns the name in the header.
    public String cName() {
        return owner + "_METHOD_" + name;
    }

    /// Returns the prefix of the method's C names: `UVERBS`, or a driver's.
    String owner() {
        return owner;
    }

    /// Returns the method's attributes in declaration order, without the driver's request and response.
    public List<UverbsAttribute> attributes() {
        return List.copyOf(attributes);
    }

    /// Returns the attribute with a number; empty if it was not declared.
    public Optional<UverbsAttribute> attribute(int number) {
        for (UverbsAttribute attribute : attributes) {
            if (attribute.id() == number) {
                return Optional.of(attribute);
            }
        }
        return owner.equals(CORE) ? UverbsAttribute.ofAnyMethod(number) : Optional.empty();
    }

    @Override
    public String toString() {
        return cName();
    }
}
