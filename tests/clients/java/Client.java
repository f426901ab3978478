// javakdb against a server: `Client HOST PORT USER PASSWORD TYPES`; its lines are as in qpython_client.py.
// javakdb sends everything in big-endian order, so this is also the test of that order.

import com.kx.c;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

public class Client {
    static final String CHECK = "{[text;x] $[x~v:value text;1b;'\"sent back \",.Q.s1[x],\" for \",text]}";
    static final Map<String, String> CANNOT = Map.of();

    interface Test {
        void run() throws Exception;
    }

    static void check(String name, Test test) {
        try {
            test.run();
            System.out.println("ok " + name);
        } catch (Throwable problem) {
            System.out.println(("not ok " + name + ": " + problem).replace('\n', ' '));
        }
    }

    static void same(Object got, Object expected) {
        if (!Arrays.deepEquals(new Object[] {got}, new Object[] {expected})) {
            throw new AssertionError("got " + got + ", expected " + expected);
        }
    }

    static void refused(String host, int port, String who) throws Exception {
        try {
            new c(host, port, who).close();
        } catch (c.KException | java.io.IOException problem) {
            return;
        }
        throw new AssertionError("a wrong password was accepted");
    }

    static void table(c q) throws Exception {
        c.Flip t = (c.Flip) q.k("([]sym:`a`b;price:1.5 2.5)");
        same(t.x, new String[] {"sym", "price"});
        same(t.at("sym"), new String[] {"a", "b"});
        same(t.at("price"), new double[] {1.5, 2.5});
    }

    static void keyed(c q) throws Exception {
        c.Dict d = (c.Dict) q.k("([sym:`a`b]price:1.5 2.5)");
        same(((c.Flip) d.x).at("sym"), new String[] {"a", "b"});
        same(((c.Flip) d.y).at("price"), new double[] {1.5, 2.5});
        same(c.td(d).x, new String[] {"sym", "price"});
    }

    static void callback(c q) throws Exception {
        q.ks("{(neg .z.w)(`answer;x+1)}", 41L);
        same(q.k(), new Object[] {"answer", 42L});
    }

    static void error(c q) throws Exception {
        try {
            q.k("1+`a");
        } catch (c.KException problem) {
            if (!problem.getMessage().startsWith("type")) throw problem;
            same(q.k("1+1"), 2L);
            return;
        }
        throw new AssertionError("no error");
    }

    static void compressed(c q) throws Exception {
        c.Flip t = (c.Flip) q.k("-18!([]i:til 100000;s:100000#`a`b`c)");
        long sum = 0;
        for (long i : (long[]) t.at("i")) sum += i;
        same(sum, 4999950000L);
    }

    /** A long request, compressed by the client when the peer is not local, and answered by its length. */
    static void longRequest(c q) throws Exception {
        q.zip(true);
        char[] text = new char[100000];
        Arrays.fill(text, 'a');
        same(q.k("count", text), 100000L);
    }

    public static void main(String[] a) throws Exception {
        String host = a[0];
        int port = Integer.parseInt(a[1]);
        check("refused", () -> refused(host, port, a[2] + ":" + a[3] + "x"));
        c q = new c(host, port, a[2] + ":" + a[3]);
        System.out.println("ok connect");
        check("1+1", () -> same(q.k("1+1"), 2L));
        check("lambda", () -> same(q.k("{x+2*y}", 1L, 2L), 5L));
        check("table", () -> table(q));
        check("keyed table", () -> keyed(q));
        check("callback", () -> callback(q));
        check("error", () -> error(q));
        check("compressed", () -> compressed(q));
        check("long request", () -> longRequest(q));
        for (String row : Files.readAllLines(Path.of(a[4]))) {
            if (row.startsWith("#")) continue;
            String[] cells = row.split("\t");
            if (CANNOT.containsKey(cells[0])) {
                System.out.println("skip type " + cells[0] + ": " + CANNOT.get(cells[0]));
            } else {
                check("type " + cells[0], () -> same(q.k(CHECK, cells[1].toCharArray(), q.k(cells[1])), true));
            }
        }
        q.close();
    }
}
