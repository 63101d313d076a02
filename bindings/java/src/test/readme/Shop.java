import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;

/** Pays an order of the sandbox, for the program that is made from the README. */
class Shop {
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
