// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.heap;

import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;

/// Rewrites classes so that they call [HeapHooks] before each allocation: of objects and arrays, of capturing lambdas
/// and concatenated strings, and before calls of the JDK that return an object or put one into a collection.
final class HeapWeaver {
    private static final ClassDesc HOOKS = HeapHooks.class.describeConstable().orElseThrow();

    /// They make a place for what they take.
    private static final Set<String> STORING =
            Set.of("add", "addAll", "addFirst", "addLast", "put", "putIfAbsent", "push", "merge", "offer");

    /// They return what is there already.
    private static final Set<String> FINDING = Set.of(
            "get", "getFirst", "getLast", "getOrDefault", "remove", "removeFirst", "pop", "poll", "next", "peek",
            "currentThread", "requireNonNull", "orElse", "orElseThrow", "orElseGet", "readLock", "writeLock",
            "getAcquire", "getAndSet",
            "getClass", "invokeExact", "getSeconds", "scope", "arena");

    /// They make what holds the parameters; those of records and of `switch` make nothing.
    private static final Set<String> MAKING = Set.of("LambdaMetafactory", "StringConcatFactory");

    private HeapWeaver() {}

    /// Returns the class with calls of [HeapHooks]. Initializers are not changed, because a class whose initializer has
    /// failed can never be used.
    static byte[] weave(byte[] bytes) {
        ClassFile files = ClassFile.of();
        ClassModel model = files.parse(bytes);
        CodeTransform body = (code, element) -> {
            if (allocates(element)) {
                code.invokestatic(HOOKS, "allocates", MethodTypeDesc.of(CD_void));
            }
            code.with(element);
        };
        ClassTransform transform = (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()
                    && !method.methodName().equalsString(CLASS_INIT_NAME)) {
                builder.transformMethod(method, MethodTransform.transformingCode(body));
            } else {
                builder.with(element);
            }
        };
        return files.transformClass(model, transform);
    }

    private static boolean allocates(CodeElement element) {
        return switch (element) {
            case NewObjectInstruction _,NewPrimitiveArrayInstruction _,NewReferenceArrayInstruction _,NewMultiArrayInstruction _ ->
                true;
            case InvokeDynamicInstruction made ->
                made.typeSymbol().parameterCount() > 0
                        && MAKING.contains(made.bootstrapMethod().owner().displayName());
            case InvokeInstruction call -> call.owner().asInternalName().startsWith("java/") && allocates(call);
            default -> false;
        };
    }

    private static boolean allocates(InvokeInstruction call) {
        String name = call.name().stringValue();
        return STORING.contains(name) || !call.typeSymbol().returnType().isPrimitive() && !FINDING.contains(name);
    }
}
