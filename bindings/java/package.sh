# Sourced by bindings/package and bindings/installed.
tools=(javac java jar)
jna=${JNA_JAR:-/usr/share/java/jna.jar}

make_package() {
    local jar=$out/payorder-java-$version.jar
    mkdir -p "$work/classes/META-INF"
    javac --release 8 -Xlint:-options -encoding UTF-8 -cp "$jna" -d "$work/classes" \
        src/main/java/org/payorder/*.java
    copy_licences "$work/classes/META-INF"
    echo "Automatic-Module-Name: org.payorder" >"$work/manifest"
    jar cfm "$jar" "$work/manifest" -C "$work/classes" .
    zip_package README.md samples
}

install_package() {
    cp "$artefacts"/payorder-java-*.jar payorder.jar
    cp "$jna" .
    python3 -m zipfile -e "$artefacts"/payorder-java-*.zip .
    javac -encoding UTF-8 -cp payorder.jar -d classes payorder-java-*/samples/*.java
    rm -r payorder-java-*
    beside=.
}

sample() {
    local class
    case $1 in
    sale) class=Sale ;;
    lost_answer) class=LostAnswer ;;
    reconciliation) class=Reconciliation ;;
    restart | restart_again) class=Restart ;;
    esac
    shift
    command=(java -XX:TieredStopAtLevel=1 -cp classes:payorder.jar:jna.jar $class "$@")
}
