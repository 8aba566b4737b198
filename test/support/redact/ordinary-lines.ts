import { LINES_OF_PROGRAMS } from './lines-of-programs.ts';
import type { Random } from './random.ts';

const SHAPES: readonly ((random: Random) => string)[] = [
  (random) => `GET /api/orders/${random.below(99_999)} 200 ${random.below(900)}ms`,
  (random) =>
    `10.0.${random.below(255)}.${random.below(255)} - - [21/Nov/2026:10:00:00 +0000] "POST /login HTTP/1.1" 302 ${random.below(5000)} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
  (random) =>
    `{"level":"info","trace_id":"${random.hex(32)}","span_id":"${random.hex(16)}","msg":"order ${random.uuid()} stored"}`,
  (random) =>
    `time="2026-11-21T10:00:00Z" level=info msg="request done" request_id=${random.uuid()} duration=${random.below(99)}ms`,
  (random) => `Pulled image registry.example.com/shop/web@sha256:${random.hex(64)}`,
  (random) => `container id containerd://${random.hex(64)} started`,
  (random) => `commit ${random.hex(40)} deployed to eu-central-1`,
  (random) => `etag "${random.hex(32)}" md5=${random.hex(32)}`,
  (random) => `event id ${random.base64(16)} offset ${random.below(1e9)} partition ${random.below(9)}`,
  (random) => `cache key user:${random.below(99_999)}:cart hit`,
  (random) => `token expired for user ${random.below(99_999)}, login again`,
  () => 'Unexpected token < in JSON at position 0',
  (random) => `invalid token: signature mismatch (kid ${random.hex(8)})`,
  () => 'password must be at least 12 characters',
  () => 'error: password: incorrect for user bob',
  () => 'FATAL: password authentication failed for user "shop"',
  (random) => `prompt_tokens=${random.below(4000)} completion_tokens=${random.below(4000)} total_tokens=8000`,
  (random) => `max_tokens: ${random.below(9000)}, temperature: 0.2`,
  () => 'mounting secret web-tls at /etc/tls',
  () => 'secretName: web-tls',
  () => 'secret "default-token-x7k2p" not found',
  () => 'MountVolume.SetUp failed for volume "web-config" : secret "web-secret" not found',
  () => 'rotating the signing key, 3 keys remain',
  (random) => `primary key (id)=(${random.below(99_999)}) already exists`,
  (random) =>
    `duplicate key value violates unique constraint "orders_pkey" Detail: Key (id)=(${random.uuid()})`,
  (random) => `nextPageToken= page=${random.below(99)} limit=50`,
  (random) => `continue token: page ${random.below(50)} of 60`,
  (random) => `basic authentication enabled for 10.0.0.${random.below(255)}`,
  () => 'Bearer authentication required',
  () => 'authorization: denied by policy shop-readers',
  () => 'Authorization failed: no permission to list pods',
  () => 'cookie: missing, new visitor',
  () => 'set cookie for domain example.com',
  (random) => `session ${random.uuid()} opened from 10.0.0.${random.below(255)}`,
  (random) => `\tat com.example.shop.TokenService.refresh(TokenService.java:${random.below(900)})`,
  (random) =>
    `\tat org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter.doFilter(Filter.java:${random.below(300)})`,
  (random) => `  File "/app/auth/password.py", line ${random.below(300)}, in check`,
  (random) =>
    `goroutine ${random.below(300)} [running]: main.(*Server).handleToken(0xc000${random.hex(6)}, {0x7f${random.hex(10)}, 0x12})`,
  (random) =>
    `W1121 10:00:00.000000 1 reflector.go:561] failed to list *v1.Secret: secrets is forbidden: User "system:serviceaccount:shop:web" cannot list (${random.below(9)})`,
  (random) => `connected to postgres://db.shop.svc:5432/orders in ${random.below(90)} ms`,
  (random) => `dial tcp 10.0.0.${random.below(255)}:5432: connect: connection refused`,
  (random) => `http://web.shop.svc.cluster.local:8080/healthz@${random.below(9)} ok`,
  (random) => `amqp://rabbit:5672 heartbeat ${random.below(60)}s`,
  (random) => `uploaded s3://bucket/logs/2026/11/21/${random.hex(16)}.gz ${random.below(99)} KiB`,
  (random) => `sha256-${random.base64(32)} matches integrity of main.js`,
  (random) => `traceparent 00-${random.hex(32)}-${random.hex(16)}-01`,
  (random) => `X-Request-Id: ${random.uuid()} x-b3-traceid: ${random.hex(32)}`,
  (random) => `pod web-${random.hex(10)}-x7k2p assigned to node-${random.below(9)}`,
  (random) =>
    `kafka: consumer group checkout-${random.below(9)} generation ${random.below(99)} memberId consumer-1-${random.uuid()}`,
  (random) => `job 01J${random.text('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)} finished`,
  (random) => `${random.hex(64)}  /usr/local/bin/app`,
  (random) => `user.email=bob${random.below(99)}@example.com login ok`,
  (random) => `GET /search?q=shoes&page=${random.below(99)}&sort=price 200`,
  (random) => `GET /static/app.${random.hex(20)}.js?v=${random.below(99)} 304`,
  (random) => `retry ${random.below(5)}/5 in ${random.below(30)}s: passing request to upstream`,
  (random) => `tests: 120 passed, ${random.below(9)} failed; pass rate: 97.${random.below(9)}%`,
  (random) => `spin=${random.below(9)} pin: ${random.below(9)} gpio pin=${random.below(40)}`,
  (random) => `compass: heading ${random.below(360)}`,
  (random) =>
    `serial ${random.text('0123456789ABCDEF', 2)}:${random.text('0123456789ABCDEF', 2)}:${random.hex(2)} issuer CN=kubernetes`,
  () => '-----BEGIN CERTIFICATE-----',
  (random) => `lease 7587869${random.below(999_999)} kept alive, ttl=60`,
  (random) => `cron "*/5 * * * *" next run 2026-11-21T10:${10 + random.below(49)}:00Z`,
  (random) => `Warning FailedMount pod/web-${random.below(9)} configmap "app-config" not found`,
  (random) => `tokenizer loaded, vocabulary=${random.below(99_999)}, eos_token=</s>`,
  (random) => `PWD=/srv/app${random.below(9)} OLDPWD=/`,
  (random) => `{"cmd":"node","pwd":"/home/app${random.below(9)}","pid":${random.below(9999)}}`,
  () => 'Set-Cookie: theme=dark; Path=/; Max-Age=31536000; SameSite=Lax',
  (random) => `Cookie: lang=en-US; theme=dark${random.below(9)}; currency=EUR`,
  (random) =>
    `bypass=rule${random.below(99999)} firstpass=step${random.below(99999)} lowpass=f${random.below(99999)}`,
  (random) => `subtoken: item${random.below(99999)} processed`,
  (random) => `auth=ok user=u${random.below(999)} roles=[admin,reader]`,
  (random) =>
    `accepted publickey for deploy from 10.0.0.${random.below(255)} port 50${random.below(999)} ssh2: ED25519 SHA256:${random.base64(32).replace('=', '')}`,
];

const ALL = [...SHAPES, ...Object.values(LINES_OF_PROGRAMS).flat()];

/** Returns typical lines without secrets; many mention passwords, tokens and keys. */
export function ordinaryLines(random: Random, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => (ALL[index % ALL.length] ?? (() => ''))(random));
}
