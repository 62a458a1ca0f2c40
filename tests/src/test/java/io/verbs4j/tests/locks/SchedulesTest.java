// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.support.InstrumentingLoader;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads close, poll, post, create and reset in many orders, each reproducible by a seed. Defects of earlier versions
/// are injected to prove that the orders find them.
class SchedulesTest {
    /// Number of orders that are tried; the long form, for which the system property `walks.minutes` asks, tries more.
    private static final int ORDERS = Long.getLong("walks.minutes", 0) > 0 ? 5000 : 40;

    private static Method scenario(String name, InstrumentingLoader.Weaver weaver) throws ReflectiveOperationException {
        Method scenario = new InstrumentingLoader(weaver)
                .loadClass(Schedules.class.getName())
                .getDeclaredMethod(name, long.class);
        scenario.setAccessible(true);
        return scenario;
    }

    private static void explore(String name, InstrumentingLoader.Weaver weaver) throws Throwable {
        Method scenario = scenario(name, weaver);
        for (long seed = 0; seed < ORDERS; seed++) {
            try {
                scenario.invoke(null, seed);
            } catch (InvocationTargetException e) {
                throw new AssertionError("order " + seed + " of " + name + ": " + e.getCause().getMessage(),
                        e.getCause());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"endInBatches", "createWhileTheContextCloses", "doAllByLot"})
    void everyOrderComesToItsEnd(String name) throws Throwable {
        explore(name, (_, bytes) -> LockWeaver.weave(bytes));
    }

    /// A queue that is closed or reset once waited for every queue whose completions it dropped.
    @ParameterizedTest
    @ValueSource(strings = "endInBatches")
    void findsQueuesThatWaitForEachOther(String name) {
        InstrumentingLoader.Weaver waiting = (type, bytes) -> LockWeaver.weave(
                type.equals("io.verbs4j.CompletionQueue")
                        ? replacing(bytes, "forgetIfIdle", "tryLock", (code, call) -> {
                            code.invokevirtual(call.owner().asSymbol(), "lock",
                                    MethodTypeDesc.of(ConstantDescs.CD_void));
                            code.iconst_1();
                        })
                        : bytes);
        assertThatThrownBy(() -> explore(name, waiting)).isInstanceOf(AssertionError.class)
                .hasMessageContaining(" waits in ");
    }

    /// A context that was closed once let others be made from it.
    @ParameterizedTest
    @ValueSource(strings = "createWhileTheContextCloses")
    void findsObjectsThatAreMadeWhileTheirContextCloses(String name) {
        InstrumentingLoader.Weaver letting = (type, bytes) -> LockWeaver.weave(
                type.equals("io.verbs4j.Context")
                        ? replacing(
                                replacing(bytes, "close", "stopCreations", (code, _) -> code.pop()),
                                "close",
                                "resumeCreations",
                                (code, _) -> code.pop())
                        : bytes);
        assertThatThrownBy(() -> explore(name, letting)).isInstanceOf(AssertionError.class)
                .hasStackTraceContaining("used");
    }

    private interface Replacement {
        void write(CodeBuilder code, InvokeInstruction call);
    }

    private static byte[] replacing(byte[] bytes, String method, String called, Replacement replacement) {
        CodeTransform body = (code, element) -> {
            if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
                replacement.write(code, call);
            } else {
                code.with(element);
            }
        };
        ClassFile files = ClassFile.of();
        return files.transformClass(
                files.parse(bytes),
                ClassTransform.transformingMethodBodies(found -> found.methodName().equalsString(method), body));
    }
}
