package org.payorder;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** The settings of a client. What is null or not set has its default. */
public final class ClientConfig extends Settings<ClientConfig> {
    private final Tls tls = new Tls();
    private Executor executor;

    /**
     * Settings with defaults.
     *
     * @param baseUrl the https URL of the service
     */
    public ClientConfig(String baseUrl) {
        set("baseUrl", baseUrl);
    }

    /** The credential of Create Order. */
    public ClientConfig accessToken(String value) {
        return set("accessToken", value);
    }

    /** A credential of Get Status, like clientId and secretKey. */
    public ClientConfig clientKey(String value) {
        return set("clientKey", value);
    }

    /** A credential of Get Status. */
    public ClientConfig clientId(String value) {
        return set("clientId", value);
    }

    /** A credential of Get Status. */
    public ClientConfig secretKey(String value) {
        return set("secretKey", value);
    }

    /** For a whole call: at most 10 minutes, default 30 seconds. */
    public ClientConfig timeout(Duration value) {
        return set("timeoutMs", value);
    }

    /** For one connection: at most 10 minutes, default 10 seconds. */
    public ClientConfig connectTimeout(Duration value) {
        return set("connectTimeoutMs", value);
    }

    /** Further attempts, only if no connection was made: 0 to 10, default 1. */
    public ClientConfig createRetries(Integer value) {
        return set("createRetries", value);
    }

    /** Further attempts at Get Status: 0 to 10, default 2. */
    public ClientConfig statusRetries(Integer value) {
        return set("statusRetries", value);
    }

    /** How long an idle connection is kept; default 2 seconds, 0 keeps none. */
    public ClientConfig maxIdle(Duration value) {
        return set("maxIdleMs", value);
    }

    /** The largest response: 1024 to 16777216, default 1048576. */
    public ClientConfig maxResponseBytes(Integer value) {
        return set("maxResponseBytes", value);
    }

    /** The URL of a proxy, or "none"; default: the environment variables. */
    public ClientConfig proxy(String value) {
        return set("proxy", value);
    }

    /** "bundled" (default) or "system". */
    public ClientConfig tlsRoots(String value) {
        return set("tls", tls.set("roots", value));
    }

    /** A PEM file with further certificate authorities. */
    public ClientConfig tlsCaFile(String value) {
        return set("tls", tls.set("caFile", value));
    }

    /** A PEM file with the client's certificate; needs tlsKeyFile. */
    public ClientConfig tlsCertFile(String value) {
        return set("tls", tls.set("certFile", value));
    }

    /** A PEM file with the private key. */
    public ClientConfig tlsKeyFile(String value) {
        return set("tls", tls.set("keyFile", value));
    }

    /** Allows http to other hosts than this machine, for tests. */
    public ClientConfig allowInsecureHttp(Boolean value) {
        return set("allowInsecureHttp", value);
    }

    /** The hosts that a checkout URL may have; default any. */
    public ClientConfig checkoutHosts(List<String> value) {
        return set("checkoutHosts", value);
    }

    /** The wire name of the return URL; default redirectionURL. */
    public ClientConfig returnUrlField(String value) {
        return set("returnUrlField", value);
    }

    /** Put before payorder/VERSION in the header User-Agent. */
    public ClientConfig userAgent(String value) {
        return set("userAgent", value);
    }

    /** The path of the journal, which is created if it does not exist. */
    public ClientConfig journal(String value) {
        return set("journal", value);
    }

    /** What runs the calls of the Async methods, which block; default a thread for each. */
    public ClientConfig executor(Executor value) {
        executor = value;
        return this;
    }

    Executor executor() {
        return executor;
    }

    /** No credential, for a log. */
    @Override
    public String toString() {
        return "ClientConfig{journal=" + get("journal") + "}";
    }

    /** The configuration as JSON text. It has the credentials. */
    public String toJson() {
        return write().toString();
    }

    private static final class Tls extends Settings<Tls> {}
}
