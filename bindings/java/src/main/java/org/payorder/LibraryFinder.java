package org.payorder;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.AccessController;
import java.security.CodeSource;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;

/** Finds the library and loads it, when it is first used. */
final class LibraryFinder {
    private static final String FILE_NAME = System.mapLibraryName("payorder");
    private static final String TEMPORARY =
            "The temporary folder must be writable and not mounted noexec; -Djna.tmpdir=FOLDER"
                    + " names another one";

    private static Functions loaded;

    /** Why JNA cannot be used. Its class says so only the first time. */
    private static String unusable;

    private LibraryFinder() {}

    /**
     * The loaded library.
     *
     * @throws InvalidConfigException if there is none that can be used
     */
    static synchronized Functions library() {
        if (loaded == null) {
            // JNA starts a thread here that never ends. It keeps nothing of the application.
            Thread thread = Thread.currentThread();
            ClassLoader context = thread.getContextClassLoader();
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            try {
                loaded =
                        AccessController.doPrivileged(
                                (PrivilegedAction<Functions>) LibraryFinder::load);
            } finally {
                thread.setContextClassLoader(context);
            }
        }
        return loaded;
    }

    private static void requireJna() {
        try {
            if (unusable == null) {
                Native.isProtected();
            }
        } catch (Error error) {
            unusable = unusable(error);
        }
        if (unusable != null) {
            throw refused(unusable);
        }
    }

    private static String unusable(Error error) {
        Throwable reason = error.getCause() == null ? error : error.getCause();
        String advice =
                reason.getClass().getSimpleName().equals("IllegalCallerException")
                        ? "Start Java with --enable-native-access=ALL-UNNAMED (com.sun.jna, if it is"
                                + " on the module path), or have the line Enable-Native-Access:"
                                + " ALL-UNNAMED in the manifest of the program's jar"
                        : TEMPORARY
                                + ", and jna.nounpack must not be set. With"
                                + " -Djna.boot.library.path=FOLDER, JNA's own library is taken from"
                                + " that folder and not unpacked";
        return "payorder cannot use JNA: " + reason + "\n" + advice;
    }

    private static PayorderException refused(String message) {
        return ErrorFields.own(
                Result.INVALID_CONFIG.getNumber(),
                Causes.UNREADABLE_FILE,
                Actions.FIX_CONFIGURATION,
                message + ". Nothing was sent.",
                null,
                null);
    }

    /** Tries the places that the README lists, in that order. */
    private static Functions load() {
        requireJna();
        List<String> tried = new ArrayList<>();
        List<String> unpacked = new ArrayList<>();
        try {
            for (String path : candidates(tried, unpacked)) {
                File file = new File(path);
                if (file.isAbsolute() && !file.isFile()) {
                    tried.add(path + ": no such file");
                    continue;
                }
                try {
                    return open(path);
                } catch (LinkageError error) {
                    String help = unpacked.contains(path) ? ". " + TEMPORARY : "";
                    tried.add(path + ": " + error.getMessage() + help);
                }
            }
        } finally {
            // Loaded, it needs no file, which would stay there if the process is killed. (On
            // Windows, JNA removes it at the end.)
            unpacked.forEach(path -> new File(path).delete());
        }
        throw refused(
                "payorder found no library that it can use. It tried\n  "
                        + String.join("\n  ", tried)
                        + "\nSet PAYORDER_LIBRARY to the path of the library");
    }

    private static List<String> candidates(List<String> tried, List<String> unpacked) {
        List<String> paths = new ArrayList<>();
        String chosen = System.getenv("PAYORDER_LIBRARY");
        if (chosen != null && !chosen.isEmpty()) {
            paths.add(new File(chosen).getAbsolutePath());
            return paths;
        }
        tried.add("the environment variable PAYORDER_LIBRARY: not set");
        String systemName =
                Platform.isWindows()
                        ? FILE_NAME
                        : Platform.isMac() ? "libpayorder.1.dylib" : "libpayorder.so.1";
        File folder = ownFolder();
        if (folder != null) {
            paths.add(new File(folder, FILE_NAME).getPath());
            paths.add(new File(folder, systemName).getPath());
        }
        try {
            // In the jar, under JNA's name of this system, such as linux-x86-64. JNA does not know
            // musl.
            ClassLoader loader = LibraryFinder.class.getClassLoader();
            String resource =
                    usesMusl() ? "/" + Platform.RESOURCE_PREFIX + "-musl/" + FILE_NAME : "payorder";
            File file = Native.extractFromResourcePath(resource, loader);
            if (file == null) {
                tried.add("the jar: jna.nounpack is set, so its library cannot be unpacked");
            } else {
                paths.add(file.getAbsolutePath());
                // Without a jar, it is the program's own file. JNA names what it unpacks.
                if (file.getName().startsWith("jna")) {
                    unpacked.add(file.getAbsolutePath());
                }
            }
        } catch (IOException notThere) {
            tried.add("the jar: " + notThere.getMessage() + ". " + TEMPORARY);
        }
        inCheckout(folder).forEach(paths::add);
        paths.add(systemName);
        return paths;
    }

    /** Whether this process uses musl, as on Alpine, and not glibc. */
    private static boolean usesMusl() throws IOException {
        Path maps = Paths.get("/proc/self/maps");
        return Files.exists(maps)
                && new String(Files.readAllBytes(maps), StandardCharsets.ISO_8859_1)
                        .contains("/ld-musl-");
    }

    /** The folder of the jar or of the classes; null if it is not known. */
    private static File ownFolder() {
        CodeSource source = LibraryFinder.class.getProtectionDomain().getCodeSource();
        try {
            File place = source == null ? null : new File(source.getLocation().toURI());
            return place == null || place.isDirectory() ? place : place.getParentFile();
        } catch (URISyntaxException | IllegalArgumentException notAFile) {
            return null;
        }
    }

    /** The builds in a checkout of the repository, the newest first. */
    private static Stream<String> inCheckout(File folder) {
        File checkout = folder;
        while (checkout != null && !new File(checkout, "bindings/java").isDirectory()) {
            checkout = checkout.getParentFile();
        }
        String builds = checkout + "/target/";
        return checkout == null
                ? Stream.empty()
                : Stream.of("release/", "debug/")
                        .map(build -> new File(builds + build + FILE_NAME))
                        .sorted(Comparator.comparing(File::lastModified).reversed())
                        .map(File::getPath);
    }

    private static Functions open(String path) {
        Functions functions = Native.load(path, Functions.class);
        NativeLibrary library = NativeLibrary.getInstance(path);
        require(library, "payorder_abi_version");
        int version = functions.payorder_abi_version();
        if (version != Constants.ABI_VERSION) {
            throw new UnsatisfiedLinkError(
                    "has version "
                            + version
                            + " of the ABI, and this package needs version "
                            + Constants.ABI_VERSION);
        }
        // JNA looks a function up when it is first called: a missing one is reported now.
        for (Method method : Functions.class.getDeclaredMethods()) {
            require(library, method.getName());
        }
        return functions;
    }

    private static void require(NativeLibrary library, String name) {
        try {
            library.getFunction(name);
        } catch (UnsatisfiedLinkError missing) {
            throw new UnsatisfiedLinkError(
                    "has no "
                            + name
                            + ": it is not a payorder library, or older than this package");
        }
    }
}
