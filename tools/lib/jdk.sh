# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Finds a JDK 25 on this machine, for the lab, the build and the command line.

readonly JDK_VERSION=25

# jdk_feature_version HOME: 25 for a JDK whose `release` file says JAVA_VERSION="25.0.1"; nothing for a JRE or no JDK.
# The file is read, because starting each java found to ask its version would take seconds.
jdk_feature_version() {
    local line
    [[ -r $1/release && -x $1/bin/java && -x $1/bin/javac ]] || return 0
    while IFS= read -r line || [[ -n $line ]]; do
        if [[ $line =~ ^JAVA_VERSION=\"?([0-9]+) ]]; then
            printf '%s' "${BASH_REMATCH[1]}"
            return 0
        fi
    done <"$1/release"
}

# jdk_candidates: folders that may be a JDK, the user's explicit wishes first.
jdk_candidates() {
    [[ -z ${VERBS4J_JAVA_HOME:-} ]] || printf '%s\n' "$VERBS4J_JAVA_HOME"
    [[ -z ${JAVA_HOME:-} ]] || printf '%s\n' "$JAVA_HOME"
    local java
    if java=$(command -v java) && java=$(readlink -f -- "$java"); then printf '%s\n' "${java%/bin/java}"; fi
    local home=${HOME:-/root}
    printf '%s\n' /usr/lib/jvm/*/ "$home"/.sdkman/candidates/java/*/ "$home"/.jdks/*/ /opt/*/ /usr/local/lib/jvm/*/
}

# find_jdk: sets JDK_HOME to a JDK of version 25, or else to the oldest newer one; returns 1 when there is none.
find_jdk() {
    local candidate version best=
    JDK_HOME=
    while IFS= read -r candidate; do
        candidate=${candidate%/}
        version=$(jdk_feature_version "$candidate")
        [[ -n $version ]] || continue
        ((version >= JDK_VERSION)) || continue
        if [[ -z $best ]] || ((version < best)); then
            best=$version
            JDK_HOME=$(cd -- "$candidate" && pwd -P)
        fi
        ((best > JDK_VERSION)) || break
    done < <(jdk_candidates)
    [[ -n $JDK_HOME ]]
}

# explain_missing_jdk: what was looked for, what was found instead, and how to get one; on stderr.
explain_missing_jdk() {
    local candidate version found='' seen='|'
    while IFS= read -r candidate; do
        candidate=$(readlink -f -- "${candidate%/}") || continue
        version=$(jdk_feature_version "$candidate")
        [[ -n $version && $seen != *"|$candidate|"* ]] || continue
        seen+="$candidate|"
        found+="      Java $version in $candidate"$'\n'
    done < <(jdk_candidates)
    {
        printf 'no JDK %s or newer found (a full JDK with javac; the version is read from its "release" file)\n' "$JDK_VERSION"
        # shellcheck disable=SC2016 # the names of variables, not their values
        printf '  looked at: $VERBS4J_JAVA_HOME, $JAVA_HOME, java on the PATH, /usr/lib/jvm/*,\n'
        printf '             ~/.sdkman/candidates/java/*, ~/.jdks/*, /opt/*, /usr/local/lib/jvm/*\n'
        [[ -z $found ]] || printf '  found instead:\n%s' "$found"
        if apt-cache show "openjdk-$JDK_VERSION-jdk-headless" >/dev/null 2>&1; then
            printf '  install it: sudo apt-get install openjdk-%s-jdk-headless\n' "$JDK_VERSION"
        else
            printf '  install a JDK %s of any vendor with your package manager, or unpack one below /opt or ~/.jdks,\n' "$JDK_VERSION"
            printf '  or set VERBS4J_JAVA_HOME to where it is\n'
        fi
    } >&2
}
