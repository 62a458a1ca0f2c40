// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.disni.Calls;
import io.verbs4j.tests.support.Repository;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Class paths of programs that use DiSNI. The build of the module `disni` fetches their jars.
final class DisniPrograms {
    private DisniPrograms() {}

    /// Returns a class path with verbs4j-disni in front of DiSNI.
    ///
    /// @param jars names without `.jar`
    static String classPath(String... jars) {
        Path peers = Repository.file("disni/target/peers");
        assertThat(peers).as("the build of the module disni fetches DiSNI").isDirectory();
        var path = new ArrayList<String>();
        path.add(Calls.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        for (String jar : List.of(jars)) {
            path.add(peers.resolve(jar + ".jar").toString());
        }
        path.add(peers.resolve("commons-cli-1.3.1.jar").toString());
        path.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, path);
    }
}
