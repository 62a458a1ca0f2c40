// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The server's answers and output for sequences of commands (`server_process`, librdmacm's examples/rcopy.c).
class RcopyServerTest {
    private final ByteArrayOutputStream commands = new ByteArrayOutputStream();
    private final StringWriter console = new StringWriter();

    @TempDir private Path folder;

    private RcopyServerTest command(int command, int data, byte... body) throws IOException {
        commands.write(new RcopyMessage(command, data, 5, ByteBuffer.wrap(body)).encode());
        return this;
    }

    private RcopyServerTest open(String path, int mode) throws IOException {
        return command(RcopyMessage.OPEN, mode, (path + "\0ignored").getBytes(StandardCharsets.UTF_8));
    }

    private RcopyServerTest write(long length, byte... bytes) throws IOException {
        command(RcopyMessage.WRITE, 0,
                ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(length).array());
        commands.write(bytes);
        return this;
    }

    /// Serves the commands, and compares the commands and error numbers of the answers.
    private void isAnswered(String output, int... answers) throws IOException {
        var out = new ByteArrayOutputStream();
        try (
                var server = new RcopyServer(
                        new ByteArrayInputStream(commands.toByteArray()), out, new PrintWriter(console))) {
            server.serve();
        }
        var in = new ByteArrayInputStream(out.toByteArray());
        var answered = new ArrayList<Integer>();
        for (RcopyMessage answer = RcopyMessage.read(in); answer != null; answer = RcopyMessage.read(in)) {
            assertThat(answer.id()).isEqualTo(5);
            answered.addAll(List.of(answer.command(), answer.data()));
        }
        assertThat(answered).isEqualTo(Arrays.stream(answers).boxed().toList());
        assertThat(console).hasToString(output.replace("FOLDER", folder.toString()));
    }

    @Test
    void aFileIsCopiedWithItsMode() throws IOException {
        open(folder + "/copy", 0640).write(3, (byte) 7, (byte) 8, (byte) 9).write(0).command(RcopyMessage.CLOSE, 0);
        isAnswered("opening: FOLDER/copy, transferring...3 bytes...transferring...0 bytes...closing...done\n",
                0x81, 0, 0x83, 0, 0x83, 0, 0x82, 0);
        assertThat(folder.resolve("copy")).hasBinaryContent(new byte[]{7, 8, 9});
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("copy"))))
                .isEqualTo("rw-r-----");
    }

    @Test
    void onlyOneFileIsOpen() throws IOException {
        open(folder + "/copy", 0600).open(folder + "/other", 0600);
        isAnswered("opening: FOLDER/copy, opening: cannot open another file\n", 0x81, 0, 0x81, Errno.EBUSY);
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void aFileThatCannotBeOpenedIsReported() throws IOException {
        open(folder + "/none/copy", 0600);
        isAnswered("opening: FOLDER/none/copy, unable to open destination file: there is no such file or folder\n",
                0x81, Errno.ENOENT);
    }

    /// Usually, the client's user has omitted the name of the file.
    @Test
    void aFolderIsReported() throws IOException {
        open(folder.toString(), 0600);
        isAnswered("opening: FOLDER, unable to open destination file: Is a directory\n", 0x81, Errno.EISDIR);
    }

    /// The client reads the answer after it has sent all bytes, so the server reads them all.
    @Test
    void aDiskThatIsFullIsReported() throws IOException {
        open("/dev/full", 0600).write(100_000, new byte[100_000]);
        isAnswered("opening: /dev/full, transferring...100000 bytes...unable to write: No space left on device\n",
                0x81, 0, 0x83, Errno.ENOSPC);
    }

    @Test
    void errorsAreThoseOfTheSystemCalls() {
        assertThat(RcopyServer.errno(new AccessDeniedException("/a"))).isEqualTo(Errno.EACCES);
        assertThat(RcopyServer.errno(new FileSystemException("/a", null, "Read-only file system")))
                .isEqualTo(Errno.EROFS);
        assertThat(RcopyServer.errno(new FileSystemException("/a", null, "Not a directory"))).isEqualTo(Errno.ENOTDIR);
        assertThat(RcopyServer.errno(new FileSystemException("/a", null, "File too large"))).isEqualTo(Errno.EIO);
        assertThat(RcopyServer.errno(new IOException())).isEqualTo(Errno.EIO);
    }

    @Test
    void writesNeedAFileAndALength() throws IOException {
        write(1, (byte) 1);
        isAnswered("transferring...file not opened\n", 0x83, Errno.EINVAL);
    }

    @Test
    void aLengthHasEightBytes() throws IOException {
        open(folder + "/copy", 0600).command(RcopyMessage.WRITE, 0, (byte) 1, (byte) 0, (byte) 0, (byte) 0);
        isAnswered("opening: FOLDER/copy, transferring...invalid message\n", 0x81, 0, 0x83, Errno.EINVAL);
    }

    @Test
    void aLengthIsNotNegative() throws IOException {
        open(folder + "/copy", 0600).write(-1);
        isAnswered("opening: FOLDER/copy, transferring...invalid message\n", 0x81, 0, 0x83, Errno.EINVAL);
    }

    @Test
    void missingBytesAreAnError() throws IOException {
        open(folder + "/copy", 0600).write(2, (byte) 1);
        isAnswered("opening: FOLDER/copy, transferring...2 bytes......error receiving data\n", 0x81, 0, 0x83,
                Errno.EIO);
    }

    @Test
    void unknownCommandsAreInvalid() throws IOException {
        command(9, 0);
        isAnswered("", 0x89, Errno.EINVAL);
    }
}
