# Sourced by bindings/package and bindings/installed.
tools=(javac java javadoc)
install_tools=(mvn)
jna=${JNA_JAR:-/usr/share/java/jna.jar}

make_package() {
    local meta=META-INF/maven/$maven_group/payorder
    local kind place=$folder/repository/${maven_group//.//}/payorder/$version
    # A repository of Maven, with the samples next to it.
    copy "$folder" README.md samples
    mkdir -p "$place" "$work"/{classes,sources,javadoc}
    source ./compile.sh "$jna" "$work/classes" --release 8 -Xlint:-options
    install -D -m 644 pom.xml "$work/classes/$meta/pom.xml"
    native "$work/classes/%" 5
    cp -r src/main/java/org "$work/sources"
    javadoc -quiet -notimestamp -Xdoclint:none -encoding UTF-8 -cp "$jna" \
        -sourcepath src/jspecify -d "$work/javadoc" \
        src/main/java/org/payorder{,/testing}/*.java
    cp pom.xml "$place/payorder-$version.pom"
    for kind in classes sources javadoc; do
        mkdir -p "$work/$kind/META-INF"
        cp "$folder"/LICENSE-* "$work/$kind/META-INF"
        printf '%s\r\n' "Manifest-Version: 1.0" "Multi-Release: true" \
            "Implementation-Title: payorder" "Implementation-Version: $version" "" \
            >"$work/$kind/META-INF/MANIFEST.MF"
        archive "$place/payorder-$version-$kind.jar" "$work/$kind" --flat
    done
    mv "$place/payorder-$version-classes.jar" "$place/payorder-$version.jar"
    (cd "$place" && for file in *; do
        printf %s "$(sha1sum <"$file" | cut -d' ' -f1)" >"$file.sha1"
        printf %s "$(md5sum <"$file" | cut -d' ' -f1)" >"$file.md5"
    done)
    pack
}

install_package() {
    python3 -m zipfile -e "$artefacts"/payorder-java-*.zip .
    # A project as the README describes it. Maven's plugins and JNA are Debian's.
    mkdir -p src/main
    cp -r payorder-java-*/samples src/main/java
    {
        printf '%s\n' "<project>" "<modelVersion>4.0.0</modelVersion>" "<groupId>shop</groupId>" \
            "<artifactId>till</artifactId>" "<version>1</version>" "<properties>" \
            "<maven.compiler.source>1.8</maven.compiler.source>" \
            "<maven.compiler.target>1.8</maven.compiler.target>" "</properties>" \
            "<dependencyManagement><dependencies><dependency>" \
            "<groupId>net.java.dev.jna</groupId><artifactId>jna</artifactId>" \
            "<version>debian</version>" \
            "</dependency></dependencies></dependencyManagement>"
        sed -n '/^```xml$/,/^```$/p' payorder-java-*/README.md | grep -v '^```' |
            sed "s|/path/to|$PWD|"
        echo "</project>"
    } >pom.xml
    cat >settings.xml <<XML
<settings>
  <localRepository>$PWD/repository</localRepository>
  <mirrors>
    <mirror>
      <id>debian</id>
      <mirrorOf>central</mirrorOf>
      <url>file:///usr/share/maven-repo</url>
    </mirror>
  </mirrors>
</settings>
XML
    mvn -q -B -s settings.xml compile dependency:copy-dependencies -DoutputDirectory="$PWD"
    mv payorder-[0-9]*.jar payorder.jar
    mv jna-*.jar jna.jar
    mv target/classes .
    rm -r payorder-java-* src target repository
    jar xf payorder.jar META-INF/MANIFEST.MF
    grep '^Implementation-Version: [0-9]' META-INF/MANIFEST.MF
    rm -r META-INF
    inside=$(jar tf payorder.jar | grep '/libpayorder.so$')
}

# hide: takes the library out of the jar.
hide() {
    cp payorder.jar whole.jar
    python3 - <<'PYTHON'
import zipfile
with zipfile.ZipFile("whole.jar") as whole, zipfile.ZipFile("payorder.jar", "w") as bare:
    for name in whole.namelist():
        if not name.endswith("/libpayorder.so"):
            bare.writestr(name, whole.read(name))
PYTHON
}
restore() { mv whole.jar payorder.jar; }

sample() {
    command=(java -XX:TieredStopAtLevel=1 -cp classes:payorder.jar:jna.jar "$(title "$1")" "${@:2}")
}
