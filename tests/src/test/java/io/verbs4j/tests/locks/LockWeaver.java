// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/// Rewrites classes so that they call [LockHooks] for each lock that they name, acquire and release.
///
/// A lock is named after the field that stores it; a monitor after the class whose code enters it.
final class LockWeaver {
    private static final String LOCKS = "java/util/concurrent/locks/";
    private static final String BATCH_LOCK = "io/verbs4j/BatchLock";
    private static final Set<String> FIELD_TYPES = Set.of(
            "L" + LOCKS + "Lock;",
            "L" + LOCKS + "ReentrantLock;",
            "L" + LOCKS + "ReentrantReadWriteLock;",
            "L" + BATCH_LOCK + ";");
    private static final Set<String> LOCK_TYPES = Set.of(
            LOCKS + "Lock",
            LOCKS + "ReentrantLock",
            LOCKS + "ReentrantReadWriteLock$ReadLock",
            LOCKS + "ReentrantReadWriteLock$WriteLock");
    private static final ClassDesc HOOKS = LockHooks.class.describeConstable().orElseThrow();
    private static final ClassDesc LOCK = Lock.class.describeConstable().orElseThrow();
    private static final ClassDesc TIME_UNIT = TimeUnit.class.describeConstable().orElseThrow();

    private LockWeaver() {}

    /// Returns the class with the calls of [LockHooks] in it.
    static byte[] weave(byte[] bytes) {
        ClassFile files = ClassFile.of();
        ClassModel model = files.parse(bytes);
        String type = model.thisClass().asInternalName();
        ClassTransform transform = (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                builder.transformMethod(method, MethodTransform.transformingCode(new Body(type, method)));
            } else {
                builder.with(element);
            }
        };
        return files.transformClass(model, transform);
    }

    /// Returns the last part of a class's name.
    ///
    /// @param name internal or binary
    static String simpleName(String name) {
        return name
                .substring(1 + Math.max(name.lastIndexOf('/'), Math.max(name.lastIndexOf('.'), name.lastIndexOf('$'))));
    }

    private record Body(String type, MethodModel method) implements CodeTransform {
        @Override
        public void atStart(CodeBuilder code) {
            if (!method.flags().has(AccessFlag.SYNCHRONIZED)) {
                return;
            }
            if (method.flags().has(AccessFlag.STATIC)) {
                code.loadConstant(ClassDesc.ofInternalName(type));
            } else {
                code.aload(0);
            }
            code.dup();
            monitorHook(code, "wants");
            monitorHook(code, "entered");
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            switch (element) {
                case FieldInstruction field when FIELD_TYPES.contains(field.type().stringValue()) -> store(code, field);
                case MonitorInstruction monitor -> monitor(code, monitor);
                case InvokeInstruction call when LOCK_TYPES.contains(call.owner().asInternalName()) -> lock(code, call);
                case InvokeInstruction call when call.owner().asInternalName().equals(BATCH_LOCK) ->
                    batchLock(code, call);
                default -> code.with(element);
            }
        }

        private static void store(CodeBuilder code, FieldInstruction field) {
            if (field.name().stringValue().contains("$")) {
                code.with(field); // what javac stores before the object exists: the outer object, captured variables
                return;
            }
            if (field.opcode() == Opcode.PUTFIELD) {
                code.dup2().loadConstant(field.name().stringValue());
                hook(code, "named", MethodTypeDesc.of(CD_void, CD_Object, CD_Object, CD_String));
            } else if (field.opcode() == Opcode.PUTSTATIC) {
                code.dup().loadConstant(simpleName(field.owner().asInternalName()) + "." + field.name().stringValue());
                hook(code, "named", MethodTypeDesc.of(CD_void, CD_Object, CD_String));
            }
            code.with(field);
        }

        private void monitor(CodeBuilder code, MonitorInstruction monitor) {
            if (monitor.opcode() == Opcode.MONITORENTER) {
                code.dup().dup();
                monitorHook(code, "wants");
                code.with(monitor);
                monitorHook(code, "entered");
            } else {
                code.dup().with(monitor);
                hook(code, "released", MethodTypeDesc.of(CD_void, CD_Object));
            }
        }

        private void monitorHook(CodeBuilder code, String name) {
            code.loadConstant(simpleName(type) + " monitor");
            hook(code, name, MethodTypeDesc.of(CD_void, CD_Object, CD_String));
        }

        private static void lock(CodeBuilder code, InvokeInstruction call) {
            switch (call.name().stringValue() + call.type().stringValue()) {
                case "lock()V", "lockInterruptibly()V", "unlock()V" ->
                    hook(code, call.name().stringValue(), MethodTypeDesc.of(CD_void, LOCK));
                case "tryLock()Z" -> hook(code, "tryLock", MethodTypeDesc.of(CD_boolean, LOCK));
                case "tryLock(JLjava/util/concurrent/TimeUnit;)Z" ->
                    hook(code, "tryLock", MethodTypeDesc.of(CD_boolean, LOCK, CD_long, TIME_UNIT));
                default -> code.with(call);
            }
        }

        private void batchLock(CodeBuilder code, InvokeInstruction call) {
            if (type.equals(BATCH_LOCK) && !method.methodName().equalsString("lockAll")) {
                code.with(call); // how it does what its caller has asked for
                return;
            }
            switch (call.name().stringValue()) {
                case "lock" -> {
                    String how =
                            method.methodName().stringValue().startsWith("begin") ? LockTable.BEGUN : LockTable.INSIDE;
                    code.dup();
                    batchHook(code, "wantsBatch", how);
                    code.dup().with(call);
                    batchHook(code, "holdsBatch", how);
                }
                case "lockFor" -> {
                    code.dup2().pop();
                    batchHook(code, "wantsBatch", LockTable.STOPPED);
                    code.dup2().with(call).pop();
                    batchHook(code, "holdsBatch", LockTable.STOPPED);
                }
                case "tryLock" -> {
                    code.dup().with(call);
                    hook(code, "tried", MethodTypeDesc.of(CD_boolean, CD_Object, CD_boolean));
                }
                case "unlock" -> {
                    code.dup().with(call);
                    hook(code, "released", MethodTypeDesc.of(CD_void, CD_Object));
                }
                default -> code.with(call);
            }
        }

        private static void batchHook(CodeBuilder code, String name, String how) {
            code.loadConstant(how);
            hook(code, name, MethodTypeDesc.of(CD_void, CD_Object, CD_String));
        }

        private static void hook(CodeBuilder code, String name, MethodTypeDesc type) {
            code.invokestatic(HOOKS, name, type);
        }
    }
}
