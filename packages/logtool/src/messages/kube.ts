import type {
  CertificateTrouble,
  ClusterTrouble,
  KubeFailures,
  MissingApi,
  MissingEntry,
} from '@logtool/kube/src/values/failures.ts';
import {
  lackText,
  namesText,
  pluginEndText,
  rightText,
  SUCCESSORS,
  subjectText,
  unusableText,
  userText,
} from './kube-causes.ts';
import type { Facts, FactsOf } from './message.ts';
import { whyText } from './problems.ts';
import { knownText, unknownMemberText } from './unknown-code.ts';

/** What happened to a connection or request, and why, for every reader. */
export const KUBE_FACTS: FactsOf<KubeFailures> = {
  'auth-provider-removed': ({ provider }) => ({
    what: `logtool does not support the kubeconfig's auth-provider ${provider || '(without a name)'}`,
    why: SUCCESSORS.has(provider)
      ? `Kubernetes removed the ${provider} auth-provider from its clients in version 1.26`
      : 'the only auth-provider that Kubernetes clients still have is oidc',
  }),
  'bad-certificate-data': certificateFacts,
  'bad-credentials': ({ field, file }) => ({
    what: `logtool cannot send the ${CREDENTIALS.get(field) ?? field}${file === undefined ? '' : ` in ${file}`}`,
    why: 'it contains a line break or another control character',
  }),
  'bad-impersonation': () => ({
    what: 'the kubeconfig names no user to impersonate',
    why: 'it sets as-uid, as-groups or as-user-extra, but not `as`',
  }),
  'bad-proxy-url': ({ from, url, problem }) => ({
    what: `${from} is not a usable proxy: ${url}`,
    why: knownText(PROXY_FAULTS, problem),
  }),
  'bad-server-url': ({ cluster, url, problem }) => ({
    what: `logtool cannot use the server of cluster ${cluster}`,
    why: knownText(
      {
        missing: 'the cluster has no server',
        url: `${url} is not a URL`,
        scheme: `${url} is neither an https nor an http URL`,
      },
      problem,
    ),
  }),
  conflict: ({ request, why }) => ({
    what: `${subjectText(request)} already exists, or someone else changed it`,
    why: whyText(why),
  }),
  'connection-lost': ({ server, why }) => ({
    what: `the connection to the cluster at ${server} broke`,
    why: whyText(why),
  }),
  credentials: (trouble) => ({
    what: `there are no credentials for ${userText(trouble)}`,
    why: whyText(trouble.why),
  }),
  dns: ({ server, hostname, systemCode }) => ({
    what: `cannot reach the cluster at ${server}`,
    why: `this machine cannot resolve ${hostname} (${systemCode})`,
  }),
  'exec-plugin-failed': (trouble) => {
    const { plugin } = trouble;
    switch (trouble.problem) {
      case 'answer':
        return {
          what: `the credential plugin ${plugin} returned no usable answer`,
          why: whyText(trouble.why),
        };
      case 'no-terminal':
        return {
          what: `the credential plugin ${plugin} cannot run here`,
          why: 'its interactiveMode is Always, and standard input is not a terminal',
        };
      case 'run':
        return { what: `the credential plugin ${plugin} failed`, why: pluginEndText(trouble.why) };
      default:
        return { what: unknownMemberText(trouble satisfies never, 'problem') };
    }
  },
  'exec-plugin-missing': ({ plugin, file, path = 'not set' }) => ({
    what: `cannot find the credential plugin ${plugin}`,
    why: file === undefined ? `it is in none of the folders of PATH (${path})` : `there is no file ${file}`,
  }),
  'exec-plugin-not-allowed': ({ program, file, policy }) => ({
    what: `your kuberc does not allow the credential plugin ${program}`,
    why: knownText(
      {
        DenyAll: `credentialPluginPolicy is DenyAll in ${file}`,
        Allowlist: `credentialPluginAllowlist in ${file} does not name it`,
      },
      policy,
    ),
  }),
  forbidden: (refusal) => {
    if ('missing' in refusal) return missingApiFacts(refusal);
    const { request, right } = refusal;
    const why = whyText(refusal.why ?? 'an access review by the cluster denied it');
    if (right === undefined)
      return { what: `the cluster does not allow the request for ${subjectText(request)}`, why };
    return {
      what: `you lack permission to ${rightText(right)}`,
      why: isMaybeAbsent(refusal)
        ? `${why}; the cluster answers the same if the object does not exist and your permissions name others`
        : why,
    };
  },
  'forbidden-anonymous': ({ right, why }) => ({
    what: `logtool sent no credentials, and the cluster does not let anonymous users ${rightText(right)}`,
    why: whyText(why),
  }),
  gone: ({ request, why }) => ({
    what: `the cluster's snapshot of ${subjectText(request)} has expired`,
    why: whyText(why),
  }),
  'http-error': (answer) => ('missing' in answer ? missingApiFacts(answer) : refusedFacts(answer)),
  'in-cluster-missing': (trouble) => ({ what: 'not running in a pod', why: lackText(trouble) }),
  'insecure-with-authority': ({ cluster }) => ({
    what: `the cluster ${cluster} has both insecure-skip-tls-verify and a certificate-authority`,
    why: 'one turns off the check of the server, the other sets how to check it',
  }),
  'kubeconfig-invalid': ({ file, line, why }) => ({
    what: `kubeconfig ${file} is not valid${line === undefined ? '' : ` (line ${line})`}`,
    why: whyText(why),
  }),
  'kubeconfig-not-found': ({ files, from }) => ({
    what: `no kubeconfig at ${files.join(', ')}`,
    why: knownText(NOT_FOUND, from),
  }),
  'kubeconfig-unreadable': ({ file, why }) => ({
    what: `cannot read kubeconfig ${file}`,
    why: whyText(why),
  }),
  'kuberc-invalid': ({ file, why }) => ({
    what: `cannot read which credential plugins ${file} allows`,
    why: whyText(why),
  }),
  'missing-cluster': (entry) => missingEntryFacts('cluster', entry),
  'missing-user': (entry) => missingEntryFacts('user', entry),
  'namespace-leaving': ({ namespace }) => ({
    what: `the namespace ${namespace} is being deleted; the cluster creates nothing in it`,
  }),
  'no-answer': ({ server, why }) => ({
    what: `the cluster at ${server} accepted the request and did not answer`,
    why: whyText(why),
  }),
  'no-current-context': ({ files, contexts }) => ({
    what: `you chose no context, and ${files.join(', ')} has no current-context`,
    why: namesText('contexts', contexts),
  }),
  'not-admitted': ({ request, why }) => ({
    what: `the cluster does not admit ${subjectText(request)}`,
    why: whyText(why),
  }),
  'not-found': (answer) =>
    'missing' in answer
      ? missingApiFacts(answer)
      : { what: `${subjectText(answer.request)} was not found`, why: whyText(answer.why) },
  'oidc-refresh-failed': ({ issuer, why }) => ({
    what: `logtool could not renew the OIDC login at ${issuer || 'an unnamed issuer'}`,
    why: whyText(why),
  }),
  'protocol-error': ({ server, request, why }) => ({
    what: `logtool cannot read the answer of ${server} for ${subjectText(request)}`,
    why: whyText(why),
  }),
  'proxy-refused': ({ proxy, target, why }) => ({
    what: `the proxy ${proxy} did not connect to ${target}`,
    why: whyText(why),
  }),
  'refused-request': refusedFacts,
  'server-error': ({ request, why }) => ({
    what: `the cluster failed to answer for ${subjectText(request)}`,
    why: whyText(why),
  }),
  tls: (trouble) => tlsFacts(trouble, whyText(trouble.why)),
  'tls-client-certificate': (trouble) =>
    tlsFacts(
      trouble,
      trouble.isMissing
        ? 'the server requires a client certificate, or a newer one'
        : `the server did not accept the client certificate: ${whyText(trouble.why)}`,
    ),
  'tls-expired': (trouble) => tlsFacts(trouble, 'its certificate has expired'),
  'tls-no-http1': (trouble) => tlsFacts(trouble, 'the server does not speak HTTP/1.1'),
  'tls-no-tls': (trouble) => tlsFacts(trouble, 'the server does not speak TLS'),
  'tls-not-yet-valid': (trouble) => tlsFacts(trouble, 'its certificate is not valid yet'),
  'tls-unknown-authority': (trouble) =>
    tlsFacts(
      trouble,
      `this machine does not trust the authority that signed its certificate (${trouble.tlsCode})`,
    ),
  'tls-version': (trouble) => tlsFacts(trouble, 'the server supports no safe TLS version (1.2 or newer)'),
  'tls-wrong-host': (trouble) =>
    tlsFacts(trouble, `its certificate is for other names: ${whyText(trouble.why)}`),
  'token-file-unreadable': ({ file, why = 'the file is empty' }) => ({
    what: `no token in ${file}`,
    why: whyText(why),
  }),
  'too-many-requests': ({ request, why }) => ({
    what: `the cluster is too busy to answer for ${subjectText(request)}`,
    why: whyText(why),
  }),
  unauthorized: (trouble) => {
    const why = `${trouble.server} answered 401${trouble.why === '' ? '' : ` ${whyText(trouble.why)}`}`;
    return trouble.hasOwnToken
      ? {
          what: 'the cluster does not accept the token',
          why: `${why}: the token is expired, revoked or for another cluster`,
        }
      : {
          what: `the cluster does not accept the credentials of ${userText(trouble)}`,
          why: `${why}: they are expired, revoked or for another cluster`,
        };
  },
  unexpected: ({ server, why, isDefect }) => ({
    what: isDefect || server === undefined ? 'logtool failed unexpectedly' : `talking to ${server} failed`,
    why: whyText(why) || undefined,
  }),
  'thread-script-missing': ({ path }) => ({ what: `${path} is missing` }),
  'unknown-context': ({ context, files, isCurrent, contexts }) => ({
    what: `no context ${context} in ${files.join(', ')}`,
    why: `${isCurrent ? 'current-context names it, but ' : ''}${namesText('contexts', contexts)}`,
  }),
  unreachable: (trouble) => {
    switch (trouble.problem) {
      case 'timeout':
        return {
          what: `the cluster of context "${trouble.context}" does not answer`,
          why: `it sent nothing for ${trouble.limitMs / 1000} s`,
        };
      case 'refused':
        return {
          what: `cannot reach the cluster at ${trouble.server}`,
          why: `nothing listens at ${trouble.host} (connection refused)`,
        };
      case 'silent':
        return {
          what: `cannot reach the cluster at ${trouble.server}`,
          why: `${trouble.host} does not answer: ${whyText(trouble.why)}`,
        };
      default:
        return { what: unknownMemberText(trouble satisfies never, 'problem') };
    }
  },
};

/** Fields with a more familiar name. */
const CREDENTIALS: ReadonlyMap<string, string> = new Map([
  ['status.token', 'token of the credential plugin'],
]);

/**
 * Whether the object may be absent: the API server checks access before existence, so a user with permissions on single
 * names gets the same answer for absent ones.
 */
export function isMaybeAbsent({ right, why }: Exclude<KubeFailures['forbidden'], MissingApi>): boolean {
  return right?.name !== undefined && why !== undefined;
}

const PROXY_FAULTS = {
  url: 'it is not a valid URL',
  scheme: 'its scheme is not http, https or socks5',
} as const;

const NOT_FOUND = {
  explicit: 'the file that you named does not exist',
  KUBECONFIG: 'the KUBECONFIG environment variable names only files that do not exist',
  home: 'you named no file, KUBECONFIG is not set, and the default file does not exist',
} as const;

function certificateFacts(trouble: CertificateTrouble): Facts {
  switch (trouble.problem) {
    case 'no-pem':
      return {
        what: `logtool cannot use the certificate-authority of ${trouble.owner}`,
        why: 'it contains no PEM certificate',
      };
    case 'other-key':
    case 'encrypted-key':
    case 'unusable':
      return { what: `logtool cannot use the certificates of ${trouble.owner}`, why: unusableText(trouble) };
    case 'lacks':
      return {
        what: `the user ${trouble.user} has no ${trouble.field}`,
        why: 'a client certificate needs both client-certificate and client-key',
      };
    case 'not-base64':
      return {
        what: `logtool cannot read the ${trouble.field} of ${trouble.entry} in ${trouble.file}`,
        why: 'it is not base64',
      };
    case 'unreadable':
      return {
        what: `cannot read ${trouble.path}, the ${trouble.field} of ${trouble.entry}`,
        why: whyText(trouble.why),
      };
    default:
      return { what: unknownMemberText(trouble satisfies never, 'problem') };
  }
}

function missingEntryFacts(kind: 'cluster' | 'user', { context, name, existing }: MissingEntry): Facts {
  const named = name === '' ? `names no ${kind}` : `names the ${kind} ${name}, which does not exist`;
  return { what: `context ${context} ${named}`, why: namesText(`${kind}s`, existing) };
}

function missingApiFacts({ request, server, why }: MissingApi): Facts {
  return { what: `there is no API for ${subjectText(request)} at ${server}`, why: whyText(why) };
}

function refusedFacts({ request, why }: KubeFailures['refused-request'] | KubeFailures['gone']): Facts {
  return { what: `the cluster refused the request for ${subjectText(request)}`, why: whyText(why) };
}

function tlsFacts({ server }: ClusterTrouble, why: string): Facts {
  return { what: `no secure connection to the cluster at ${server}`, why };
}
