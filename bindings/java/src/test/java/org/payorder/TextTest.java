package org.payorder;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;

final class TextTest {
    public void aNulIsKeptInAFieldAndRefusedInAWholeText() {
        Order order = Sandbox.order().productInfo("Tea\0Coffee");
        JsonValue body = JsonValue.parse(Payorder.buildCreateOrder(order));
        Check.equal("Tea\0Coffee", body.get("productInfo").getText());
        Class<IllegalArgumentException> refused = IllegalArgumentException.class;
        try (PayorderClient client = Sandbox.client()) {
            String message =
                    Check.fails(refused, () -> client.createOrder("{}\0", null)).getMessage();
            Check.equal("order contains a NUL character", message);
        }
        Check.fails(refused, () -> Payorder.parseReturnUrl("?txn=1\0"));
    }

    public void halfOfASurrogatePairIsRefusedBeforeTheCall() {
        for (String text : Arrays.asList("Tea \ud83c", "\udf75\ud83c")) {
            Order order = Sandbox.order().productInfo(text);
            Check.fails(IllegalArgumentException.class, () -> Payorder.buildCreateOrder(order));
        }
    }

    public void jsonIsReadAsItIsWritten() {
        String array = "[true,null,\"x\\u0041\\n\\\"\\/\\ud83c\\udf75\"]";
        JsonValue json = JsonValue.parse(" {\"a\" : 1e400, \"b\":" + array + ",\"c\":{}}\n");
        Check.equal("1e400", json.get("a").getRaw());
        Check.equal("xA\n\"/🍵", json.get("b").getItems().get(2).getText());
        Check.equal(null, json.get("b").getItems().get(1).getText());
        Check.equal(array, json.get("b").getRaw());
        Check.equal(Arrays.asList("a", "b", "c"), json.getKeys());
        Check.equal(null, json.get("missing"));
        String deep = String.join("", Collections.nCopies(100000, "["));
        for (String wrong :
                Arrays.asList(
                        "", "{", "[1,]", "{\"a\"}", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "1 2",
                        "[1}", deep)) {
            Check.fails(IllegalArgumentException.class, () -> JsonValue.parse(wrong));
        }
    }

    public void amountsAreExact() {
        Check.equal("0.30", new Order().amount(new BigDecimal("0.30")).getAmount());
        Check.equal("1000", new Order().amount(new BigDecimal("1E+3")).getAmount());
        Check.fails(
                IllegalArgumentException.class,
                () -> new Order().amount(new BigDecimal("1E+999999999")));
    }
}
