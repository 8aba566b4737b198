import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEVELS, type Level } from './filter.ts';
import { detectLevel } from './level.ts';

const encoder = new TextEncoder();

const LINES: readonly (readonly [Level | undefined, string])[] = [
  // JSON
  ['info', '{"level":"info","msg":"request"}'],
  ['error', '{"ts":"2026-11-21T10:00:00Z","msg":"no level: debug","level":"ERROR"}'],
  ['warn', '{"severity":"WARNING","message":"slow"}'],
  ['debug', '{"lvl":"dbg"}'],
  ['info', '{"level":30,"time":1,"msg":"pino"}'],
  ['trace', '{"level":10}'],
  ['debug', '{"level":20}'],
  ['warn', '{"level":40}'],
  ['error', '{"level":50}'],
  ['fatal', '{"level":60}'],
  ['error', '{"level":3,"short_message":"GELF"}'],
  ['fatal', '{"level":0}'],
  ['debug', '{"level":"7"}'],
  ['error', '  { "level" : "error" }'],
  ['error', '{"log.level":"ERROR","message":"ecs"}'],
  ['error', '{"nested":{"level":"info"},"level":"error"}'],
  [undefined, '{"nested":{"level":"info"}}'],
  [undefined, '{"message":"\\"level\\":\\"error\\""}'],
  [undefined, '{"level":{"name":"error"}}'],
  [undefined, '{"level":"purple"}'],
  ['error', '{"level":"purple","severity":"error"}'],
  ['error', '{"a":[{"level":"info"},1],"level":"error"}'],
  ['error', '{"msg":"cut","level":"error","stack":"at'],
  ['info', '{"t":{"$date":"2026-11-21T10:00:00.000+00:00"},"s":"I","c":"NETWORK","msg":"mongo"}'],
  ['debug', '{"t":{"$date":"2026"},"s":"D2","c":"STORAGE"}'],
  // Serilog
  [
    'error',
    '{"Timestamp":"2026-11-21T10:00:00.0000000+00:00","Level":"Error","MessageTemplate":"{Id} failed","Properties":{"Id":42}}',
  ],
  ['trace', '{"Timestamp":"2026-11-21T10:00:00Z","Level":"Verbose","MessageTemplate":"x"}'],
  ['warn', '{"@t":"2026-11-21T10:00:00Z","@mt":"slow","@l":"Warning"}'],
  ['info', '{"@t":"2026-11-21T10:00:00Z","@mt":"started"}'],
  ['info', '{"@t":"2026-11-21T10:00:00Z","@m":"started","@i":"a1"}'],
  [undefined, '{"@t":"2026-11-21T10:00:00Z","@mt":"x","@l":"Audit"}'],
  // .NET's console
  ['error', '{"EventId":0,"LogLevel":"Error","Category":"Shop.Web","Message":"failed","State":{"Id":1}}'],
  ['fatal', '{"Timestamp":"10:00:00 ","LogLevel":"Critical","Category":"a","Message":"failed"}'],
  ['info', '{"LogLevel":"Information","Category":"a","Message":"LogLevel: Error"}'],
  // ECS with objects
  [
    'error',
    '{"@timestamp":"2026-11-21T10:00:00.123456789+00:00","log":{"logger":"a","level":"error"},"message":"x"}',
  ],
  ['warn', '{"log" : { "level" : "WARN" }, "message":"ecs"}'],
  ['info', '{"@timestamp":"2026-11-21T10:00:00Z","log":{"origin":{"level":"error"},"level":"info"}}'],
  ['info', '{"@timestamp":"2026-11-21T10:00:00Z","log.level":"info","log":{"level":"error"}}'],
  [undefined, '{"@timestamp":"2026-11-21T10:00:00Z","log":{"origin":{"level":"error"}}}'],
  [undefined, '{"@timestamp":"2026-11-21T10:00:00Z","log":{"level":["error"]},"level":{"log":"error"}}'],
  [undefined, '{"@timestamp":"2026-11-21T10:00:00Z","logs":{"level":"error"},"Log":{"level":"error"}}'],
  // keys in other letter case
  ['error', '{"LEVEL":"ERROR","MSG":"x"}'],
  ['error', '{"Severity":"error","Message":"x"}'],
  ['warn', '{"SeverityText":"WARN"}'],
  ['info', '{"Level":"error","level":"info"}'],
  ['error', '{"level":"purple","Level":"Error"}'],
  // what is no level of the line
  [undefined, '{"Level":3,"Player":"ann"}'],
  [undefined, '{"Level":"3","Player":"ann"}'],
  [undefined, '{"Levels":"error","LevelUp":"error","Log_Levels":"error"}'],
  [undefined, '{"Message":"Level: Error","Text":"\\"LogLevel\\":\\"Error\\""}'],
  [undefined, '{"server":{"port":80},"log":{"level":"error"}}'],
  [undefined, '{"LOG_LEVEL":"error","PORT":"80"}'],
  [undefined, '{"LogLevel":"Error","Port":80}'],
  [undefined, '{"logLevel":"error","message":"started"}'],
  [undefined, 'started with {"logLevel":"error","port":80}'],
  // logfmt
  ['info', 'time="2026-11-21T10:00:00Z" level=info msg="started"'],
  ['error', 'ts=2026-11-21 caller=main.go:12 level="error" err="no info"'],
  ['warn', 'lvl=warn msg=slow'],
  ['error', 'severity=3 msg=x'],
  [undefined, 'sublevel=error x'],
  // klog, glog
  ['info', 'I1121 10:00:00.123456       1 main.go:12] started'],
  ['warn', 'W1121 10:00:00.123456    4711 reflector.go:424] failed'],
  ['error', 'E1121 02:17:43.847525   19154 loader.go:405] "failed"'],
  ['fatal', 'F20261121 10:00:00.123456 1 x.cc:1] dead'],
  [undefined, 'I1121 is not a time'],
  // syslog
  ['fatal', '<34>1 2026-11-21T10:00:00Z host su - ID47 - failed'],
  ['info', '<14>Nov 21 10:00:00 host app: fine'],
  [undefined, '<999>x'],
  // log4j-like
  ['error', '2026-11-21 10:00:00,123 ERROR [main] com.example.Shop - failed'],
  ['info', '2026-11-21 10:00:00.123  INFO 1 --- [main] c.e.Shop : started'],
  ['warn', '10:00:00.123 [main] WARN  c.e.Shop - slow'],
  ['error', '2026-11-21 10:00:00 main ERROR Unable to locate'],
  ['debug', '[2026-11-21 10:00:00] DEBUG: query'],
  ['error', '[ERROR] failed'],
  ['info', '[INFO] plugin/reload: running'],
  ['error', 'ERROR: failed'],
  ['error', 'ERROR failed'],
  ['error', 'ERROR:root:failed'],
  ['warn', 'WARNING:py.warnings:x'],
  ['error', 'SEVERE: failed'],
  ['info', '2026-11-21T10:00:00.123456Z\tinfo\txdsproxy\tconnected'],
  ['info', '2026-11-21T10:00:00.000Z\tINFO\tmain\tstarted'],
  ['info', '[2026-11-21T10:00:00Z INFO  shop::web] started'],
  ['info', '2026-11-21T10:00:00.123456Z  INFO shop: started'],
  ['info', '[2026-11-21 10:00:00.000][1][info][main] [source/server.cc:1] x'],
  ['info', 'info: Microsoft.Hosting.Lifetime[14]'],
  ['error', 'fail: Shop.Web[0]'],
  ['info', '10:00AM INF started'],
  ['error', '[10:00:00 ERR] failed'],
  ['error', 'E, [2026-11-21T10:00:00.123456 #1] ERROR -- : failed'],
  ['info', '[10:00:00] [Server thread/INFO]: Done'],
  ['error', 'Nov 21 10:00:00 host app[12]: ERROR failed'],
  ['error', '2026-11-21 10:00:00 | ERROR | failed'],
  // nginx, Apache, postgres, MySQL, redis
  ['error', '2026/11/21 10:00:00 [error] 12#12: *1 open() failed'],
  ['fatal', '2026/11/21 10:00:00 [emerg] 1#1: bind() failed'],
  ['info', '2026/11/21 10:00:00 [notice] 1#1: start worker processes'],
  ['error', '[Sat Nov 21 10:00:00.123456 2026] [core:error] [pid 1] AH00126'],
  ['error', '2026-11-21 10:00:00.000 UTC [12] ERROR:  relation "x" does not exist'],
  ['info', '2026-11-21 10:00:00.000 UTC [1] LOG:  database system is ready'],
  ['fatal', '2026-11-21 10:00:00.000 UTC [12] FATAL:  password authentication failed'],
  ['warn', '2026-11-21T10:00:00.000000Z 0 [Warning] [MY-010068] [Server] CA certificate'],
  ['info', '2026-11-21T10:00:00.000000Z 0 [Note] x'],
  ['warn', '1:M 21 Nov 2026 10:00:00.123 # Warning: no config'],
  ['info', '1:M 21 Nov 2026 10:00:00.123 * Ready'],
  // requests that a server failed to answer
  ['error', '127.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /error HTTP/1.1" 500 12 "-" "curl"'],
  ['error', 'shop:80 10.0.0.1 - ada [21/Nov/2026:10:00:00 +0000] "GET /\\"a HTTP/1.1" 503 12'],
  ['error', '[2026-11-21T10:00:00.123Z] "GET /cart HTTP/1.1" 503 UF 0 91 10 - "-" "curl" "-"'],
  ['error', '{"remote":"10.0.0.1","method":"GET","status":502}'],
  ['info', '{"level":"info","method":"GET","status":"502"}'],
  // programs that die
  ['fatal', 'panic: runtime error: index out of range'],
  ['fatal', 'fatal error: all goroutines are asleep'],
  ['error', 'Traceback (most recent call last):'],
  ['error', 'Exception in thread "main" java.lang.Error'],
  // colors
  ['error', '\u001b[31mERROR\u001b[0m failed'],
  ['info', '\u001b[90m10:00AM\u001b[0m \u001b[32mINF\u001b[0m started'],
  // JSON after something else
  ['error', 'app | {"level":"error","msg":"x"}'],
  ['error', 'app | {"Timestamp":"10:00:00","Level":"Error"}'],
  // nothing
  [undefined, ''],
  [undefined, 'GET /healthz 200'],
  [undefined, '127.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /error HTTP/1.1" 404 12 "-" "curl"'],
  [undefined, '127.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 500 "GET \\" 500 x" "curl"'],
  [undefined, 'he wrote "GET / HTTP/1.1" 500 12'],
  [undefined, '{"status":503,"shard":7}'],
  [undefined, '{"method":"GET","status":404}'],
  [undefined, 'no error was found'],
  [undefined, 'Received ERROR from peer'],
  [undefined, 'the INFO page'],
  [undefined, '    at com.example.Error.fatal(Error.java:1)'],
  [undefined, 'https://example.com/error: not a level'],
  [undefined, 'error handling is done'],
];

test.each(LINES)('%s: %s', (level, line) => {
  expect(detectLevel(encoder.encode(line))).toBe(level);
});

test('examines no more than the first 4 KiB', () => {
  const long = `{"msg":"${'x'.repeat(5000)}","level":"error"}`;
  expect(detectLevel(encoder.encode(long))).toBeUndefined();
  const early = `{"level":"error","msg":"${'x'.repeat(5000)}"}`;
  expect(detectLevel(encoder.encode(early))).toBe('error');
});

test('any bytes give a level or none', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '"',
      '\\',
      'level',
      ':',
      '=',
      'ERROR',
      '[',
      ']',
      '<',
      '3',
      '>',
      ' ',
      '\u001b[',
      'm',
      ',',
    ),
    { maxLength: 40 },
  );
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    pieces.map((lines) => encoder.encode(lines.join(''))),
  );
  fc.assert(
    fc.property(message, (bytes) => {
      const level = detectLevel(bytes);
      expect(level === undefined || LEVELS.includes(level)).toBe(true);
    }),
  );
});
