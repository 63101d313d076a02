package org.payorder;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The settings of a client. What is null or not set has its default. */
public final class ClientConfig extends ClientConfigKeys {
    private Executor executor;

    /**
     * Settings with defaults.
     *
     * @param baseUrl the https URL of the service
     */
    public ClientConfig(@Nullable String baseUrl) {
        set("baseUrl", baseUrl);
    }

    /**
     * What completes the futures of the Async methods, and so runs what follows them; default
     * threads of the package, whose number has no limit: if what follows is slow and there are many
     * calls, set an executor that has one. It also runs getStatusesAsync, which otherwise has a
     * thread of its own.
     */
    public ClientConfig executor(@Nullable Executor value) {
        executor = value;
        return this;
    }

    Executor executor() {
        return executor;
    }

    /** No credential, for a log. */
    @Override
    public String toString() {
        String journal = String.valueOf(get("journal"));
        // A database's URI may have a password.
        return "ClientConfig{journal=" + (journal.contains("://") ? "a database" : journal) + "}";
    }

    /** The configuration as JSON text. It has the credentials. */
    public String toJson() {
        return write().toString(Result.INVALID_CONFIG);
    }
}
