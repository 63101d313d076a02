import org.payorder.*;

/** A program that needs the library, and is killed. */
final class Loading {
    public static void main(String[] arguments) {
        for (int i = 0; i < 2; i++) {
            try {
                Payorder.parseReturnUrl("?txn=1");
                System.out.println(Payorder.getVersion());
            } catch (NotSentException error) {
                System.out.println(error);
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(1);
    }
}
