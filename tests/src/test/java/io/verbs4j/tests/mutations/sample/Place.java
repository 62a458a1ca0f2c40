// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An instruction of compiled code, and the defect to inject there.
///
/// @param type internal name of the class
/// @param method name and descriptor
/// @param instruction number of the instruction in the method
/// @param change the defect
/// @param line line of the source
record Place(String type, String method, int instruction, Change change, int line) {
    /// The methods that the compiler adds to enums and lambdas.
    private static final Set<String> COMPILED = Set.of("values", "valueOf", "$values", "$deserializeLambda$");

    /// Returns all places of a class.
    static List<Place> of(byte[] bytes) {
        ClassModel model = ClassFile.of().parse(bytes);
        var places = new ArrayList<Place>();
        if (model.flags().has(AccessFlag.SYNTHETIC)) { // the compiler's tables for switches
            return places;
        }
        for (MethodModel method : model.methods()) {
            if (method.code().isPresent() && isWritten(model, method)) {
                int number = 0;
                int line = 0;
                boolean ordinal = false;
                for (CodeElement element : method.code().get()) {
                    if (element instanceof LineNumber at) {
                        line = at.line();
                    }
                    if (element instanceof Instruction at && ordinal) {
                        ordinal = false;
                        number++;
                    } else if (element instanceof Instruction at) {
                        ordinal = isNameOfConstant(model, method, at);
                        for (Change change : Change.values()) {
                            if (change.fits(at)
                                    && !(change == Change.REMOVED_ASSIGNMENT && isCanonical(model, method))) {
                                places.add(new Place(
                                        model.thisClass().asInternalName(), name(method), number, change, line));
                            }
                        }
                        number++;
                    }
                }
            }
        }
        return places;
    }

    /// Returns whether a method comes from the source, in which lambdas are written, too.
    private static boolean isWritten(ClassModel model, MethodModel method) {
        String name = method.methodName().stringValue();
        boolean record = model.findAttribute(Attributes.record()).isPresent();
        boolean accessor = model.findAttribute(Attributes.record())
                .map(components -> components.components().stream().anyMatch(c -> c.name().equalsString(name)))
                .orElse(false);
        return !COMPILED.contains(name) && !accessor && !name.equals("toString")
                && !(record && (name.equals("equals") || name.equals("hashCode")))
                && (!method.flags().has(AccessFlag.SYNTHETIC) || name.startsWith("lambda$"))
                && !method.flags().has(AccessFlag.BRIDGE);
    }

    /// Returns whether a method is a record's canonical constructor, whose assignments the compiler writes.
    private static boolean isCanonical(ClassModel model, MethodModel method) {
        return method.methodName().equalsString(ConstantDescs.INIT_NAME)
                && model.findAttribute(Attributes.record())
                        .map(record -> record.components().stream().map(RecordComponentInfo::descriptorSymbol).toList())
                        .filter(method.methodTypeSymbol().parameterList()::equals)
                        .isPresent();
    }

    /// Returns whether the next instruction is an enum constant's ordinal, which the compiler numbers.
    private static boolean isNameOfConstant(ClassModel model, MethodModel method, Instruction at) {
        return model.flags().has(AccessFlag.ENUM)
                && method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME)
                && at instanceof ConstantInstruction constant
                && constant.constantValue() instanceof String;
    }

    private static String name(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    /// Reads what [#text] has written.
    static Place parse(String text) {
        String[] parts = text.split(" ");
        return new Place(
                parts[0], parts[1], Integer.parseInt(parts[2]), Change.valueOf(parts[3]), Integer.parseInt(parts[4]));
    }

    /// Returns what [#parse] reads.
    String text() {
        return String.join(" ", type, method, Integer.toString(instruction), change.name(), Integer.toString(line));
    }

    /// Returns the source file, from the folder of its module's sources.
    String source() {
        return type.replaceAll("\\$.*", "") + ".java";
    }

    /// Returns the name of the class that its source file is named after, without its package.
    String file() {
        String source = source();
        return source.substring(source.lastIndexOf('/') + 1, source.length() - ".java".length());
    }

    /// Returns the last part of the package's name.
    String room() {
        String folder = type.substring(0, type.lastIndexOf('/'));
        return folder.substring(folder.lastIndexOf('/') + 1);
    }

    /// Returns the class with the defect.
    byte[] apply(byte[] bytes) {
        return transform(bytes, Map.of(method, Map.of(instruction, change::apply)));
    }

    /// Returns the class with a call of [Probes] before each of some of its places. A place in the class's initializer,
    /// or in the constructor of an enum, counts as reached by each method, because it is executed only once for all
    /// tests of a process.
    ///
    /// @param places by number
    static byte[] probe(byte[] bytes, Map<Integer, Place> places) {
        ClassModel model = ClassFile.of().parse(bytes);
        String once = model.flags().has(AccessFlag.ENUM) ? "<(cl)?init>.*" : "<clinit>.*";
        var calls = new HashMap<String, Map<Integer, Writer>>();
        places.forEach((number, place) -> {
            add(calls, place.method, place.instruction, (code, at) -> place.change.probe(code, at, number));
            if (place.method.matches(once)) {
                for (MethodModel method : model.methods()) {
                    add(calls, name(method), 0, (code, _) -> Probes.reached(code, number));
                }
            }
        });
        calls.values().forEach(inMethod -> inMethod.replaceAll((_, probes) -> (code, at) -> {
            probes.write(code, at);
            code.with(at);
        }));
        return transform(bytes, calls);
    }

    private static void add(Map<String, Map<Integer, Writer>> calls, String method, int instruction, Writer probe) {
        calls.computeIfAbsent(method, _ -> new HashMap<>()).merge(instruction, probe, (one, other) -> (code, at) -> {
            one.write(code, at);
            other.write(code, at);
        });
    }

    /// Writes an instruction, or what stands before it.
    private interface Writer {
        void write(CodeBuilder code, Instruction at);
    }

    private static byte[] transform(byte[] bytes, Map<String, Map<Integer, Writer>> writers) {
        ClassFile files = ClassFile.of();
        ClassTransform transform = (builder, element) -> {
            if (element instanceof MethodModel method && writers.containsKey(name(method))) {
                Map<Integer, Writer> inMethod = writers.get(name(method));
                builder.transformMethod(
                        method, MethodTransform.transformingCode(CodeTransform.ofStateful(() -> counting(inMethod))));
            } else {
                builder.with(element);
            }
        };
        return files.transformClass(files.parse(bytes), transform);
    }

    private static CodeTransform counting(Map<Integer, Writer> writers) {
        int[] number = new int[1];
        return (code, element) -> {
            if (element instanceof Instruction at) {
                Writer writer = writers.get(number[0]++);
                if (writer != null) {
                    writer.write(code, at);
                    return;
                }
            }
            code.with(element);
        };
    }
}
