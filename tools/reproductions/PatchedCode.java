// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Makes a virtual machine replace the code of methods while two threads run them: classes that are resolved late, a receiver of a
/// second class, methods that a new class makes invalid. HotSpot overwrites the first four bytes of a compiled method by one
/// store, and relies on processors that fetch them by one load. QEMU's emulation with several processors decodes them byte by byte.
///
/// It does not use verbs4j. The exit code is 0, unless the virtual machine crashes:
///     javac -d /tmp/patched tools/reproductions/PatchedCode.java
///     tools/lab run -- java -XX:TieredStopAtLevel=1 -XX:Tier3InvocationThreshold=60 -XX:Tier3MinInvocationThreshold=30
///         -XX:Tier3CompileThreshold=60 -XX:Tier0InvokeNotifyFreqLog=4 -cp /tmp/patched PatchedCode 30
public final class PatchedCode {
    public interface Body {
        int run(int phase, int x, Object receiver);
    }

    public static class Base {
        public int add(int x) {
            return x + 1;
        }
    }

    public static class Other extends Base {
        @Override
        public int add(int x) {
            return x + 2;
        }
    }

    public static class Early {
        public static int number = 3;
        public int field = 4;

        public static int call(int x) {
            return x + 5;
        }
    }

    public static class Late extends Early {
        public static long wide = 7;

        public Late() {
            field = 41;
        }
    }

    public static class Hot implements Body {
        @Override
        public int run(int phase, int x, Object receiver) {
            int result = ((Base) receiver).add(x);
            if (phase > 0) {
                result = Early.call(result + Early.number) + new Early().field;
            }
            if (phase > 1) {
                Object late = new Late();
                result += ((Early) late).field + (int) Late.wide + new Late[2].length + (late instanceof Late ? 1 : 0);
            }
            return result;
        }
    }

    private static int expected(int phase, int x, boolean other) {
        return (other ? x + 2 : x + 1) + (phase > 0 ? 12 : 0) + (phase > 1 ? 51 : 0);
    }

    /// Defines the classes anew, so that everything about them is compiled and resolved anew.
    private static final class Loader extends ClassLoader {
        private static final ConcurrentHashMap<String, byte[]> CODE = new ConcurrentHashMap<>();

        Loader() {
            super(PatchedCode.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (this) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                if (!name.startsWith("PatchedCode$") || name.endsWith("$Body") || name.endsWith("$Loader")) {
                    return super.loadClass(name, resolve);
                }
                byte[] code = CODE.computeIfAbsent(name, Loader::read);
                return defineClass(name, code, 0, code.length);
            }
        }

        private static byte[] read(String name) {
            try (var in = PatchedCode.class.getResourceAsStream(name + ".class")) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Object make(String name) throws ReflectiveOperationException {
            return loadClass("PatchedCode$" + name).getConstructor().newInstance();
        }
    }

    private static final int THREADS = 2;
    private static final int CALLS = 150; // of each thread in each phase: enough for the compiler
    private static final AtomicIntegerArray COUNTS = new AtomicIntegerArray(32 * THREADS);
    private static volatile Body body;
    private static volatile Object receiver;
    private static volatile int phase;
    private static volatile int wrong;
    private static volatile boolean over;

    private PatchedCode() {}

    public static void main(String[] arguments) throws Exception {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        Loader loader = begin();
        for (int i = 0; i < THREADS; i++) {
            int own = 32 * i;
            Thread.ofPlatform().daemon().start(() -> work(own));
        }
        int rounds = 0;
        for (; System.nanoTime() < end; rounds++) {
            awaitCalls();
            phase = 1;
            awaitCalls();
            receiver = loader.make("Other");
            awaitCalls();
            phase = 2;
            awaitCalls();
            loader = begin();
        }
        over = true;
        System.out.println(rounds + " rounds, " + wrong + " wrong results");
        System.exit(wrong == 0 ? 0 : 3);
    }

    private static Loader begin() throws ReflectiveOperationException {
        var loader = new Loader();
        Body next = (Body) loader.make("Hot");
        receiver = loader.make("Base");
        phase = 0;
        body = next;
        return loader;
    }

    private static void work(int own) {
        for (int x = own; !over; x++) {
            Body now = body;
            int of = phase;
            Object given = receiver;
            if (given.getClass().getClassLoader() == now.getClass().getClassLoader()
                    && now.run(of, x, given) != expected(of, x, given.getClass().getName().endsWith("Other"))) {
                wrong++;
            }
            COUNTS.setRelease(own, COUNTS.getPlain(own) + 1);
        }
    }

    private static void awaitCalls() {
        for (int i = 0; i < THREADS; i++) {
            int from = COUNTS.getAcquire(32 * i);
            while (COUNTS.getAcquire(32 * i) - from < CALLS) {
                Thread.yield();
            }
        }
    }
}
