package org.payorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Runs after all other tests. */
@Order(Integer.MAX_VALUE)
@TestMethodOrder(MethodOrderer.MethodName.class)
final class LifetimeTest {
    @Test
    void aClientThatCannotBeCreatedLeavesNothing() {
        long clients = Payorder.getLiveClients();
        assertThrowsExactly(
                InvalidConfigException.class, () -> new PayorderClient(new ClientConfig(null)));
        assertEquals(clients, Payorder.getLiveClients());
    }

    @Test
    void anErrorSurvivesSerialization() throws IOException, ClassNotFoundException {
        InvalidConfigException error =
                assertThrowsExactly(InvalidConfigException.class, () -> new PayorderClient("{}"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(error);
        Object read =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        assertEquals(error.getErrorCause(), ((InvalidConfigException) read).getErrorCause());
        assertEquals(error.getMessage(), ((InvalidConfigException) read).getMessage());
    }

    @Test
    void nothingIsLeft() {
        forget();
        Check.until(
                () -> {
                    System.gc();
                    return Payorder.getLiveClients() == 0;
                });
        assertEquals(0L, Payorder.getLiveStrings());
        assertEquals(0L, Payorder.getLiveCalls());
    }

    private static void forget() {
        for (int number = 0; number < 3; number++) {
            Sandbox.client();
        }
        assertTrue(Payorder.getLiveClients() >= 3);
    }
}
