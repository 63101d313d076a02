package org.payorder;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Runs every public method of the test classes. It needs no test framework. */
public final class TestRunner {
    private static final Class<?>[] CLASSES = {
        ResultTest.class,
        CancellationTest.class,
        TextTest.class,
        JournalTest.class,
        LifetimeTest.class,
    };

    private TestRunner() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1) {
            StubTest.run(arguments[0]);
            return;
        }
        int run = 0;
        int failed = 0;
        for (Class<?> tests : CLASSES) {
            for (Method test : tests.getDeclaredMethods()) {
                if (!Modifier.isPublic(test.getModifiers())) {
                    continue;
                }
                run++;
                try {
                    test.invoke(tests.getDeclaredConstructor().newInstance());
                } catch (InvocationTargetException error) {
                    failed++;
                    System.err.println("FAILED " + test.getName());
                    error.getCause().printStackTrace();
                }
            }
        }
        try {
            run++;
            LifetimeTest.nothingIsLeft();
        } catch (AssertionError error) {
            failed++;
            System.err.println("FAILED nothingIsLeft");
            error.printStackTrace();
        }
        System.out.println(run + " tests, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }
}
