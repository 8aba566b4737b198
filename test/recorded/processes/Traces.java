import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Three threads throw exceptions whose messages have several lines, and report each in a way of its own; a fourth writes
 * other lines: to `err`, as the three do, or to `out`. Lines of messages begin with `M`, the other ones with `F`.
 */
public class Traces {
  static final Logger LOG = Logger.getLogger("shop.Orders");
  static volatile boolean isDone = false;

  static Exception failure(String id) {
    Exception cause = new RuntimeException("cause of " + id + "\nM line 2 of its cause");
    return new IllegalStateException("order " + id + " failed\nM line 2 of " + id + "\nM line 3 of " + id, cause);
  }

  static void report(int thread, String id) throws Exception {
    if (thread == 0) failure(id).printStackTrace();
    else if (thread == 1) LOG.log(Level.SEVERE, "charge failed", failure(id));
    else {
      Thread dying = new Thread(() -> { throw new IllegalArgumentException("uncaught " + id + "\nM line 2 of " + id); });
      dying.start();
      dying.join();
    }
  }

  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[1]);
    Thread[] failing = new Thread[3];
    for (int index = 0; index < 3; index++) {
      final int thread = index;
      failing[index] = new Thread(() -> {
        try {
          for (int round = 0; round < rounds; round++) {
            report(thread, thread + "-" + round);
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
          }
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      });
    }
    Thread other = new Thread(() -> {
      for (int count = 0; !isDone; count++) {
        (args[0].equals("out") ? System.out : System.err).println("F other line " + count);
        if (count % 10 == 0) Thread.yield();
      }
    });
    other.start();
    for (Thread one : failing) one.start();
    for (Thread one : failing) one.join();
    isDone = true;
    other.join();
  }
}
