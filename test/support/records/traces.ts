import { MESSAGE_TRACES } from './message-traces.ts';
import { RUNTIME_TRACES } from './runtime-traces.ts';
import { type Trace, trace } from './trace.ts';

const JAVA = trace(
  'a Java exception with causes',
  `
2026-11-22T12:35:11.732Z ERROR 1 --- [nio-8080-exec-4] com.example.shop.Checkout : payment failed
java.lang.IllegalStateException: cannot charge order 4a1a
	at org.springframework.web.method.support.InvocableHandlerMethod.doInvoke(InvocableHandlerMethod.java:207)
	at com.example.shop.Checkout.charge(Checkout.java:88) ~[app.jar:na]
	at java.base/java.lang.Thread.run(Thread.java:1583)
Caused by: com.example.shop.PaymentException: upstream answered 503
	at com.example.shop.PaymentClient.post(PaymentClient.java:41)
	... 34 common frames omitted
	Suppressed: java.io.IOException: closing failed
		at com.example.shop.PaymentClient.close(PaymentClient.java:77)
	Caused by: java.io.EOFException: of the suppressed one
		at com.example.shop.PaymentClient.flush(PaymentClient.java:80)
Caused by: java.net.SocketTimeoutException: Read timed out
	at java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:278)
	at com.example.shop.Wire.read(Wire.java:9)
	... 9 more
`,
  [
    8,
    'Caused by: java.net.SocketTimeoutException: Read timed out',
    'at com.example.shop.Wire.read(Wire.java:9)',
  ],
);

const JAVA_THREAD = trace(
  'an uncaught Java exception',
  `
Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "name" is null
	at com.example.Main.greet(Main.java:12)
	at com.example.Main.main(Main.java:5)
`,
  [2, undefined, 'at com.example.Main.greet(Main.java:12)'],
);

const PYTHON = trace(
  'a Python traceback below a log line',
  `
2026-11-22 12:35:11,732 ERROR shop.orders payment failed
Traceback (most recent call last):
  File "/app/shop/orders.py", line 88, in charge
    client.post(order)
    ~~~~~~~~~~~^^^^^^^
  File "/usr/local/lib/python3.12/site-packages/requests/adapters.py", line 700, in send
    raise ConnectionError(e, request=request)
requests.exceptions.ConnectionError: HTTPSConnectionPool(host='payment', port=443): Max retries exceeded
`,
  [
    2,
    "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='payment', port=443): Max retries exceeded",
    'File "/app/shop/orders.py", line 88, in charge',
  ],
);

const PYTHON_CHAIN = trace(
  'chained Python tracebacks',
  `
Traceback (most recent call last):
  File "/app/shop/stock.py", line 12, in take
    return self.rows[sku]
KeyError: 'sku-17'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    main()
  [Previous line repeated 3 more times]
  File "/app/shop/stock.py", line 14, in take
    raise OutOfStock(sku) from None
shop.errors.OutOfStock: sku-17
`,
  [3, "KeyError: 'sku-17'", 'File "/app/shop/stock.py", line 12, in take'],
);

const PYTHON_GROUP = trace(
  'a Python exception group',
  `
  + Exception Group Traceback (most recent call last):
  |   File "/app/main.py", line 9, in <module>
  |     raise ExceptionGroup("many", errors)
  | ExceptionGroup: many (1 sub-exception)
  +-+---------------- 1 ----------------
    | ValueError: bad
    +------------------------------------
`,
  [0, undefined, undefined],
);

const GO = trace(
  'a Go panic with goroutines',
  `
panic: runtime error: invalid memory address or nil pointer dereference [recovered]
	panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x6b3f2a]

goroutine 34 [running]:
testing.tRunner.func1.2({0x5204c0, 0x6ad9f0})
	/usr/local/go/src/testing/testing.go:1631 +0x24a
panic({0x5204c0?, 0x6ad9f0?})
	/usr/local/go/src/runtime/panic.go:770 +0x132
main.(*Cart).Add(0x0, {0xc0000140a8, 0x7})
	/app/cart/cart.go:41 +0x1d
created by net/http.(*Server).Serve in goroutine 1
	/usr/local/go/src/net/http/server.go:3285 +0x4b4

goroutine 1 [IO wait, 3 minutes]:
internal/poll.runtime_pollWait(0x7f2c6c1b8ee8, 0x72)
	/usr/local/go/src/runtime/netpoll.go:345 +0x85
main.main()
	/app/main.go:12 +0x1b
exit status 2
`,
  [6, undefined, '/app/cart/cart.go:41 +0x1d', 'fatal'],
);

const GO_SERVER = trace(
  'a panic that a Go server recovers from',
  `
2026/11/22 12:35:11 http: panic serving 10.1.2.3:41234: no such order
goroutine 51 [running]:
net/http.(*conn).serve.func1()
	/usr/local/go/src/net/http/server.go:1903 +0xbe
main.orders[...](0xc000120000)
	/app/orders.go:7 +0x3c
`,
  [2, undefined, '/app/orders.go:7 +0x3c'],
);

const NODE = trace(
  'a Node error with fields and a cause',
  `
TypeError: fetch failed
    at node:internal/deps/undici/undici:12345:11
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async charge (/app/src/payment.js:14:20) {
  attempts: 3,
  [cause]: Error: connect ECONNREFUSED 10.0.3.7:443
      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1606:16)
      at dial (/app/src/wire.js:3:9) {
    errno: -111,
    code: 'ECONNREFUSED',
    hosts: [ 'a', 'b' ]
  }
}
`,
  [5, '[cause]: Error: connect ECONNREFUSED 10.0.3.7:443', 'at dial (/app/src/wire.js:3:9) {'],
);

const NODE_DIES = trace(
  'an uncaught Node error',
  `
/app/src/server.js:12
    throw new Error('no port');
    ^

Error: no port
    at Object.<anonymous> (/app/src/server.js:12:11)
    at listen (/app/src/listen.js:2:5)
    at Module._compile (node:internal/modules/cjs/loader:1358:14)

Node.js v20.14.0
`,
  [3, 'Error: no port', 'at listen (/app/src/listen.js:2:5)'],
);

const DOTNET = trace(
  'an unhandled .NET exception',
  `
Unhandled exception. System.InvalidOperationException: cannot charge
 ---> System.Net.Http.HttpRequestException: Connection refused (payment:443)
 ---> System.Net.Sockets.SocketException (111): Connection refused
   at System.Net.Sockets.Socket.AwaitableSocketAsyncEventArgs.ThrowException(SocketError error)
   at Shop.Wire.Dial(String host) in /src/Wire.cs:line 9
   --- End of inner exception stack trace ---
   at Shop.Checkout.Charge(Order order) in /src/Checkout.cs:line 88
   at Shop.Program.Main(String[] args) in /src/Program.cs:line 5
`,
  [
    4,
    '---> System.Net.Sockets.SocketException (111): Connection refused',
    'at Shop.Wire.Dial(String host) in /src/Wire.cs:line 9',
  ],
);

const DOTNET_LOGGER = trace(
  'what the console logger of .NET writes of an exception',
  `
fail: Shop.Checkout[0]
      payment of order 4a1a failed
      System.TimeoutException: The operation has timed out.
         at Shop.Checkout.Charge(Order order) in /src/Checkout.cs:line 88
`,
  [
    1,
    'System.TimeoutException: The operation has timed out.',
    'at Shop.Checkout.Charge(Order order) in /src/Checkout.cs:line 88',
  ],
);

const RUBY = trace(
  'an uncaught Ruby exception with a cause',
  `
/app/lib/stock.rb:14:in 'rescue in Stock#take': sku-17 is out (OutOfStock)
	from /app/lib/stock.rb:11:in 'Stock#take'
	from /usr/local/lib/ruby/gems/3.4.0/gems/puma-6.4.2/lib/puma/server.rb:472:in 'Puma::Server#process_client'
/app/lib/stock.rb:12:in 'Hash#fetch': key not found: "sku-17" (KeyError)
	from /app/lib/stock.rb:12:in 'Stock#take'
`,
  [
    3,
    `/app/lib/stock.rb:12:in 'Hash#fetch': key not found: "sku-17" (KeyError)`,
    "from /app/lib/stock.rb:12:in 'Stock#take'",
  ],
);

const RUST = trace(
  'a Rust panic with a backtrace',
  `
thread 'main' panicked at src/cart.rs:41:10:
called \`Result::unwrap()\` on an \`Err\` value: ParseIntError { kind: InvalidDigit }
stack backtrace:
   0: rust_begin_unwind
             at /rustc/90b35a6/library/std/src/panicking.rs:647:5
   1: core::result::unwrap_failed
             at /rustc/90b35a6/library/core/src/result.rs:1654:5
   2: shop::cart::add
             at ./src/cart.rs:41:10
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.
`,
  [
    3,
    'called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }',
    'at ./src/cart.rs:41:10',
  ],
);

const ANYHOW = trace(
  'an error of anyhow (Rust)',
  `
Error: cannot read the configuration

Caused by:
    0: cannot open /etc/shop.toml
    1: No such file or directory (os error 2)

Stack backtrace:
   0: shop::config::read
             at ./src/config.rs:7:5
`,
  [1, '1: No such file or directory (os error 2)', 'at ./src/config.rs:7:5'],
);

const JSON_LINES = trace(
  'JSON over several lines',
  `
{
  "time": "2026-11-22T12:35:11Z",
  "level": "warn",
  "order": {
    "id": 17,
    "items": [
      "a \\"quoted\\" one",
      null
    ]
  },
  "total": -1.5e3
}
`,
  [0, undefined, undefined, 'warn'],
);

const JSON_BELOW_TEXT = trace(
  'JSON below a text',
  `
2026-11-22T12:35:11Z INFO loaded configuration: {
  "pool": { "max": 60 },
  "hosts": [
    "a"
  ]
}
`,
  [0, undefined, undefined, 'info'],
);

export const TRACES: readonly Trace[] = [
  JAVA,
  JAVA_THREAD,
  PYTHON,
  PYTHON_CHAIN,
  PYTHON_GROUP,
  GO,
  GO_SERVER,
  NODE,
  NODE_DIES,
  DOTNET,
  DOTNET_LOGGER,
  RUBY,
  RUST,
  ANYHOW,
  JSON_LINES,
  JSON_BELOW_TEXT,
  ...RUNTIME_TRACES,
  ...MESSAGE_TRACES,
];

/** Lines that belong to no multiline record, though many resemble one. */
export const NORMAL_LINES: readonly string[] = [
  'GET /health 200',
  '2026-11-22T12:35:11Z INFO ready',
  '2026-11-22T12:35:11Z ERROR upstream timed out after 5000ms',
  '2026-11-22T12:35:11Z WARN at most 5 retries are left',
  '{"level":"error","msg":"boom"}',
  'E1122 12:35:11.732000       1 reflector.go:147] failed to list *v1.Pod',
  '10.1.2.3 - - [22/Nov/2026:12:35:11 +0000] "GET / HTTP/1.1" 200 17',
  'listening on :8080',
  'starting worker',
  'level=info msg="no error"',
  '{}',
  'finished without failures',
  'Caused by rain: 3 trains are late',
  'During handling of order 4a1a',
  'note that this is no panic',
  'at least one of them',
];

/** Those of them without any format of their own, which could be further lines of a message. */
export const TEXTS: readonly string[] = [
  'listening on :8080',
  'starting worker',
  'finished without failures',
  'Caused by rain: 3 trains are late',
  'During handling of order 4a1a',
  'note that this is no panic',
  'at least one of them',
];
