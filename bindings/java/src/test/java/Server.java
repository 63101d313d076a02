import java.io.InputStream;
import java.lang.ref.WeakReference;
import org.payorder.*;

/** A server whose first application is stopped, while a client of another one goes on. */
public final class Server {
    public static PayorderClient other;

    /** For a class of another loader. */
    public static Order order() {
        return Sandbox.order("sandbox:stall");
    }

    /** Makes the first call, which loads JNA and the library, and starts an order that goes on. */
    public static final class Application implements Runnable {
        @Override
        public void run() {
            try (PayorderClient client = PayorderClient.fromEnv()) {
                client.check();
                other = PayorderClient.fromEnv();
                new InheritableThreadLocal<Object>().set(this);
                other.createOrderAsync(order());
            }
        }
    }

    private static final class Loader extends ClassLoader {
        Class<?> application() throws Exception {
            String name = Application.class.getName();
            try (InputStream file = getResourceAsStream(name + ".class")) {
                byte[] code = new byte[10_000];
                return defineClass(name, code, 0, file.read(code));
            }
        }
    }

    private static WeakReference<ClassLoader> started() throws Exception {
        Loader loader = new Loader();
        Object application = loader.application().getDeclaredConstructor().newInstance();
        Thread thread = new Thread((Runnable) application);
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        return new WeakReference<>(loader);
    }

    public static void main(String[] arguments) throws Exception {
        WeakReference<ClassLoader> first = started();
        for (int i = 0; i < 100 && first.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        boolean isGarbage = first.get() == null && Payorder.getLiveCalls() == 1;
        System.out.println(isGarbage ? "garbage" : "kept");
        Runtime.getRuntime().halt(0);
    }
}
