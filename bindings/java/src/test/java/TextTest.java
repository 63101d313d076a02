import static org.junit.jupiter.api.Assertions.*;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.payorder.*;

final class TextTest {
    @Test
    void aNulIsKeptInAFieldAndRefusedInAWholeText() {
        Order order = Sandbox.order().productInfo("Tea\0Coffee");
        JsonValue body = JsonValue.parse(Payorder.buildCreateOrder(order));
        assertEquals("Tea\0Coffee", body.get("productInfo").getText());
        Class<IllegalArgumentException> refused = IllegalArgumentException.class;
        try (PayorderClient client = Sandbox.client()) {
            String message =
                    assertThrowsExactly(refused, () -> client.createOrder("{}\0", null)).getMessage();
            assertEquals("order contains a NUL character", message);
        }
        assertThrowsExactly(refused, () -> Payorder.parseReturnUrl("?txn=1\0"));
    }

    @Test
    void halfOfASurrogatePairIsRefusedBeforeTheCall() {
        for (String text : Arrays.asList("Tea \ud83c", "\udf75\ud83c")) {
            Order order = Sandbox.order().productInfo(text);
            assertThrowsExactly(IllegalArgumentException.class, () -> Payorder.buildCreateOrder(order));
        }
    }

    @Test
    void jsonIsReadAsItIsWritten() {
        String array = "[true,null,\"x\\u0041\\n\\\"\\/\\ud83c\\udf75\"]";
        JsonValue json = JsonValue.parse(" {\"a\" : 1e400, \"b\":" + array + ",\"c\":{}}\n");
        assertEquals("1e400", json.get("a").getRaw());
        assertEquals("xA\n\"/🍵", json.get("b").getItems().get(2).getText());
        assertNull(json.get("b").getItems().get(1).getText());
        assertEquals(array, json.get("b").getRaw());
        assertEquals(Arrays.asList("a", "b", "c"), json.getKeys());
        assertNull(json.get("missing"));
        for (String number : Arrays.asList("0", "-0.0", "10", "1E+9", "2.50e-1")) {
            assertEquals(number, JsonValue.parse("[" + number + "]").getItems().get(0).getRaw());
        }
        String deep = String.join("", Collections.nCopies(100000, "["));
        for (String wrong :
                Arrays.asList(
                        "", "{", "[1,]", "{\"a\"}", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "1 2",
                        "[1}", deep, "01", "--", "-", "+1", "1.", ".5", "1e", "[1 2]", "\"\n\"",
                        "\"\0\"", "[nulll]")) {
            assertThrowsExactly(IllegalArgumentException.class, () -> JsonValue.parse(wrong));
        }
    }

    @Test
    void jsonIsReadAtAnyDepth() {
        String url = "{\"data\":{\"url\":\"https://pay.example.com/1\"},\"later\":";
        for (String[] later : new String[][] {{"[", "]"}, {"{\"a\":", "}"}}) {
            String json =
                    url
                            + String.join("", Collections.nCopies(100000, later[0]))
                            + "[]"
                            + String.join("", Collections.nCopies(100000, later[1]))
                            + "}";
            assertEquals("https://pay.example.com/1", Checkout.fromJson(json).getUrl());
            assertEquals(json, JsonValue.parse(json).getRaw());
        }
    }

    @Test
    void amountsAreExact() {
        assertEquals("0.30", new Order().amount(new BigDecimal("0.30")).getAmount());
        assertEquals("1000", new Order().amount(new BigDecimal("1E+3")).getAmount());
        assertThrowsExactly(
                IllegalArgumentException.class,
                () -> new Order().amount(new BigDecimal("1E+999999999")));
    }
}
