#!/usr/bin/env bash
# kotlin.sh FOLDER: puts Kotlin's compiler, its coroutines and a new JNA from Maven Central into a
# folder, and prints the path of their jars.
set -euo pipefail
mkdir -p "${1:?usage: kotlin.sh FOLDER}"
cd "$1"
if ! ls jars/jna-*.jar >/dev/null 2>&1; then
    cat >pom.xml <<'XML'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>kotlin</groupId>
  <artifactId>kotlin</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.jetbrains.kotlin</groupId>
      <artifactId>kotlin-compiler-embeddable</artifactId>
      <version>2.2.21</version>
    </dependency>
    <dependency>
      <groupId>org.jetbrains.kotlinx</groupId>
      <artifactId>kotlinx-coroutines-core-jvm</artifactId>
      <version>1.10.2</version>
    </dependency>
    <dependency>
      <groupId>net.java.dev.jna</groupId>
      <artifactId>jna-jpms</artifactId>
      <version>5.19.1</version>
    </dependency>
  </dependencies>
</project>
XML
    rm -rf new jars
    mvn -q -B dependency:copy-dependencies -DoutputDirectory=new >&2
    mv new jars
fi
echo "$PWD/jars"
