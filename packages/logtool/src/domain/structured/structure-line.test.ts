import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { detectLevel } from '../level.ts';
import { quoteOf } from './quote-of.ts';
import { shortPieces, shownLine, structureLine } from './structure-line.ts';
import type { LineField, Piece, StructuredLine } from './structured-line.ts';

const encoder = new TextEncoder();
const structured = (line: string) => structureLine(line, detectLevel(encoder.encode(line)));
const joined = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('');

function fieldText(field: LineField): string {
  const value = joined(shortPieces(field));
  const quote = quoteOf(field.value);
  return `${field.isError ? '!' : ''}${field.key}=${quote}${value}${quote}`;
}

/** Returns the message, then the fields; `!` marks those that report errors. Undefined: the line is text. */
function shown(line: string): string | undefined {
  const found = structured(line);
  if (found === undefined) return undefined;
  return [joined(found.message), ...found.fields.map(fieldText)].filter((text) => text !== '').join(' ');
}

const TRACE = '80c6a1f23b9c4d5e80c6a1f23b9c4df1';

const LINES: readonly (readonly [name: string, line: string, shown: string | undefined])[] = [
  [
    'zap: the message, then what went wrong, then the rest, ids cut in the middle',
    `{"level":"error","ts":1732191364.67,"logger":"checkout","caller":"pay/charge.go:88","msg":"payment of ord_4a1a failed: POST http://payment/charge: 503","duration_ms":20.9,"trace_id":"${TRACE}","error":"deadline exceeded"}`,
    'payment of ord_4a1a failed: POST http://payment/charge: 503 !error="deadline exceeded" logger=checkout caller=pay/charge.go:88 duration_ms=20.9 trace_id=80c6…f1',
  ],
  [
    'pino, with the error as an object',
    '{"level":50,"time":1732191364670,"pid":7,"hostname":"web-0","err":{"type":"TypeError","message":"x is \\"undefined\\"","stack":"TypeError: x\\n    at a"},"msg":"failed"}',
    'failed !err.type=TypeError !err.message=\'x is "undefined"\' !err.stack="TypeError: x\\n    at a" pid=7 hostname=web-0',
  ],
  [
    'ECS',
    '{"@timestamp":"2026-11-21T10:00:00.123Z","log.level":"WARN","message":"slow","service":{"name":"cart","version":"1.2"},"event":{"duration":12},"http":{"response":{"status_code":503}}}',
    'slow !http.response.status_code=503 service.name=cart service.version=1.2 event.duration=12',
  ],
  [
    'ECS with objects',
    '{"@timestamp":"2026-11-21T10:00:00.123Z","log":{"level":"error","logger":"a.b"},"message":"slow","service":{"name":"cart"}}',
    'slow log.logger=a.b service.name=cart',
  ],
  [
    ".NET's console",
    '{"Timestamp":"2026-11-21 10:00:00 ","EventId":0,"LogLevel":"Error","Category":"Shop.Web","Message":"failed"}',
    'failed EventId=0 Category=Shop.Web',
  ],
  [
    'Serilog, compact',
    '{"@t":"2026-11-21T10:00:00.1Z","@mt":"Order {Id} failed","@l":"Error","Id":42,"@x":"System.Exception: no"}',
    'Order 42 failed !@x="System.Exception: no" Id=42',
  ],
  [
    'Serilog, compact, with formats that the program applied, a value that is not there, and braces',
    '{"@t":"2026-11-21T10:00:00.1Z","@mt":"{{x}} {Method} {Path} took {Elapsed:0.0} ms, {Gone} {@Cart}","@r":["12.3"],"Method":"GET","Path":"/a\\"b","Elapsed":12.345,"Cart":{"Id":1}}',
    '{x} GET /a"b took 12.3 ms, {Gone} { Id: 1 } @r=["12.3"] Method=GET Path=\'/a"b\' Elapsed=12.345 Cart.Id=1',
  ],
  [
    'Serilog, compact, with objects that the template names',
    '{"@t":"2026-11-21T10:00:00.1Z","@mt":"{@Cart} {@Empty} {@List} {$Cart}","Cart":{"Id":1,"Of":{"Name":"an \\"odd\\" one"}},"Empty":{},"List":[1]}',
    '{ Id: 1, Of.Name: \'an "odd" one\' } {} [1] { Id: 1, Of.Name: \'an "odd" one\' } Cart.Id=1 Cart.Of.Name=\'an "odd" one\' Empty={} List=[1]',
  ],
  ['JSON with nothing but a level', '{"level":"error"}', undefined],
  ['JSON with nothing but a level and a time', '{"level":"error","ts":1732191364.67}', undefined],
  [
    'logfmt with quotes in a value',
    'time="2026-11-27T01:02:03Z" level=warning msg="slow" err="a \\"quoted\\" b" both="it\'s \\"odd\\""',
    'slow !err=\'a "quoted" b\' both="it\'s "odd""',
  ],
  [
    'Serilog, its older format',
    '{"Timestamp":"2026-11-21T10:00:00.1+00:00","Level":"Error","MessageTemplate":"Order {Id} failed","Properties":{"Id":42,"Shard":3}}',
    'Order 42 failed Properties.Id=42 Properties.Shard=3',
  ],
  [
    'Google Cloud',
    '{"severity":"ERROR","timestamp":"2026-11-21T10:00:00Z","jsonPayload":{"message":"lost","shard":3},"httpRequest":{"requestMethod":"GET","status":502}}',
    'lost !httpRequest.status=502 jsonPayload.shard=3 httpRequest.requestMethod=GET',
  ],
  [
    'JSON without a message, whose level is no level',
    '{"level":"purple","time":"5ms","a":[1,{"b":2}],"c":{},"d":null,"status":200}',
    'level=purple time=5ms a=[1,{"b":2}] c={} d=null status=200',
  ],
  [
    'logrus: logfmt with quotes, pairs that say that nothing failed',
    'time="2026-11-21T10:00:00Z" level=info msg="pool \\"a\\" opened" error=nil errors=0 pool.max=60 note="" status=503',
    'pool "a" opened !status=503 error=nil errors=0 pool.max=60 note=""',
  ],
  [
    'a sentence with pairs after it',
    'connection pool opened pool.max=60 node=db-0 err="no route"',
    'connection pool opened !err="no route" pool.max=60 node=db-0',
  ],
  ['a sentence with one pair', 'connection pool opened pool.max=60', undefined],
  ['a statement', 'UPDATE carts SET a=1, b=2 WHERE id=3 or so', undefined],
  [
    'klog',
    'E1121 02:17:43.847525   19154 loader.go:405] "Failed to \\"load\\"" err="not found" pod="shop/web-0"',
    'Failed to "load" !err="not found" pod=shop/web-0 thread=19154 caller=loader.go:405',
  ],
  [
    'klog, plain',
    'I1121 10:00:00.123456       1 main.go:12] started n=1',
    'started n=1 thread=1 caller=main.go:12',
  ],
  [
    'zap for people',
    '2026-11-21T10:00:00.123Z\tERROR\tcontroller\treconcile/reconcile.go:12\tReconciler error\t{"controller": "pod", "error": "conflict"}',
    'Reconciler error !error=conflict controller=pod logger=controller caller=reconcile/reconcile.go:12',
  ],
  [
    'Spring Boot',
    '2026-11-22T12:35:11.732Z ERROR 1 --- [shop] [nio-8080-exec-4] com.example.shop.Checkout : payment failed',
    'payment failed pid=1 app=shop thread=nio-8080-exec-4 logger=com.example.shop.Checkout',
  ],
  [
    'Spring Boot 2',
    '2026-11-21 10:00:00.123  INFO 1 --- [           main] c.e.Shop                                 : started in 3 s',
    'started in 3 s pid=1 thread=main logger=c.e.Shop',
  ],
  ['logback', '10:00:00.123 [main] WARN  c.e.Shop - slow', 'slow thread=main logger=c.e.Shop'],
  [
    'log4j',
    '2026-11-21 10:00:00,123 ERROR [main] com.example.Shop - failed',
    'failed thread=main logger=com.example.Shop',
  ],
  [
    'PostgreSQL',
    '2026-11-21 10:00:00.000 UTC [12] shop@orders ERROR:  relation "x" does not exist',
    'relation "x" does not exist pid=12 user=shop db=orders',
  ],
  [
    'PostgreSQL, a detail',
    '2026-11-21 10:00:00.000 UTC [12] STATEMENT:  select 1',
    'STATEMENT:  select 1 pid=12',
  ],
  [
    'nginx: an error',
    '2026/11/21 10:00:00 [error] 29#29: *1 upstream prematurely closed connection, client: 10.0.0.9, server: _, request: "POST /api HTTP/1.1", upstream: "http://10.96.0.14:80/api"',
    'upstream prematurely closed connection client=10.0.0.9 server=_ request="POST /api HTTP/1.1" upstream=http://10.96.0.14:80/api pid=29 connection=1',
  ],
  [
    'Apache: an error',
    '[Sat Nov 21 10:00:00.123456 2026] [core:error] [pid 1:tid 2] [client 10.0.0.9:5] AH00126: Invalid URI',
    'AH00126: Invalid URI module=core pid=1 client=10.0.0.9:5',
  ],
  [
    'nginx: access, which failed',
    '10.0.0.9 - ada [21/Nov/2026:10:00:00 +0000] "GET /cart?a=\\"1 HTTP/1.1" 503 12 "-" "curl/8.1 (x; y)" 0.004 [shop] 10.1.0.4:80',
    'GET /cart?a=\\"1 HTTP/1.1 !status=503 bytes=12 user_agent="curl/8.1 (x; y)" client=10.0.0.9 user=ada rest="0.004 [shop] 10.1.0.4:80"',
  ],
  [
    'Apache: access',
    'shop:80 10.0.0.9 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 404 -',
    'GET / HTTP/1.1 status=404 client=10.0.0.9 vhost=shop:80',
  ],
  [
    'Envoy: access',
    '[2026-11-21T10:00:00.123Z] "GET /cart HTTP/1.1" 503 UF 0 91 "-" "curl"',
    'GET /cart HTTP/1.1 !status=503 rest=\'UF 0 91 "-" "curl"\'',
  ],
  ['text', 'order placed', undefined],
  ['JSON that is cut off', '{"level":"error","msg":"x', undefined],
  ['the head of JSON over several lines', '{', undefined],
  ['a line whose program chose its colors', '\u001b[31mERROR\u001b[0m a=1 b=2', undefined],
];

test.each(LINES)('%s', (_, line, expected) => {
  expect(shown(line)).toBe(expected);
});

test('a time and a level are hidden only where columns show the same', () => {
  const hidden = (line: string) => structured(line)?.hidden.map(({ key }) => key);
  expect(hidden('{"time":"2026-11-21T10:00:00Z","level":"error","severity":"info","msg":"x"}')).toEqual([
    'time',
    'level',
  ]);
  expect(hidden('{"time":0.25,"log":{"level":"error"},"msg":"x"}')).toEqual([]);
  expect(hidden('{"Time":"2026-11-21T10:00:00Z","LEVEL":"WARN","Level":4,"Message":"x"}')).toEqual([
    'Time',
    'LEVEL',
  ]);
  expect(hidden('{"log":{"level":"error"},"port":80}')).toEqual([]);
  expect(hidden('{"t":{"$date":"2026-11-21T10:00:00Z"},"s":"W","c":"NETWORK","msg":"slow"}')).toEqual(['s']);
});

test('short values keep the order of the line, long ones follow by length', () => {
  const [long, longer] = ['x y '.repeat(20), 'x y '.repeat(30)];
  expect(structured(JSON.stringify({ longer, b: 'bb', long, a: 'a' }))?.fields.map(({ key }) => key)).toEqual(
    ['b', 'a', 'long', 'longer'],
  );
});

const key = fc.constantFrom(
  'a',
  '@mt',
  'b.c',
  'error',
  'status',
  'time',
  'level',
  'msg',
  'é"',
  'trace_id',
  '@x',
);
const scalar = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.integer(),
  fc.constantFrom(
    'error',
    'a b',
    '{a} {{{error:0}',
    '2026-11-21T10:00:00Z',
    '503',
    TRACE,
    '',
    '"',
    '\\',
    'x=1',
  ),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(key, scalar, { maxKeys: 3 }),
);
const json = fc
  .dictionary(key, value, { maxKeys: 8 })
  .chain((one) =>
    fc.constantFrom(JSON.stringify(one), JSON.stringify(one, undefined, ' ').replaceAll('\n', ' ')),
  );
const piece = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '"',
    '\\',
    ':',
    '=',
    ',',
    ' ',
    '\t',
    '[',
    ']',
    ' "',
    '" ',
    '] "',
    'a=',
    'msg=',
    '" 503 ',
    'ERROR',

    '2026-11-21 10:00:00.000 UTC ',
    '2026/11/21 10:00:00 [error] ',
    'I1121 10:00:00.123456 1 a.go:1] ',
    '10.0.0.1 - - ',
    '[21/Nov/2026:10:00:00 +0000]',
    '[main]',
    ' - ',
    ': ',
    ', client: ',
    '\u001b[31m',
    '\u202e',
    '\r',
  ),
  fc.string({ unit: codePoint, maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

function checkPieces(line: string, pieces: readonly Piece[]): void {
  let last = 0;
  for (const { start, end, text: own } of pieces) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start - 1);
    if (own.length === end - start && own !== '…') expect(line.slice(start, end)).toBe(own);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(line.length);
}

function checkField(line: string, field: LineField): void {
  const written = line.slice(field.start, field.end);
  checkPieces(line, field.shown);
  checkPieces(line, shortPieces(field));
  if (written.includes(field.value)) return;
  const quotes = [...written.matchAll(/"(?:[^"\\]|\\.)*"$/g)].map(
    ([quoted]) => JSON.parse(quoted) as unknown,
  );
  const nested = /"(?:[^"\\]|\\.)*"$/.exec(written.slice(written.indexOf(':') + 1))?.[0];
  expect([...quotes, nested === undefined ? undefined : JSON.parse(nested)]).toContain(field.value);
}

function check(line: string, found: StructuredLine | undefined): void {
  if (found === undefined) return;
  checkPieces(line, found.message);
  for (const field of [...found.fields, ...found.hidden]) checkField(line, field);
}

test('any line is taken apart or not, and each value is of the line, or what JSON says of it', () => {
  fc.assert(
    fc.property(fc.oneof(json, text), (line) => check(line, structured(line))),
    { numRuns: 1_500 },
  );
});

test('JSON is taken apart whatever it holds: no field is lost', () => {
  fc.assert(
    fc.property(json, (line) => {
      const found = structured(line);
      const wanted = JSON.parse(line) as Record<string, unknown>;
      if (found === undefined) {
        // It is shown as written, because it has only a level and a time: with one field more, only that is shown.
        const more = structured(JSON.stringify({ ...wanted, other: 'x' }));
        expect([more?.message, more?.fields.map((field) => field.key)]).toEqual([[], ['other']]);
        return;
      }
      const keys = Object.entries(wanted).flatMap(([own, each]) => {
        const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
        const inner = isObject ? Object.keys(each) : [];
        return inner.length === 0 ? [own] : inner.map((child) => `${own}.${child}`);
      });
      const fields = [...found.fields, ...found.hidden].map((field) => field.key);
      const hasMessage = found.message.length > 0;
      expect(fields.length + (hasMessage ? 1 : 0)).toBe(keys.length);
      for (const own of fields) expect(keys).toContain(own);
    }),
  );
});

// A line of twice the length takes twice the time; quadratic time would take minutes here.
test.each([
  ['quotes that nothing closes', 'a="x '],
  ['escapes', 'a="\\" '],
  ['pairs that a token without one ends', 'a=1 b '],
  ['brackets', '[['],
  ['nested lists', '{"a":['],
  ['blanks', '  '],
  ['what nginx writes after a message', ', client: x'],
  ['requests', '10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET \\"'],
])('a long line of %s is taken apart, or not, in no time', (_, unit) => {
  const heads = [
    '',
    '2026/11/21 10:00:00 [error] 29#29: ',
    'I1121 10:00:00.123456 1 a.go:1] "',

    '2026-11-21T10:00:00Z\tINFO\t',
    '2026-11-21 10:00:00 INFO [',
    '[',
    '10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "',
  ];
  for (const head of heads) {
    const line = (head + unit.repeat(20_000)).slice(0, 32_768);
    check(line, structureLine(line, undefined));
  }
});

test('a template fills in no more than a reader can see', () => {
  const line = JSON.stringify({ '@mt': '{a}'.repeat(9_000), a: 'x'.repeat(5_000) });
  const message = joined(structured(line)?.message ?? []);
  expect(message.length).toBeLessThan(line.length + 20_000);
  expect(message.startsWith(`${'x'.repeat(200)}…x`)).toBe(true);
});

test('a line that is too long, or has too many fields, stays as it is', () => {
  expect(structured(JSON.stringify({ msg: 'x'.repeat(40_000) }))).toBeUndefined();
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at]));
  expect(structured(JSON.stringify(many))).toBeUndefined();
});

test('a line in one text has its message first, then every field that no column shows', () => {
  expect(shownLine('2.8.0 starting, pool.max=60 pool.leakDetection=off', undefined)).toBe(
    '2.8.0 starting, pool.max=60 pool.leakDetection=off',
  );
  expect(shownLine('{"level":"error","n":2,"msg":"no pool","why":"too many"}', 'error')).toBe(
    'no pool n=2 why="too many"',
  );
  expect(shownLine('plain  text', undefined)).toBe('plain  text');
});
