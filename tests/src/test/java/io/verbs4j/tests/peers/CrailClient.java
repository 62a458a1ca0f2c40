// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.tools.CrailBenchmark;

/// Writes a file of random bytes into Apache Crail, reads it in order and at random places, and compares the
/// bytes. Then runs Crail's own benchmark.
final class CrailClient {
    static final int BYTES = 6_000_000;
    static final int RANDOM_READS = 200;
    private static final int RANDOM_BYTES = 4096;

    private CrailClient() {}

    /// @param arguments experiments of Crail's own benchmark, which are run after that: the benchmark's options
    public static void main(String[] arguments) throws Exception {
        checkContents();
        for (String experiment : arguments) {
            CrailBenchmark.main(experiment.split(" "));
        }
        System.out.println("all experiments ended");
    }

    private static void checkContents() throws Exception {
        byte[] contents = new byte[BYTES];
        var random = new Random(BYTES);
        random.nextBytes(contents);
        var store = CrailStore.newInstance(new CrailConfiguration());
        create(store, "/folder", CrailNodeType.DIRECTORY);
        var created = create(store, "/folder/file", CrailNodeType.DATAFILE);
        CrailBuffer buffer = store.allocateBuffer();
        var output = created.asFile().getDirectOutputStream(BYTES);
        for (int start = 0; start < BYTES; start += CrailConstants.BUFFER_SIZE) {
            int length = Math.min(CrailConstants.BUFFER_SIZE, BYTES - start);
            buffer.clear().put(ByteBuffer.wrap(contents, start, length));
            buffer.flip();
            output.write(buffer).get();
        }
        output.close();

        CrailFile file = store.lookup("/folder/file").get().asFile();
        require(file.getCapacity() == BYTES, "capacity " + file.getCapacity());
        CrailInputStream input = file.getDirectInputStream(BYTES);
        for (int start = 0; start < BYTES; start += CrailConstants.BUFFER_SIZE) {
            check(input, buffer, contents, start, Math.min(CrailConstants.BUFFER_SIZE, BYTES - start));
        }
        for (int i = 0; i < RANDOM_READS; i++) {
            int start = random.nextInt(BYTES - RANDOM_BYTES);
            input.seek(start);
            check(input, buffer, contents, start, RANDOM_BYTES);
        }
        input.close();

        var entries = store.lookup("/folder").get().asDirectory().listEntries();
        while (entries.hasNext()) {
            System.out.println("entry " + entries.next());
        }
        store.delete("/folder/file", false).get().syncDir();
        require(store.lookup("/folder/file").get() == null, "the file still exists");
        store.freeBuffer(buffer);
        store.close();
        System.out.println("all bytes are right");
    }

    private static CrailNode create(CrailStore store, String path, CrailNodeType type) throws Exception {
        var node = store.create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true).get();
        node.syncDir();
        return node;
    }

    private static void check(CrailInputStream input, CrailBuffer buffer, byte[] contents, int start, int length)
            throws Exception {
        buffer.clear().limit(length);
        while (buffer.hasRemaining()) {
            require(input.read(buffer).get().getLen() > 0, "end of the file");
        }
        byte[] bytes = new byte[length];
        buffer.flip().get(bytes);
        require(Arrays.equals(bytes, 0, length, contents, start, start + length), "wrong bytes at " + start);
    }

    private static void require(boolean condition, String failure) {
        if (!condition) {
            throw new AssertionError(failure);
        }
    }
}
