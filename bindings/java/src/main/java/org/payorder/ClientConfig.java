package org.payorder;

import java.util.List;

/** The settings of a client. What is null or not set has its default. */
public final class ClientConfig {
    private final String baseUrl;
    private String accessToken;
    private String clientKey;
    private String clientId;
    private String secretKey;
    private Integer timeoutMs;
    private Integer connectTimeoutMs;
    private Integer createRetries;
    private Integer statusRetries;
    private Integer maxIdleMs;
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

    /** For a whole call: 1 to 600000, default 30000. */
    public ClientConfig timeoutMs(Integer value) {
        timeoutMs = value;
        return this;
    }

    /** For one connection: 1 to 600000, default 10000. */
    public ClientConfig connectTimeoutMs(Integer value) {
        connectTimeoutMs = value;
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

    /** How long an idle connection is kept: 0 to 600000, default 2000. */
    public ClientConfig maxIdleMs(Integer value) {
        maxIdleMs = value;
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
                .add("timeoutMs", timeoutMs)
                .add("connectTimeoutMs", connectTimeoutMs)
                .add("createRetries", createRetries)
                .add("statusRetries", statusRetries)
                .add("maxIdleMs", maxIdleMs)
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
