import { type Trace, trace } from './trace.ts';

/*
 * What current runtimes wrote of small programs that fail: Spring Boot 3.4 on Java 17, Ruby 3.1, Python 3.11, Node 24,
 * Go 1.26, Rust 1.95, with shorter paths and some frames left out. Ruby 3.4 and .NET are as their sources format them.
 */

const SPRING_BOOT = trace(
  'a Spring Boot exception below an empty line',
  `
2026-11-27T05:52:45.536Z ERROR 1 --- [           main] shop.Checkout                            : charge of ord_77 failed

java.lang.IllegalStateException: could not charge
	at shop.Checkout.charge(Checkout.java:6) ~[classes/:na]
	at org.springframework.boot.SpringApplication.callRunner(SpringApplication.java:796) ~[spring-boot-3.4.1.jar:3.4.1]
	at java.base/java.util.stream.ForEachOps$ForEachOp$OfRef.accept(ForEachOps.java:183) ~[na:na]
	Suppressed: java.io.IOException: close failed
		at shop.Connection.close(Connection.java:5) ~[classes/:na]
		... 22 common frames omitted
Caused by: java.net.SocketTimeoutException: connect timed out
	at shop.Wire.dial(Wire.java:9) ~[classes/:na]
	... 22 common frames omitted
`,
  [
    5,
    'Caused by: java.net.SocketTimeoutException: connect timed out',
    'at shop.Wire.dial(Wire.java:9) ~[classes/:na]',
  ],
);

const SPRING_BOOT_COLORED = trace(
  'a Spring Boot exception in colors, of a class without a typical name',
  `
\u001b[2m2026-11-27T05:52:45.536Z\u001b[0;39m \u001b[31mERROR\u001b[0;39m \u001b[35m1\u001b[0;39m \u001b[2m---\u001b[0;39m \u001b[36mshop.Checkout\u001b[0;39m \u001b[2m:\u001b[0;39m no stock

shop.OutOfStock: sku-17
	at shop.Stock.take(Stock.java:6) ~[classes/:na]
Caused by: [CIRCULAR REFERENCE: shop.OutOfStock: sku-17]
`,
  [
    1,
    'Caused by: [CIRCULAR REFERENCE: shop.OutOfStock: sku-17]',
    'at shop.Stock.take(Stock.java:6) ~[classes/:na]',
  ],
);

const JAVA_SPACED = trace(
  'Java causes between empty lines',
  `
java.lang.IllegalStateException: cannot charge
	at com.example.shop.Checkout.charge(Checkout.java:88)

Caused by: java.io.EOFException: end of stream
	at com.example.shop.Wire.read(Wire.java:9)
	... 23 more
`,
  [2, 'Caused by: java.io.EOFException: end of stream', 'at com.example.shop.Wire.read(Wire.java:9)'],
);

const RUBY_HIGHLIGHT = trace(
  'a Ruby 3.1 exception with the line that raised',
  `
/app/lib/cart.rb:10:in \`rescue in nested': cannot total (ArgumentError)
	from /app/lib/cart.rb:7:in \`nested'
	from /app/bin/run:20:in \`<main>'
/app/lib/cart.rb:5:in \`total': undefined method \`price' for nil:NilClass (NoMethodError)

    @a.sum + a.price
              ^^^^^^
	from /app/lib/cart.rb:8:in \`nested'
	from /app/bin/run:20:in \`<main>'
`,
  [
    4,
    "/app/lib/cart.rb:5:in `total': undefined method `price' for nil:NilClass (NoMethodError)",
    "from /app/lib/cart.rb:8:in `nested'",
  ],
);

const RUBY_HINT = trace(
  'a Ruby 3.4 exception with a suggestion',
  `
/app/lib/cart.rb:14:in 'Cart#name': undefined method 'fisrt' for an instance of Array (NoMethodError)

when 'name' then @a.fisrt
                   ^^^^^^
Did you mean?  first
               firsts
	from /app/bin/run:23:in 'Shop::Cart.run'
	 ... 10067 levels...
	from /app/bin/run:23:in '<main>'
`,
  [2, undefined, "from /app/bin/run:23:in 'Shop::Cart.run'"],
);

const RUBY_LOGGER = trace(
  "an exception in Ruby's Logger",
  `
E, [2026-11-27T05:51:52.274108 #30348] ERROR -- : undefined method \`price' for nil:NilClass

    @a.sum + a.price
              ^^^^^^ (NoMethodError)
/app/lib/cart.rb:5:in \`total'
/app/bin/run:26:in \`<main>'
`,
  [2, undefined, "/app/lib/cart.rb:5:in `total'"],
);

const RUBY_BACKTRACE = trace(
  'a Ruby message above its backtrace',
  `
NoMethodError: undefined method \`price' for nil:NilClass

    @a.sum + a.price
              ^^^^^^
/app/lib/cart.rb:5:in \`total'
`,
  [1, undefined, "/app/lib/cart.rb:5:in `total'"],
);

const PYTHON_NESTED_GROUP = trace(
  'a Python exception group with notes, causes and an exception while it was handled',
  `
2026-11-27 05:51:07,860 ERROR shop batch failed
  + Exception Group Traceback (most recent call last):
  |   File "/app/shop/batch.py", line 18, in group
  |     raise g
  | ExceptionGroup: two failed (2 sub-exceptions)
  | batch 7
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/shop/batch.py", line 4, in fetch
    |     return {"a": 1}["b"]["c"]
    |            ~~~~~~~~^^^^^
    | KeyError: 'b'
    | while reading order 4a1a
    | 
    | The above exception was the direct cause of the following exception:
    | 
    | Traceback (most recent call last):
    |   File "/app/shop/batch.py", line 8, in fetch
    |     raise RuntimeError("cannot charge") from e
    | RuntimeError: cannot charge
    +---------------- 2 ----------------
    | ValueError: bad
    | multi-line message
    |   indented
    +------------------------------------

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/main.py", line 9, in <module>
    main()
    ~~~~^^
shop.errors.BatchError: batch 7
`,
  [1, 'shop.errors.BatchError: batch 7', 'File "/app/main.py", line 9, in <module>'],
);

const PYTHON_THREAD = trace(
  'an exception in a Python thread',
  `
Exception in thread Thread-1 (<lambda>):
Traceback (most recent call last):
  File "/usr/local/lib/python3.11/threading.py", line 982, in run
    self._target(*self._args, **self._kwargs)
  File "/app/main.py", line 38, in <lambda>
    t=threading.Thread(target=lambda: int("z")); t.start(); t.join()
                                      ^^^^^^^^
ValueError: invalid literal for int() with base 10: 'z'
`,
  [2, "ValueError: invalid literal for int() with base 10: 'z'", 'File "/app/main.py", line 38, in <lambda>'],
);

const NODE_NAMED = trace(
  'an uncaught Node error of an own class, with its cause',
  `
/app/src/stock.js:6
if(k==='cause') { try { inner() } catch(e) { throw new OutOfStock('no stock',{cause:e}) } }
                                             ^

OutOfStock [Error]: no stock
    at Object.<anonymous> (/app/src/stock.js:6:52)
    at Module._compile (node:internal/modules/cjs/loader:1929:14)
    ... 5 lines matching cause stack trace ...
    at node:internal/main/run_main_module:33:47 {
  sku: 'sku-17',
  [cause]: TypeError: Cannot read properties of undefined (reading 'id')
      at inner (/app/src/stock.js:3:53)
      at node:internal/main/run_main_module:33:47
}

Node.js v24.21.0
`,
  [
    5,
    "[cause]: TypeError: Cannot read properties of undefined (reading 'id')",
    'at inner (/app/src/stock.js:3:53)',
  ],
);

const NODE_EMITTED = trace(
  'an error event of Node that nothing handles',
  `
node:events:505
    throw er; // Unhandled 'error' event
    ^

Error: connect ECONNREFUSED 127.0.0.1:1
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:2021:16)
Emitted 'error' event on Socket instance at:
    at emitErrorNT (node:internal/streams/destroy:170:8)
    at process.processTicksAndRejections (node:internal/process/task_queues:90:21) {
  errno: -111,
  code: 'ECONNREFUSED',
  port: 1
}

Node.js v24.21.0
`,
  [3, 'Error: connect ECONNREFUSED 127.0.0.1:1', undefined],
);

const NODE_AGGREGATE = trace(
  'an AggregateError of Node',
  `
node:internal/process/promises:394
    triggerUncaughtException(err, true /* fromPromise */);
    ^

[AggregateError: All promises were rejected] {
  [errors]: [
    Error: a
        at Object.<anonymous> (/app/src/any.js:10:43)
        at node:internal/main/run_main_module:33:47,
    Error: b
        at Object.<anonymous> (/app/src/any.js:10:74)
        at node:internal/main/run_main_module:33:47
  ]
}

Node.js v24.21.0
`,
  [4, '[AggregateError: All promises were rejected] {', undefined],
);

const GO_REPANICKED = trace(
  'a Go panic that was recovered and panics again, with a message of two lines',
  `
panic: open config: multi
	line [recovered, repanicked]

goroutine 1 [running]:
main.main.func2()
	/app/main.go:7 +0x18
panic({0x6f3fe0?, 0x9f44d0?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
main.(*Cart).Add(...)
	/app/cart.go:4
main.main()
	/app/main.go:7 +0xbd
`,
  [4, undefined, '/app/main.go:7 +0x18', 'fatal'],
);

const GO_OVERFLOW = trace(
  'a stack overflow of Go',
  `
fatal error: stack overflow

runtime stack:
runtime.throw({0x753dd0?, 0x93f790b5860?})
	/usr/local/go/src/runtime/panic.go:1229 +0x48 fp=0x7f6c8b53cd20 sp=0x7f6c8b53ccf0 pc=0x482f08

goroutine 1 gp=0x93f790b41e0 m=4 mp=0x93f790f3808 [running]:
main.count(0x1555522?)
	/app/main.go:13 +0x30 fp=0x93f991e0398 sp=0x93f991e0390 pc=0x65b630
...9999 frames elided...
main.main()
	/app/main.go:13 +0x1d fp=0x93f991e03f8 sp=0x93f991e03e0 pc=0x65b61d
`,
  [3, undefined, '/app/main.go:13 +0x30 fp=0x93f991e0398 sp=0x93f991e0390 pc=0x65b630', 'fatal'],
);

const GO_SIGNAL = trace(
  'the goroutines of Go on SIGQUIT',
  `
SIGQUIT: quit
PC=0x48bee1 m=0 sigcode=0

goroutine 1 gp=0x1b3d69cd81e0 m=nil [chan receive]:
runtime.gopark(0x7f042c362a00?, 0x70?, 0xa0?, 0x43?, 0x1b3d69d820e0?)
	/usr/local/go/src/runtime/proc.go:462 +0xce fp=0x1b3d69d20e10 sp=0x1b3d69d20df0 pc=0x48302e
main.main()
	/app/main.go:10 +0x1a5 fp=0x1b3d69d20f48 sp=0x1b3d69d20eb0 pc=0x65b425

rax    0xca
rflags 0x286
cs     0x33
`,
  [2, undefined, '/app/main.go:10 +0x1a5 fp=0x1b3d69d20f48 sp=0x1b3d69d20eb0 pc=0x65b425'],
);

const RUST_ASSERT = trace(
  'a Rust assertion that fails, with its values',
  `
thread 'tokio-rt-worker' (30279) panicked at src/cart.rs:7:14:
assertion \`left == right\` failed: with message
  left: 1
 right: 2
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1/library/std/src/panicking.rs:689:5
   1: shop::cart::add
             at ./src/cart.rs:7:14
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.
`,
  [2, 'assertion `left == right` failed: with message', 'at ./src/cart.rs:7:14'],
);

const RUST_FULL = trace(
  'a Rust panic with a full backtrace',
  `
thread '<unnamed>' (30215) panicked at src/cart.rs:6:67:
index out of bounds: the len is 0 but the index is 3
stack backtrace:
   0:     0x564bc35aa58a - std[e28293b1aa0f68bd]::backtrace_rs::backtrace::libunwind::trace
                               at /rustc/59807616e1/library/std/src/../../backtrace/src/backtrace/libunwind.rs:117:9
   1:     0x55a66fe8901a - shop::cart::add::hd8a0ec041bb9e90d
`,
  [2, 'index out of bounds: the len is 0 but the index is 3', undefined],
);

const DOTNET_AGGREGATE = trace(
  'an AggregateException of .NET',
  `
Unhandled exception. System.AggregateException: One or more errors occurred. (bad format) (no object)
 ---> System.FormatException: bad format
   at Shop.A.X() in /src/A.cs:line 13
   --- End of inner exception stack trace ---
   at System.Threading.Tasks.Task.WaitAll(Task[] tasks)
   at Shop.Program.Main(String[] args) in /src/Program.cs:line 9
 ---> (Inner Exception #1) System.NullReferenceException: no object
   at Shop.B.Y() in /src/B.cs:line 21<---

 ---> (Inner Exception #2) System.TimeoutException: too late
--- End of stack trace from previous location ---
   at Shop.C.Z() in /src/C.cs:line 2<---
`,
  [5, '---> (Inner Exception #2) System.TimeoutException: too late', 'at Shop.C.Z() in /src/C.cs:line 2<---'],
);

export const RUNTIME_TRACES: readonly Trace[] = [
  SPRING_BOOT,
  SPRING_BOOT_COLORED,
  JAVA_SPACED,
  RUBY_HIGHLIGHT,
  RUBY_HINT,
  RUBY_LOGGER,
  RUBY_BACKTRACE,
  PYTHON_NESTED_GROUP,
  PYTHON_THREAD,
  NODE_NAMED,
  NODE_EMITTED,
  NODE_AGGREGATE,
  GO_REPANICKED,
  GO_OVERFLOW,
  GO_SIGNAL,
  RUST_ASSERT,
  RUST_FULL,
  DOTNET_AGGREGATE,
];
