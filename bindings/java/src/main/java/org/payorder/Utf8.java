package org.payorder;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Converts texts: the library reads and writes UTF-8 that ends in a NUL. */
final class Utf8 {
    private Utf8() {}

    /**
     * The text for the library, or null for null.
     *
     * @throws IllegalArgumentException if it has a NUL or no UTF-8 form
     */
    static byte[] bytes(String text, String name) {
        if (text == null) {
            return null;
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(name + " contains a NUL character");
        }
        check(text, name);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    /** Throws if the text has no UTF-8 form. */
    static void check(String text, String name) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    name + " contains half of a surrogate pair, which has no UTF-8 form");
        }
    }

    /** A copy of the library's text, or null for NULL. */
    static String text(Pointer text) {
        if (text == null) {
            return null;
        }
        int length = (int) text.indexOf(0, (byte) 0);
        return new String(text.getByteArray(0, length), StandardCharsets.UTF_8);
    }
}
