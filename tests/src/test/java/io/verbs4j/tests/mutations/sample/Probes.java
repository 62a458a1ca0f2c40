// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Places of the sample that the tests have reached, in this process and its child processes, which share a mapped
/// file. Public, because classes of other packages call it.
public final class Probes {
    /// The environment variable with the file's name.
    static final String FILE = "VERBS4J_REACHED";

    private static final int SIZE = 10_000;
    private static final ByteBuffer REACHED = map(System.getenv(FILE));

    private Probes() {}

    private static ByteBuffer map(@Nullable String file) {
        if (file == null || !Files.isWritable(Path.of(file))) { // as in a guest, for an ordinary user
            return ByteBuffer.allocate(SIZE);
        }
        try (var channel = FileChannel.open(Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A place is reached.
    public static void reached(int place) {
        if (REACHED.get(place) == 0) {
            REACHED.put(place, (byte) 1);
        }
    }

    /// A comparison is reached, and it matters what it says of equal numbers.
    public static void reachedIfSame(int left, int right, int place) {
        if (left == right) {
            reached(place);
        }
    }

    /// The end of a method is reached with a result that is not 0.
    public static void reachedUnlessZero(long result, int place) {
        if (result != 0) {
            reached(place);
        }
    }

    /// The end of a method is reached with a result that is not null.
    public static void reachedUnlessNull(@Nullable Object result, int place) {
        if (result != null) {
            reached(place);
        }
    }

    /// Writes a call of [#reached(int)].
    static void reached(CodeBuilder code, int place) {
        call(code, place, "reached");
    }

    /// Writes a call of [#reachedIfSame] for the two numbers on the stack.
    static void reachedIfSame(CodeBuilder code, int place) {
        call(code, place, "reachedIfSame", ConstantDescs.CD_int, ConstantDescs.CD_int);
    }

    /// Writes a call of [#reachedUnlessZero] for the number on the stack.
    static void reachedUnlessZero(CodeBuilder code, int place) {
        call(code, place, "reachedUnlessZero", ConstantDescs.CD_long);
    }

    /// Writes a call of [#reachedUnlessNull] for the object on the stack.
    static void reachedUnlessNull(CodeBuilder code, int place) {
        call(code, place, "reachedUnlessNull", ConstantDescs.CD_Object);
    }

    private static void call(CodeBuilder code, int place, String name, ClassDesc... operands) {
        code.loadConstant(place);
        var type = MethodTypeDesc.of(ConstantDescs.CD_void, operands)
                .insertParameterTypes(operands.length, ConstantDescs.CD_int);
        code.invokestatic(Probes.class.describeConstable().orElseThrow(), name, type);
    }

    /// Returns what was reached since the last call.
    static List<Integer> take() {
        var reached = new ArrayList<Integer>();
        for (int place = 0; place < SIZE; place++) {
            if (REACHED.get(place) != 0) {
                REACHED.put(place, (byte) 0);
                reached.add(place);
            }
        }
        return reached;
    }

    /// Makes the file for the processes that start with [#FILE].
    static Path create(Path file) throws IOException {
        return Files.write(file, new byte[SIZE]);
    }
}
