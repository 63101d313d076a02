import static org.junit.jupiter.api.Assertions.*;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.payorder.*;

/** Clients that the program keeps no longer. */
final class GarbageTest {
    @Test
    void aTemporaryClientLivesUntilItsCallHasBegun() throws Exception {
        CallOptions token = new CallOptions().accessToken("sandbox-access-token");
        collectingBefore("payorder_client_set_credentials", client -> client.setCredentials(token));
        collectingBefore("payorder_client_cancel", PayorderClient::cancel);
        collectingBefore("payorder_journal_list", client -> client.getJournal().list(null));
    }

    /** Makes a call of a client that nothing else knows. The garbage is collected as it begins. */
    private static void collectingBefore(String name, Consumer<PayorderClient> call)
            throws Exception {
        // Compiled code forgets what it does not use any more; the interpreter does not.
        try (PayorderClient client = Sandbox.client()) {
            for (int i = 0; i < 3000; i++) {
                make(call, client);
            }
        }
        long live = Payorder.getLiveClients();
        calling(name, () -> collectTo(live, 20), () -> {}, () -> make(call, Sandbox.client()));
    }

    /** Runs something before and after each call of a function of the library. */
    static void calling(String name, Runnable before, Runnable after, Runnable work)
            throws Exception {
        Field loaded = Class.forName("org.payorder.LibraryFinder").getDeclaredField("loaded");
        loaded.setAccessible(true);
        Object library = loaded.get(null);
        Object replaced =
                Proxy.newProxyInstance(
                        loaded.getType().getClassLoader(),
                        new Class<?>[] {loaded.getType()},
                        (proxy, method, arguments) -> {
                            boolean isIt = method.getName().equals(name);
                            if (isIt) {
                                before.run();
                            }
                            method.setAccessible(true);
                            try {
                                return method.invoke(library, arguments);
                            } catch (InvocationTargetException error) {
                                throw error.getCause();
                            } finally {
                                if (isIt) {
                                    after.run();
                                }
                            }
                        });
        loaded.set(null, replaced);
        try {
            work.run();
        } finally {
            loaded.set(null, library);
        }
    }

    private static void make(Consumer<PayorderClient> call, PayorderClient client) {
        try {
            call.accept(client);
        } catch (InvalidArgumentException noJournal) {
            // From the call of the library.
        }
    }

    private static long collectTo(long clients, int tries) {
        for (int i = 0; i < tries && Payorder.getLiveClients() > clients; i++) {
            System.gc();
            LockSupport.parkNanos(5_000_000);
        }
        return Payorder.getLiveClients();
    }

    @Test
    void aLogHandlerDoesNotKeepItsClient() {
        long live = Payorder.getLiveClients();
        WeakReference<PayorderClient> forgotten = new WeakReference<>(logged());
        assertEquals(live, collectTo(live, 1000));
        assertNull(forgotten.get());
    }

    private static PayorderClient logged() {
        PayorderClient client = Sandbox.client();
        client.setLog(event -> client.cancel());
        return client;
    }
}
