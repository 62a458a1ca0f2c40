// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Adds stack maps to classes that were compiled without them, for Java 6 or older. The build runs this program for the
/// copy of picocli that `verbs` uses. An AOT cache of the JVM cannot contain classes without stack maps. Without this
/// program, each command would load and verify 170 classes of picocli from their jar.
///
/// Arguments: paths of jars. The program changes the jars. For a jar without such classes, it does nothing.
void main(String... jars) throws IOException {
    for (String jar : jars) {
        try (FileSystem files = FileSystems.newFileSystem(Path.of(jar)); Stream<Path> all = Files.walk(files.getPath("/"))) {
            var classFile = ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(
                            ClassHierarchyResolver.ofResourceParsing(type -> read(files, type))
                                    .orElse(ClassHierarchyResolver.defaultResolver())));
            List<Path> classes = all.filter(file -> file.toString().endsWith(".class")).toList();
            for (Path file : classes) {
                ClassModel old = classFile.parse(Files.readAllBytes(file));
                if (old.majorVersion() < ClassFile.JAVA_7_VERSION) {
                    Files.write(file, classFile.transformClass(old, upgrade()));
                }
            }
        }
    }
}

/// Java 7 is the first version that requires stack maps.
private static ClassTransform upgrade() {
    ClassTransform version = (builder, element) ->
            builder.with(element instanceof ClassFileVersion ? ClassFileVersion.of(ClassFile.JAVA_7_VERSION, 0) : element);
    return version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)); // writes them anew
}

/// Returns null if the jar does not contain the class.
private static InputStream read(FileSystem files, ClassDesc type) {
    String name = type.descriptorString();
    Path file = files.getPath("/" + name.substring(1, name.length() - 1) + ".class");
    try {
        return Files.exists(file) ? Files.newInputStream(file) : null;
    } catch (IOException e) {
        throw new UncheckedIOException(e);
    }
}
