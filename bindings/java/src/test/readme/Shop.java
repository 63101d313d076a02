import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;

/** Pays an order of the sandbox, for the program that is made from the README. */
class Shop {
    /** Stands for SLF4J's, whose values belong to a thread. */
    static class MDC {
        private static final ThreadLocal<String> VALUE = new ThreadLocal<>();

        static void put(String key, String value) {
            VALUE.set(value);
        }

        static String get(String key) {
            return VALUE.get();
        }
    }

    static String pay(String checkoutUrl) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) new URL(checkoutUrl + "/pay").openConnection();
            connection.setRequestMethod("POST");
            connection.setInstanceFollowRedirects(false);
            return connection.getHeaderField("Location");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
