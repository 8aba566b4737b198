import type { Random } from './random.ts';

type Shape = (random: Random) => string;

/** Typical lines of programs that speak of keys, tokens and Secrets all day, in the forms in which they write them. */
export const LINES_OF_PROGRAMS: Readonly<Record<string, readonly Shape[]>> = {
  RabbitMQ: [
    (r) =>
      `2026-11-21 10:00:00.123 [info] <0.${r.below(9999)}.0> connection <0.${r.below(9999)}.0> (10.0.0.${r.below(255)}:5${r.below(9999)} -> 10.0.0.9:5672): user 'shop' authenticated and granted access to vhost '/'`,
    (r) => `published to exchange orders routing_key=orders.created.v${r.below(9)}`,
    (r) => `Received message: routing_key='payment.captured.v${r.below(9)}' delivery_tag=${r.below(9999)}`,
    (r) => `{"exchange":"orders","routing_key":"order.created","delivery_tag":${r.below(9999)}}`,
    (r) =>
      `delivery_info={'exchange': '', 'routing_key': 'celery', 'priority': ${r.below(9)}, 'redelivered': False}`,
    (r) => `Task shop.tasks.send_mail[${r.uuid()}] received`,
    (r) => `Task shop.tasks.send_mail[${r.uuid()}] succeeded in 0.${r.below(999)}s: None`,
  ],
  nginx: [
    (r) =>
      `10.0.0.${r.below(255)} - - [21/Nov/2026:10:00:00 +0000] "GET /coupons?code=SUMMER${2020 + r.below(9)} HTTP/1.1" 200 ${r.below(9999)} "https://shop.example/" "curl/8.5.0"`,
    (r) =>
      `10.0.0.${r.below(255)} - bob [21/Nov/2026:10:00:00 +0000] "GET /products?key=sku-${r.below(1e8)} HTTP/2.0" 200 ${r.below(9999)} "-" "-"`,
    (r) =>
      `2026/11/21 10:00:00 [error] 29#29: *${r.below(9999)} connect() failed (111: Connection refused) while connecting to upstream, client: 10.0.0.${r.below(255)}, server: _, request: "GET /api/session?code=${r.below(9999)} HTTP/1.1", upstream: "http://10.0.0.7:8080/api", host: "shop.example"`,
    (r) =>
      `2026/11/21 10:00:00 [warn] 7#7: *${r.below(9999)} a client request body is buffered to a temporary file /var/cache/nginx/client_temp/00000${r.below(99999)}`,
    (r) => `upstream_cache_status=HIT x-cache-key: /shop/${r.below(1e6)} request_id=${r.hex(32)}`,
    () => '2026/11/21 10:00:00 [notice] 1#1: ssl_certificate_key "/etc/nginx/tls/tls.key" loaded',
  ],
  'components of Kubernetes': [
    (r) =>
      `I1121 10:00:00.${r.below(1e6)}       1 reconciler_common.go:251] "operationExecutor.VerifyControllerAttachedVolume started for volume \\"kube-api-access-${r.text('bcdfghjklmnpqrstvwxz2456789', 5)}\\" (UniqueName: \\"kubernetes.io/projected/${r.uuid()}-kube-api-access-x7k2p\\") pod \\"web-${r.hex(10)}\\" (UID: \\"${r.uuid()}\\") " pod="shop/web-1"`,
    (r) =>
      `E1121 10:00:00.${r.below(1e6)}       1 secret.go:189] Couldn't get secret shop/web-tls-${r.below(9)}: secret "web-tls-2" not found`,
    (r) =>
      `I1121 10:00:00.${r.below(1e6)}       1 controller.go:615] quota admission added evaluator for: secrets`,
    () => 'Normal  SecretSynced  secret=shop/web-tls-2 synced, token=default-token-x7k2p',
    (r) =>
      `I1121 10:00:00.${r.below(1e6)} 1 tokens_controller.go:252] "Deleted token" secret="shop/default-token-${r.text('bcdfghjklmnpqrstvwxz2456789', 5)}" serviceaccount="default"`,
    (r) =>
      `I1121 10:00:00.${r.below(1e6)} 1 serving.go:380] Generated self-signed cert (/var/run/kubernetes/apiserver.crt, /var/run/kubernetes/apiserver.key)`,
    () =>
      'I1121 10:00:00.000000 1 flags.go:64] FLAG: --service-account-private-key-file="/etc/kubernetes/pki/sa.key"',
    () => 'I1121 10:00:00.000000 1 flags.go:64] FLAG: --tls-private-key-file="" --token-auth-file=""',
    () =>
      'I1121 10:00:00.000000 1 flags.go:64] FLAG: --kubelet-client-key="/etc/kubernetes/pki/apiserver-kubelet-client.key"',
    (r) =>
      `"Observed token review" audiences=["https://kubernetes.default.svc"] user="system:serviceaccount:shop:web" latency="${r.below(90)}ms"`,
    (r) =>
      `I1121 10:00:00.${r.below(1e6)} 1 event.go:377] Event(v1.ObjectReference{Kind:"Secret", Namespace:"shop", Name:"web-tls-${r.below(9)}", UID:"${r.uuid()}", APIVersion:"v1", ResourceVersion:"${r.below(1e6)}", FieldPath:""}): type: 'Normal' reason: 'Synced' done`,
  ],
  etcd: [
    (r) =>
      `{"level":"warn","ts":"2026-11-21T10:00:00.123Z","caller":"etcdserver/util.go:170","msg":"apply request took too long","took":"${r.below(900)}.1ms","expected-duration":"100ms","prefix":"read-only range ","request":"key:\\"/registry/secrets/shop/web-tls-${r.below(9)}\\" ","response":"range_response_count:1 size:${r.below(9999)}"}`,
    (r) => `lease key=/registry/leases/kube-node-lease/node-${r.below(99)} ttl=40 id=${r.hex(16)}`,
    () =>
      '{"level":"info","msg":"starting with client TLS","tls-info":"cert = /etc/etcd/server.crt, key = /etc/etcd/server.key, client-key=/etc/etcd/peer.key"}',
  ],
  Vault: [
    (r) =>
      `2026-11-21T10:00:00.123Z [INFO]  expiration: revoked lease: lease_id=auth/kubernetes/login/h${r.hex(64)}`,
    (r) =>
      `2026-11-21T10:00:00.123Z [INFO]  core: successful mount: namespace="" path=secret/ type=kv version="v0.17.${r.below(9)}+builtin"`,
    (r) =>
      `2026-11-21T10:00:00.123Z [DEBUG] core: cannot unseal, not enough keys: keys=${r.below(2)} threshold=3 nonce=${r.uuid()}`,
    () => '2026-11-21T10:00:00.123Z [INFO]  agent: token file sink: path=/home/vault/.vault-token',
    () => '2026-11-21T10:00:00.123Z [INFO]  secrets.kv: secret=shop/web-db version=v3 read',
    (r) => `2026-11-21T10:00:00.123Z [WARN]  auth.token: token accessor not found: ttl=${r.below(3600)}s`,
  ],
  'cert-manager': [
    (r) =>
      `I1121 10:00:00.${r.below(1e6)}       1 controller.go:162] "re-queuing item due to optimistic locking on resource" logger="cert-manager.controller" key="shop/web-tls-${r.below(9)}" error="Operation cannot be fulfilled on certificates.cert-manager.io"`,
    (r) =>
      `I1121 10:00:00.${r.below(1e6)}       1 trigger_controller.go:223] "Certificate must be re-issued" logger="cert-manager.controller" key="shop/web-cert" reason="DoesNotExist" message="Issuing certificate as Secret does not exist"`,
    (r) =>
      `I1121 10:00:00.${r.below(1e6)} 1 dynamic_source.go:172] "Updated cert-manager TLS certificate" DNSNames=["cert-manager-webhook"] secret="cert-manager/cert-manager-webhook-ca${r.below(9)}"`,
    (r) => `found saved tls secret=shop-web-tls-${r.below(9)}, expires_in=${r.below(90)}d`,
    (r) => `Reconciling secret: cert-manager-webhook-ca${r.below(9)}`,
    (r) =>
      `cert-manager/certificates-key-manager "msg"="generated private key" "secret"="shop/web-tls-${r.text('bcdfghjklmnpqrstvwxz2456789', 5)}" "nextPrivateKey"="web-tls-${r.text('bcdfghjklmnpqrstvwxz2456789', 5)}"`,
  ],
  'Argo CD': [
    (r) =>
      `time="2026-11-21T10:00:00Z" level=info msg="Reconciliation completed" app-namespace=argocd application=shop-web dest-server="https://kubernetes.default.svc" time_ms=${r.below(999)}`,
    (r) =>
      `time="2026-11-21T10:00:00Z" level=info msg="processing event for cluster secret" name=cluster-k3d-dev-serverlb-${r.below(1e9)} namespace=argocd type=createSecretEventHandler`,
    (r) =>
      `time="2026-11-21T10:00:00Z" level=info msg="manifest cache hit: &ApplicationSource{RepoURL:https://git.example/shop.git}/${r.hex(40)}" secret=repo-${r.below(1e9)}`,
    (r) =>
      `time="2026-11-21T10:00:00Z" level=info msg="finished unary call" grpc.code=OK grpc.method=List grpc.service=session.SessionService grpc.time_ms=${r.below(99)} span.kind=server`,
    (r) =>
      `time="2026-11-21T10:00:00Z" level=warning msg="cluster secret=cluster-10.0.0.${r.below(255)}-${r.below(1e9)} not found"`,
  ],
  PostgreSQL: [
    (r) =>
      `2026-11-21 10:00:00.123 UTC [${r.below(9999)}] ERROR:  duplicate key value violates unique constraint "orders_pkey"`,
    (r) =>
      `2026-11-21 10:00:00.123 UTC [${r.below(9999)}] DETAIL:  Key (idempotency_key)=(ord_${r.below(1e8)}) already exists.`,
    (r) =>
      `2026-11-21 10:00:00.123 UTC [${r.below(9999)}] FATAL:  password authentication failed for user "shop"`,
    (r) =>
      `2026-11-21 10:00:00.123 UTC [${r.below(9999)}] DETAIL:  Connection matched pg_hba.conf line ${r.below(99)}: "host all all all scram-sha-256"`,
    (r) =>
      `2026-11-21 10:00:00.123 UTC [${r.below(9999)}] LOG:  duration: ${r.below(999)}.1 ms  statement: SELECT token_count, routing_key FROM jobs WHERE partition_key = ${r.below(999)}`,
    () =>
      'could not load private key file "/var/lib/postgresql/server.key": Permission denied, ssl_key=/var/lib/postgresql/server.key',
  ],
  Redis: [
    (r) => `1:M 21 Nov 2026 10:00:00.123 * ${r.below(999)} changes in 60 seconds. Saving...`,
    (r) => `1:M 21 Nov 2026 10:00:00.123 # WARNING: no password set, key=session:${r.below(1e6)} evicted`,
    (r) => `redis GET key=cart:user:${r.below(1e7)} hit=true`,
  ],
  Kafka: [
    (r) =>
      `[2026-11-21 10:00:00,123] INFO [GroupCoordinator ${r.below(9)}]: Preparing to rebalance group checkout-${r.below(9)} in state PreparingRebalance with old generation ${r.below(99)} (kafka.coordinator.group.GroupCoordinator)`,
    (r) =>
      `consumed topic=orders partition=${r.below(9)} offset=${r.below(1e9)} key=order-${r.below(1e6)} x-partition-key: user-${r.below(1e6)}`,
    () => '\tssl.key.password = null',
    () => '\tssl.keystore.password = [hidden]',
    () => '\tsasl.jaas.config = [hidden]',
    () => '\tssl.truststore.password = null',
    () => '\tsasl.oauthbearer.token.endpoint.url = null',
    () => '\tsasl.login.refresh.buffer.seconds = 300',
    () => '\tkey.deserializer = class org.apache.kafka.common.serialization.StringDeserializer',
  ],
  ZooKeeper: [
    (r) =>
      `2026-11-21 10:00:00,123 [myid:1] - INFO  [NIOWorkerThread-1:ZooKeeperServer@1034] - Client attempting to renew session 0x1000abcd${r.hex(7)} at /10.0.0.${r.below(255)}:5${r.below(999)}`,
    (r) =>
      `Session establishment complete on server zk/10.0.0.1:2181, sessionid = 0x${r.hex(15)}, negotiated timeout = 40000`,
  ],
  Spring: [
    (r) =>
      `2026-11-21T10:00:00.123Z  INFO 1 --- [nio-8080-exec-${r.below(9)}] o.s.s.w.a.UsernamePasswordAuthenticationFilter : processed /login`,
    (r) =>
      `2026-11-21T10:00:00.123Z DEBUG 1 --- [nio-8080-exec-${r.below(9)}] o.s.security.web.csrf.CsrfFilter : Invalid CSRF token found for http://shop.example/orders/${r.below(999)}`,
    () =>
      '2026-11-21T10:00:00.123Z  INFO 1 --- [main] o.s.b.w.e.tomcat.TomcatWebServer : Tomcat initialized with port 8080 (http)',
    (r) =>
      `UsernamePasswordAuthenticationToken [Principal=bob, Credentials=[PROTECTED], Authenticated=true, Details=WebAuthenticationDetails [RemoteIpAddress=10.0.0.${r.below(255)}, SessionId=null], Granted Authorities=[ROLE_USER]]`,
    () =>
      "Field error in object 'login' on field 'password': rejected value [null]; codes [NotBlank.login.password,NotBlank.password]; default message [must not be blank]",
    (r) => `HikariPool-1 - Pool stats (total=${r.below(10)}, active=${r.below(9)}, idle=2, waiting=0)`,
    () =>
      'server.ssl.key-store=/etc/tls/keystore.p12 server.ssl.key-store-type=PKCS12 management.endpoint.env.keys-to-sanitize=password,secret,key,token',
  ],
  Django: [
    (r) => `[21/Nov/2026 10:00:00] "POST /accounts/password/reset/ HTTP/1.1" 302 ${r.below(999)}`,
    () => 'Bad Request: {"password": ["This field is required."], "token": ["This field may not be blank."]}',
    () => "fields = ['username', 'password1', 'password2', 'csrf_token']",
    (r) => `Forbidden (CSRF token missing.): /orders/${r.below(999)}/`,
    () => '<ul class="errorlist"><li>password<ul><li>This password is too common.</li></ul></li></ul>',
  ],
  Rails: [
    (r) =>
      `[${r.uuid()}] Parameters: {"authenticity_token"=>"[FILTERED]", "user"=>{"email"=>"bob@example.com", "password"=>"[FILTERED]"}, "commit"=>"Log in"}`,
    (r) =>
      `[${r.uuid()}] Completed 422 Unprocessable Entity in ${r.below(99)}ms (Views: 0.2ms | ActiveRecord: 1.${r.below(9)}ms)`,
    () => '{"errors":{"password":["can\'t be blank","is too short (minimum is 8 characters)"]}}',
    (r) =>
      `  User Load (0.${r.below(9)}ms)  SELECT "users".* FROM "users" WHERE "users"."reset_password_token" = $1 LIMIT $2  [["reset_password_token", "[FILTERED]"], ["LIMIT", 1]]`,
    (r) =>
      `[ActiveJob] Enqueued MailJob (Job ID: ${r.uuid()}) to Sidekiq(default) with arguments: "UserMailer", "password_changed"`,
  ],
  Express: [
    (r) => `POST /api/login 401 ${r.below(99)}.123 ms - ${r.below(999)}`,
    () =>
      '{"level":"error","msg":"validation failed","errors":[{"field":"password","message":"\\"password\\" length must be at least 8 characters long"}]}',
    () => 'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
    () => "allowedHeaders: [ 'authorization', 'x-api-key', 'content-type', 'x-amz-content-sha256' ]",
    (r) =>
      `{"req":{"method":"GET","headers":{"host":"web","x-request-id":"${r.uuid()}","x-idempotency-key":"${r.uuid()}","cookie":"[Redacted]"}}}`,
    (r) => `X-Idempotency-Key: ord-${r.below(1e8)} X-Correlation-Key: ${r.uuid()}`,
  ],
  'parsers and compilers': [
    (r) => `parser: unexpected token: 'foo${r.below(999)}bar'`,
    (r) => `Unexpected token: identifier${r.below(99)} at line ${r.below(999)}`,
    (r) => `line ${r.below(99)}: unexpected token 'select${r.below(99)}', expected '('`,
    (r) => `Token: IDENTIFIER${r.below(99)} at line ${r.below(99)}`,
    (r) => `lexer token=NUMBER_LITERAL${r.below(9)} text="${r.below(99)}"`,
    (r) => `syntax error near unexpected token: end${r.below(99)}if`,
    (r) => `optimizer pass: loop-unroll-${r.below(9)} took ${r.below(99)}ms`,
    (r) => `Token(type=IDENT, value=count${r.below(9)}, line=${r.below(99)})`,
    (r) =>
      `Skipping AppWindowToken{${r.hex(7)} token=Token{${r.hex(7)} ActivityRecord{${r.hex(7)} u0 com.example/.Main t${r.below(99)}}}}`,
  ],
  'locks and queues': [
    (r) => `acquired lock orders with fencing token=${r.below(1e8)}`,
    (r) => `cancellation token: cts${r.below(99999)} cancelled after ${r.below(99)}ms`,
    (r) => `resume token: {"_data":"82${r.hex(30).toUpperCase()}"}`,
    (r) => `lock token: ${r.below(1e9)} released`,
  ],
  'objects and their keys': [
    (r) => `admin_key=shop.admin.roles account_key=ACC-${r.below(99999)} client_key=cli-${r.below(99)}`,
    (r) => `service_key=orders-svc-${r.below(9)} application_key=orders integration_key: jira-${r.below(9)}`,
    (r) => `storage_key=/data/obj/${r.below(99)} object uploaded`,
    (r) => `x-sort-key=created_at x-surrogate-key=product-${r.below(9999)} x-cache-key=/p/${r.below(9999)}`,
    () => 'private_key=/etc/tls/tls.key ssh_key=/root/.ssh/id_ed25519 encryption-key=alias/shop-data',
    () => 'tls: private-key=/certs/tls.key cert=/certs/tls.crt credentials: google.json',
    () => 'started --tls --private-key /etc/tls/tls.key --secret web-tls --password-file /run/secrets/db',
    (r) =>
      `password=/run/secrets/db-password token=/var/run/secrets/kubernetes.io/serviceaccount/token attempt=${r.below(9)}`,
    (r) => `checked ${r.below(999)} users, passwords: ${r.below(9)}, tokens: ${r.below(999)}`,
    () => 'password: 8 characters minimum, pin: v1.29.3, pw=640x480',
    (r) =>
      `sid=S-1-5-21-${r.below(1e9)}-${r.below(1e9)}-500 sid=${r.below(1e8)} Cookie: _ga=GA1.2.${r.below(1e9)}.${r.below(1e9)}`,
    (r) => `Bearer token${r.below(99)} rejected, X-CSRF-Token: missing`,
    (r) => `image registry.example.com/shop/web:v1.2.${r.below(99)}@sha256:${r.hex(64)}`,
    () => "required: ['username', 'password', 'remember_me']",
    () =>
      '{"properties":{"password":{"type":"string","format":"password","minLength":8},"token":{"type":"string"}}}',
  ],
};
