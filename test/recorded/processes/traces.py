"""Writes exceptions whose messages have several lines, which begin with `M`, and other lines, which begin with `F`.

threads: three threads, each reporting in a way of its own, and one that writes other lines;
alone: one thread, with another line directly after each exception.
"""

import logging
import random
import sys
import threading
import time
import traceback

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
MODE, ROUNDS = sys.argv[1], int(sys.argv[2])
done = threading.Event()


def fail(name):
    try:
        {}["sku-17"]
    except KeyError:
        raise RuntimeError(f"order {name} failed\nM line 2 of {name}\nM line 3 of {name}")


def report(thread, name):
    try:
        if thread == 2:
            dying = threading.Thread(target=fail, args=(name,))
            dying.start()
            dying.join()
        else:
            fail(name)
    except RuntimeError:
        if thread == 0:
            logging.exception("charge failed")
        else:
            traceback.print_exc()


def work(thread):
    for count in range(ROUNDS):
        report(thread, f"{thread}-{count}")
        time.sleep(random.random() / 300)


def write_others():
    count = 0
    while not done.is_set():
        print(f"F other line {count}", file=sys.stderr)
        count += 1
        if count % 10 == 0:
            time.sleep(0.0005)


if MODE == "alone":
    for count in range(ROUNDS):
        report(0, f"0-{count}")
        print(f"F retrying order {count}", file=sys.stderr)
        if count % 3 == 0:
            time.sleep(0.002)
else:
    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(3)]
    others = threading.Thread(target=write_others)
    for one in [*threads, others]:
        one.start()
    for one in threads:
        one.join()
    done.set()
    others.join()
