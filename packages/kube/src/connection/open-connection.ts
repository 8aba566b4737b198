import { isatty } from 'node:tty';
import { booleanField, field, isPlainObject, objectListField, textField } from '../config/fields.ts';
import { readInCluster } from '../config/in-cluster.ts';
import { withFile } from '../config/invalid-field.ts';
import type { Entry, Plain, PlainObject } from '../config/kubeconfig.ts';
import { loadKubeconfig } from '../config/load.ts';
import { locateKubeconfigs } from '../config/locate.ts';
import { selectContext } from '../config/select.ts';
import { chooseCredential } from '../credentials/choose.ts';
import type { ExecCluster } from '../credentials/exec-info.ts';
import { impersonationHeaders } from '../credentials/impersonation.ts';
import { readData } from '../credentials/read-data.ts';
import { staticTokenCredential } from '../credentials/static-token.ts';
import { tokenFileCredential } from '../credentials/token-file.ts';
import type { CodedError } from '../values/coded-error.ts';
import { type KubeFailures, kubeFailure } from '../values/failures.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import { makeConnection } from './make-connection.ts';
import type { ConnectionOptions, Impersonation } from './open-options.ts';
import { type ProxyServer, parseProxy } from './proxy.ts';
import { publicAuthorities } from './public-authorities.ts';
import { proxyOfEnvironment, routeTo } from './route.ts';
import type { ServerTrust } from './tls-options.ts';

/**
 * Reads the kubeconfig (or the service account) and prepares the connection. Opens no socket and runs no plugin yet.
 * Throws CodedError with a separate code for each mistake.
 */
export async function openConnection(options: ConnectionOptions): Promise<ClusterConnection> {
  if (options.inCluster) return openInCluster(options);
  const { env, homeDirectory, clock } = options;
  const config =
    options.loaded ??
    (await loadKubeconfig(locateKubeconfigs({ explicit: options.kubeconfig, env, homeDirectory })));
  const selected = await selectContext(config, options.context);
  const { cluster } = selected;
  const user = options.bearer === undefined ? selected.user : undefined;
  const { server, trust, proxy, reported } = await withFile(cluster, () => readCluster(cluster, env));
  const { credential, impersonation } = await withFile(user ?? cluster, async () => ({
    impersonation: impersonationOf(options.impersonate, user?.fields),
    credential:
      options.bearer === undefined
        ? await chooseCredential(user, {
            env,
            homeDirectory,
            clock,
            interactive: options.interactive ?? isatty(0),
            cluster: reported,
            onNotice: options.onNotice ?? (() => {}),
            onPluginOutput: options.onPluginOutput ?? ((bytes) => void process.stderr.write(bytes)),
          })
        : staticTokenCredential(options.bearer),
  }));
  const isAtHand = user === undefined || !(field(user.fields, 'exec') || field(user.fields, 'auth-provider'));
  return makeConnection({
    context: selected.context,
    server,
    namespace: selected.namespace,
    user: options.bearer === undefined ? selected.userName : '',
    route: routeTo(server, trust, proxy, clock),
    credential,
    first: isAtHand ? await credential.grant() : undefined,
    impersonation,
    http2: mayOfferHttp2(env),
    sessions: options.sessions,
  });
}

async function openInCluster(options: ConnectionOptions): Promise<ClusterConnection> {
  const { env, clock } = options;
  const found = await readInCluster(env, options.serviceAccountDirectory);
  const proxy = proxyOfEnvironment(found.server, env);
  const publicCa = needsPublic(found.server, found.ca, false, proxy)
    ? await publicAuthorities(env)
    : undefined;
  const trust: ServerTrust = { ca: found.ca, publicCa, insecure: false, serverName: '' };
  const credential =
    options.bearer === undefined
      ? tokenFileCredential(found.tokenFile, '', clock)
      : staticTokenCredential(options.bearer);
  return makeConnection({
    context: 'in-cluster',
    server: found.server,
    namespace: found.namespace,
    user: options.bearer === undefined ? 'service account' : '',
    route: routeTo(found.server, trust, proxy, clock),
    credential,
    first: await credential.grant(),
    impersonation: impersonationOf(options.impersonate, undefined),
    http2: mayOfferHttp2(env),
  });
}

/** Like kubectl: the requested values replace those fields of the kubeconfig's user, and its extra fields stay. */
function impersonationOf(asked: Impersonation | undefined, user: PlainObject | undefined) {
  if (asked === undefined) return user === undefined ? {} : impersonationHeaders(user);
  const { user: as, uid = '', groups } = asked;
  return impersonationHeaders({ ...user, as, 'as-uid': uid, 'as-groups': [...groups] });
}

/**
 * Like client-go: any value of DISABLE_HTTP2 disables it. Bun disables it too: its HTTP/2 client (1.4.5) loses the end
 * of responses that the caller reads more slowly than they arrive.
 */
function mayOfferHttp2(env: ConnectionOptions['env']): boolean {
  return !env.DISABLE_HTTP2 && process.versions.bun === undefined;
}

async function readCluster(cluster: Entry, env: ConnectionOptions['env']) {
  const { fields } = cluster;
  const ca = await readData(cluster, 'certificate-authority');
  const insecure = booleanField(fields, 'insecure-skip-tls-verify');
  if (insecure && ca !== undefined) throw insecureWithAuthority(cluster);
  const serverName = textField(fields, 'tls-server-name');
  const proxyUrl = textField(fields, 'proxy-url');
  const server = parseServer(textField(fields, 'server'), ca !== undefined || insecure, cluster);
  const config = execExtension(cluster);
  const reported: ExecCluster = {
    server: textField(fields, 'server'),
    ...(serverName === '' ? {} : { 'tls-server-name': serverName }),
    ...(insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === undefined ? {} : { 'certificate-authority-data': ca.toString('base64') }),
    ...(proxyUrl === '' ? {} : { 'proxy-url': proxyUrl }),
    ...(config === undefined ? {} : { config }),
  };
  const proxy = proxyUrl === '' ? proxyOfEnvironment(server, env) : parseProxy(proxyUrl, 'proxy-url');
  const publicCa = needsPublic(server, ca, insecure, proxy) ? await publicAuthorities(env) : undefined;
  return { server, trust: { ca, publicCa, insecure, serverName }, proxy, reported };
}

/** Whether the connection checks anything against the machine's authorities; reading them takes tens of ms. */
function needsPublic(
  server: URL,
  ca: Buffer | undefined,
  insecure: boolean,
  proxy: ProxyServer | undefined,
): boolean {
  if (insecure) return false;
  return proxy?.kind === 'https' || (server.protocol === 'https:' && ca === undefined);
}

/** Returns the configuration that the cluster's entry holds for exec plugins. */
function execExtension(cluster: Entry): Plain | undefined {
  const named = objectListField(cluster.fields, 'extensions').find(
    (item) => textField(item, 'name') === 'client.authentication.k8s.io/exec',
  );
  const value = named === undefined ? undefined : field(named, 'extension');
  return isPlainObject(value) ? value : undefined;
}

function insecureWithAuthority({ name, file }: Entry): CodedError {
  return kubeFailure('insecure-with-authority', { cluster: name, file });
}

/**
 * Parses a cluster's `server`. Without a scheme: https if TLS is configured, else http (client-go's DefaultServerURL).
 * Throws CodedError `bad-server-url`.
 */
function parseServer(text: string, tlsConfigured: boolean, cluster: Entry): URL {
  if (text === '') throw badServer(cluster, text, 'missing');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${tlsConfigured ? 'https' : 'http'}://${text}`;
  if (!URL.canParse(full)) throw badServer(cluster, text, 'url');
  const url = new URL(full);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badServer(cluster, text, 'scheme');
  }
  return url;
}

function badServer(
  { name, file }: Entry,
  url: string,
  problem: KubeFailures['bad-server-url']['problem'],
): CodedError {
  return kubeFailure('bad-server-url', { cluster: name, file, url, problem });
}
