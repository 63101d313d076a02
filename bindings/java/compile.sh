# compile.sh JNA FOLDER JAVAC-OPTION...: compiles the package, and its module for Java 9 and later.
javac -encoding UTF-8 -g -parameters -implicit:none -sourcepath src/jspecify -cp "$1" -d "$2" \
    "${@:3}" src/main/java/org/payorder{,/testing}/*.java
javac --release 9 -Xlint:-options -p "$1" --patch-module "org.payorder=$2" \
    -d "$2/META-INF/versions/9" module-info.java
