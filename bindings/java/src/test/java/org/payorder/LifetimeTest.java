package org.payorder;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

final class LifetimeTest {
    public void aClientThatCannotBeCreatedLeavesNothing() {
        long clients = Payorder.getLiveClients();
        Check.fails(
                InvalidConfigException.class, () -> new PayorderClient(new ClientConfig(null)));
        Check.equal(clients, Payorder.getLiveClients());
    }

    public void anErrorSurvivesSerialization() throws IOException, ClassNotFoundException {
        InvalidConfigException error =
                Check.fails(InvalidConfigException.class, () -> new PayorderClient("{}"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(error);
        Object read =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        Check.equal(error.getErrorCause(), ((InvalidConfigException) read).getErrorCause());
        Check.equal(error.getMessage(), ((InvalidConfigException) read).getMessage());
    }

    /** Runs after all other tests. */
    static void nothingIsLeft() {
        forget();
        Check.until(
                () -> {
                    System.gc();
                    return Payorder.getLiveClients() == 0;
                });
        Check.equal(0L, Payorder.getLiveStrings());
        Check.equal(0L, Payorder.getLiveCalls());
    }

    private static void forget() {
        for (int number = 0; number < 3; number++) {
            Sandbox.client();
        }
        Check.isTrue(Payorder.getLiveClients() >= 3);
    }
}
