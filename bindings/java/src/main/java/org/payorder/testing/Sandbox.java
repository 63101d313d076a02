package org.payorder.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.payorder.ClientConfig;
import org.payorder.JsonValue;
import org.payorder.PayorderClient;

/**
 * A simulation of the payment service on this machine, for tests. No real money moves. It is a
 * process of its own on a free port, and ends with the program that started it, also if that one is
 * killed. What it refuses is an {@link IllegalStateException} with its own words.
 */
public final class Sandbox implements AutoCloseable {
    private final Process process;
    private final Matcher control;
    private final JsonValue about;

    /** Starts the program of PAYORDER_SANDBOX, or payorder-sandbox in PATH. */
    public Sandbox() {
        String named = System.getenv().getOrDefault("PAYORDER_SANDBOX", "");
        String program = named.isEmpty() ? "payorder-sandbox" : named;
        ProcessBuilder start = new ProcessBuilder(program, "--private");
        String line = null;
        try {
            process = start.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            // Nobody reads its log.
            try (BufferedReader output = new BufferedReader(reader(process.getInputStream()))) {
                line = output.readLine();
                output.readLine();
            }
        } catch (IOException error) {
            String help =
                    ". Unpack payorder-sandbox from an archive of a release, and put it into PATH"
                            + " or name it in PAYORDER_SANDBOX.";
            throw new IllegalStateException(error.getMessage() + help, error);
        }
        control = Pattern.compile(" (http\\S+) with Authorization: (Bearer \\S+)").matcher("" + line);
        if (!control.find()) {
            process.destroy();
            throw new IllegalStateException(program + " did not start");
        }
        about = ask("GET", null);
    }

    /** The URL of the service. */
    public String getBaseUrl() {
        return about.get("baseUrl").getText();
    }

    /** What a client needs: the address and the credentials. */
    public ClientConfig config() {
        JsonValue credentials = about.get("credentials");
        return new ClientConfig(getBaseUrl())
                .proxy("none")
                .accessToken(credentials.get("accessToken").getText())
                .clientKey(credentials.get("clientKey").getText())
                .clientId(credentials.get("clientId").getText())
                .secretKey(credentials.get("secretKey").getText());
    }

    /** A new client of the sandbox. */
    public PayorderClient client() {
        return new PayorderClient(config());
    }

    /** The orders that the service has. */
    public List<JsonValue> getOrders() {
        return ask("GET", null, "orders").get("orders").getItems();
    }

    /** The requests that the service got, with its responses. */
    public List<JsonValue> getRequests() {
        return ask("GET", null, "requests").get("requests").getItems();
    }

    /** The customer pays. Returns the order as it is then, as the next three do. */
    public JsonValue pay(String orderId) {
        return ask("POST", "", "orders", orderId, "pay");
    }

    /** The payment fails. The customer can try again. */
    public JsonValue fail(String orderId) {
        return ask("POST", "", "orders", orderId, "fail");
    }

    /** The customer cancels. */
    public JsonValue cancel(String orderId) {
        return ask("POST", "", "orders", orderId, "cancel");
    }

    /** The shop refunds the whole payment. */
    public JsonValue refund(String orderId) {
        return ask("POST", "", "orders", orderId, "refund");
    }

    /** Lets requests go wrong, with a rule such as "create:1:drop-after-commit". */
    public void fault(String rule) {
        ask("POST", "{\"rule\":\"" + rule.replaceAll("[\\\\\"]", "\\\\$0") + "\"}", "faults");
    }

    /** Forgets all orders, requests and faults. */
    public void reset() {
        ask("POST", "", "reset");
    }

    /** Ends it: nothing listens there any more. */
    @Override
    public void close() {
        process.destroy();
        boolean interrupted = Thread.interrupted();
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException error) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private JsonValue ask(String method, String body, String... path) {
        try {
            StringBuilder url = new StringBuilder(control.group(1) + "/sandbox");
            for (String part : path) {
                url.append('/').append(URLEncoder.encode(part, "UTF-8").replace("+", "%20"));
            }
            HttpURLConnection connection =
                    (HttpURLConnection) new URL(url.toString()).openConnection(Proxy.NO_PROXY);
            connection.setRequestMethod(method);
            connection.setRequestProperty("Authorization", control.group(2));
            if (body != null) {
                connection.setDoOutput(true);
                connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            }
            boolean done = connection.getResponseCode() < 400;
            InputStream answer = done ? connection.getInputStream() : connection.getErrorStream();
            try (Scanner text = new Scanner(reader(answer))) {
                JsonValue read = JsonValue.parse(text.useDelimiter("\\A").next());
                if (!done) {
                    throw new IllegalStateException(read.get("error").getText());
                }
                return read;
            }
        } catch (IOException error) {
            throw new IllegalStateException("the sandbox does not answer: " + error, error);
        }
    }

    private static InputStreamReader reader(InputStream stream) {
        return new InputStreamReader(stream, StandardCharsets.UTF_8);
    }
}
