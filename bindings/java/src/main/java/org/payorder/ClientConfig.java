package org.payorder;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** The settings of a client. What is null or not set has its default. */
public final class ClientConfig {
    private final String baseUrl;
    private String accessToken;
    private String clientKey;
    private String clientId;
    private String secretKey;
    private Duration timeout;
    private Duration connectTimeout;
    private Integer createRetries;
    private Integer statusRetries;
    private Duration maxIdle;
    private Integer maxResponseBytes;
    private String proxy;
    private String tlsRoots;
    private String tlsCaFile;
    private String tlsCertFile;
    private String tlsKeyFile;
    private Boolean allowInsecureHttp;
    private List<String> checkoutHosts;
    private String returnUrlField;
    private String userAgent;
    private String journal;
    private Executor executor;

    /**
     * Settings with defaults.
     *
     * @param baseUrl the https URL of the service
     */
    public ClientConfig(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    /** The credential of Create Order. */
    public ClientConfig accessToken(String value) {
        accessToken = value;
        return this;
    }

    /** A credential of Get Status, like clientId and secretKey. */
    public ClientConfig clientKey(String value) {
        clientKey = value;
        return this;
    }

    /** A credential of Get Status. */
    public ClientConfig clientId(String value) {
        clientId = value;
        return this;
    }

    /** A credential of Get Status. */
    public ClientConfig secretKey(String value) {
        secretKey = value;
        return this;
    }

    /** For a whole call: at most 10 minutes, default 30 seconds. */
    public ClientConfig timeout(Duration value) {
        timeout = value;
        return this;
    }

    /** For one connection: at most 10 minutes, default 10 seconds. */
    public ClientConfig connectTimeout(Duration value) {
        connectTimeout = value;
        return this;
    }

    /** Further attempts, only if no connection was made: 0 to 10, default 1. */
    public ClientConfig createRetries(Integer value) {
        createRetries = value;
        return this;
    }

    /** Further attempts at Get Status: 0 to 10, default 2. */
    public ClientConfig statusRetries(Integer value) {
        statusRetries = value;
        return this;
    }

    /** How long an idle connection is kept; default 2 seconds, 0 keeps none. */
    public ClientConfig maxIdle(Duration value) {
        maxIdle = value;
        return this;
    }

    /** The largest response: 1024 to 16777216, default 1048576. */
    public ClientConfig maxResponseBytes(Integer value) {
        maxResponseBytes = value;
        return this;
    }

    /** The URL of a proxy, or "none"; default: the environment variables. */
    public ClientConfig proxy(String value) {
        proxy = value;
        return this;
    }

    /** "bundled" (default) or "system". */
    public ClientConfig tlsRoots(String value) {
        tlsRoots = value;
        return this;
    }

    /** A PEM file with further certificate authorities. */
    public ClientConfig tlsCaFile(String value) {
        tlsCaFile = value;
        return this;
    }

    /** A PEM file with the client's certificate; needs tlsKeyFile. */
    public ClientConfig tlsCertFile(String value) {
        tlsCertFile = value;
        return this;
    }

    /** A PEM file with the private key. */
    public ClientConfig tlsKeyFile(String value) {
        tlsKeyFile = value;
        return this;
    }

    /** Allows http to other hosts than this machine, for tests. */
    public ClientConfig allowInsecureHttp(Boolean value) {
        allowInsecureHttp = value;
        return this;
    }

    /** The hosts that a checkout URL may have; default any. */
    public ClientConfig checkoutHosts(List<String> value) {
        checkoutHosts = value;
        return this;
    }

    /** The wire name of the return URL; default redirectionURL. */
    public ClientConfig returnUrlField(String value) {
        returnUrlField = value;
        return this;
    }

    /** Put before payorder/VERSION in the header User-Agent. */
    public ClientConfig userAgent(String value) {
        userAgent = value;
        return this;
    }

    /** The path of the journal, which is created if it does not exist. */
    public ClientConfig journal(String value) {
        journal = value;
        return this;
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
        return "ClientConfig{journal=" + journal + "}";
    }

    /** The configuration as JSON text. It has the credentials. */
    public String toJson() {
        String tls =
                new JsonWriter()
                        .add("roots", tlsRoots)
                        .add("caFile", tlsCaFile)
                        .add("certFile", tlsCertFile)
                        .add("keyFile", tlsKeyFile)
                        .toString();
        return new JsonWriter()
                .add("baseUrl", baseUrl)
                .add("accessToken", accessToken)
                .add("clientKey", clientKey)
                .add("clientId", clientId)
                .add("secretKey", secretKey)
                .add("timeoutMs", timeout)
                .add("connectTimeoutMs", connectTimeout)
                .add("createRetries", createRetries)
                .add("statusRetries", statusRetries)
                .add("maxIdleMs", maxIdle)
                .add("maxResponseBytes", maxResponseBytes)
                .add("proxy", proxy)
                .addJson("tls", tls.equals("{}") ? null : tls)
                .add("allowInsecureHttp", allowInsecureHttp)
                .add("checkoutHosts", checkoutHosts)
                .add("returnUrlField", returnUrlField)
                .add("userAgent", userAgent)
                .add("journal", journal)
                .toString();
    }
}
