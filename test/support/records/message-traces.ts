import { type Trace, trace } from './trace.ts';

/*
 * Exceptions whose messages have several lines, as Java 17, Node 20, Python 3.11, SQLAlchemy 2.1, pydantic 2, PostgreSQL 15,
 * PHP 8.2 and Spring Boot 3.4 wrote them, with shorter paths and some frames left out. Those of PostgreSQL's driver, psycopg,
 * MyBatis and Monolog are as their sources format them.
 */

const JAVA = trace(
  'a Java exception whose messages have several lines',
  `
Exception in thread "main" java.lang.IllegalStateException: order 7 failed
the payment was refused
all attempts failed
	at com.acme.Traces.failure(Traces.java:15)
	at com.acme.Traces.main(Traces.java:20)
Caused by: java.lang.RuntimeException: no answer
of host payment
	... 2 more
`,
  [2, 'Caused by: java.lang.RuntimeException: no answer', 'at com.acme.Traces.failure(Traces.java:15)'],
);

const JAVA_DETAIL = trace(
  'an exception of PostgreSQL’s driver for Java',
  `
2026-11-27T05:52:45.536Z ERROR 1 --- [nio-8080-exec-1] o.a.c.c.C.[.[.[/].[dispatcherServlet]    : Servlet.service() threw exception

org.postgresql.util.PSQLException: ERROR: duplicate key value violates unique constraint "orders_pkey"
  Detail: Key (id)=(7) already exists.
	at org.postgresql.core.v3.QueryExecutorImpl.receiveErrorResponse(QueryExecutorImpl.java:2725)
	at com.acme.Orders.save(Orders.java:12)
`,
  [
    2,
    'org.postgresql.util.PSQLException: ERROR: duplicate key value violates unique constraint "orders_pkey"',
    'at com.acme.Orders.save(Orders.java:12)',
  ],
);

const MYBATIS = trace(
  'an exception of MyBatis',
  `
org.springframework.jdbc.BadSqlGrammarException: 
### Error querying database.  Cause: java.sql.SQLSyntaxErrorException: Table 'orders' doesn't exist
### The error may exist in com/acme/OrderMapper.java (best guess)
### The error may involve defaultParameterMap
### SQL: SELECT * FROM orders WHERE id = ?
; bad SQL grammar []
	at com.acme.Orders.find(Orders.java:9)
`,
  [1, undefined, 'at com.acme.Orders.find(Orders.java:9)'],
);

const NODE = trace(
  'a Node error whose message has several lines',
  `
Error: cannot reach payment
to host payment
  tried 3 times
    at dial (/app/src/wire.js:1:24)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
`,
  [2, undefined, 'at dial (/app/src/wire.js:1:24)'],
);

const SQLALCHEMY = trace(
  'an exception of SQLAlchemy',
  `
Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/sqlalchemy/engine/base.py", line 1977, in _exec_single_context
    self.dialect.do_execute(
sqlite3.OperationalError: no such table: orders

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/orders.py", line 4, in charge
    c.execute(text('SELECT id, name FROM orders WHERE id = :id'), {'id': 7})
  File "/usr/local/lib/python3.11/site-packages/sqlalchemy/engine/base.py", line 1494, in execute
    return meth(
           ^^^^^
sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no such table: orders
[SQL: SELECT id,
name FROM orders WHERE id = ?]
[parameters: (7,)]
(Background on this error at: https://sqlalche.me/e/21/e3q8)
`,
  [3, 'sqlite3.OperationalError: no such table: orders', undefined],
);

const PYTHON_CHAIN = trace(
  'chained Python tracebacks with a message of several lines between them',
  `
2026-11-28 09:24:22,854 ERROR root charge failed
Traceback (most recent call last):
  File "/app/wire.py", line 7, in dial
    raise RuntimeError("no answer\\nof host payment")
RuntimeError: no answer
of host payment

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/orders.py", line 23, in charge
    raise RuntimeError("order 7 failed")
RuntimeError: order 7 failed
`,
  [2, 'RuntimeError: no answer', 'File "/app/wire.py", line 7, in dial'],
);

const PYDANTIC = trace(
  'an exception of pydantic',
  `
Traceback (most recent call last):
  File "/app/orders.py", line 4, in parse
    def parse(): Order(id='x')
                 ^^^^^^^^^^^^^
pydantic_core._pydantic_core.ValidationError: 1 validation error for Order
id
  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='x', input_type=str]
    For further information visit https://errors.pydantic.dev/2.14/v/int_parsing
`,
  [
    1,
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for Order',
    'File "/app/orders.py", line 4, in parse',
  ],
);

const PSYCOPG = trace(
  'an exception of psycopg',
  `
Traceback (most recent call last):
  File "/app/orders.py", line 5, in find
    cursor.execute("SELECT * FROM orders")
psycopg2.errors.UndefinedTable: relation "orders" does not exist
LINE 1: SELECT * FROM orders
                      ^
`,
  [
    1,
    'psycopg2.errors.UndefinedTable: relation "orders" does not exist',
    'File "/app/orders.py", line 5, in find',
  ],
);

const POSTGRES = trace(
  'an error of PostgreSQL with its fields',
  `
2026-11-28 09:53:36.216 UTC [30810] ERROR:  no stock
	of sku-17
2026-11-28 09:53:36.216 UTC [30810] HINT:  order more
2026-11-28 09:53:36.216 UTC [30810] CONTEXT:  PL/pgSQL function inline_code_block line 2 at RAISE
2026-11-28 09:53:36.216 UTC [30810] STATEMENT:  DO $$ BEGIN RAISE WARNING 'low stock';
	RAISE EXCEPTION E'no stock\\nof sku-17' USING HINT = 'order more'; END $$;
`,
  [0, undefined, undefined],
);

const POSTGRES_FATAL = trace(
  'a refused connection to PostgreSQL',
  `
2026-11-28 09:53:36.216 UTC [31] FATAL:  password authentication failed for user "shop"
2026-11-28 09:53:36.216 UTC [31] DETAIL:  Connection matched pg_hba.conf line 95: "host all all all scram-sha-256"
`,
  [0, undefined, undefined, 'fatal'],
);

const PHP = trace(
  'an uncaught PHP exception',
  `
[28-Nov-2026 09:55:20 UTC] PHP Fatal error:  Uncaught OutOfStock: no stock
of sku-17 in /app/shop.php:3
Stack trace:
#0 /app/vendor/acme/stock/take.php(4): take('sku-17')
#1 /app/shop.php(6): charge(8)
#2 {main}

Next RuntimeException: order 8 failed in /app/shop.php:4
Stack trace:
#0 /app/shop.php(6): charge(8)
#1 {main}
  thrown in /app/shop.php on line 4
`,
  [5, undefined, '#1 /app/shop.php(6): charge(8)'],
);

const MONOLOG = trace(
  'an exception that Monolog writes',
  `
[2026-11-28 09:55:20] production.ERROR: no stock {"exception":"[object] (App\\OutOfStock(code: 0): no stock at /app/Stock.php:3)
[stacktrace]
#0 /app/vendor/laravel/framework/src/Illuminate/Routing/Controller.php(54): App\\Orders->charge()
#1 /app/Orders.php(9): take('sku-17')
"}
`,
  [2, undefined, "#1 /app/Orders.php(9): take('sku-17')"],
);

const SPRING = trace(
  'an application of Spring Boot that does not start',
  `
2026-11-28T09:56:16.486Z ERROR 1287 --- [           main] o.s.b.d.LoggingFailureAnalysisReporter   : 

***************************
APPLICATION FAILED TO START
***************************

Description:

Parameter 0 of constructor in shop.Main$Orders required a bean of type 'shop.Main$Stock' that could not be found.


Action:

Consider defining a bean of type 'shop.Main$Stock' in your configuration.

`,
  [0, undefined, undefined],
);

export const MESSAGE_TRACES: readonly Trace[] = [
  JAVA,
  JAVA_DETAIL,
  MYBATIS,
  NODE,
  SQLALCHEMY,
  PYTHON_CHAIN,
  PYDANTIC,
  PSYCOPG,
  POSTGRES,
  POSTGRES_FATAL,
  PHP,
  MONOLOG,
  SPRING,
];
