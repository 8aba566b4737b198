import type {
  CertificateTrouble,
  ClusterTrouble,
  KubeFailures,
  KubeNotice,
  MissingApi,
  MissingEntry,
} from '@logtool/kube/src/values/failures.ts';
import { quoteWord } from '@logtool/kube/src/values/quote-word.ts';
import {
  CORRECT_CERTIFICATES,
  lackText,
  namesText,
  pluginEndText,
  rightText,
  SUCCESSORS,
  subjectText,
  unusableText,
  userText,
} from '../../messages/kube-parts.ts';
import type { Message, Messages } from './message.ts';

export const KUBE_MESSAGES: Messages<KubeFailures> = {
  'auth-provider-removed': ({ provider }) => ({
    what: `the kubeconfig's auth-provider ${provider || '(without a name)'} is not supported`,
    why: SUCCESSORS.has(provider)
      ? `the ${provider} auth-provider was removed from Kubernetes clients in version 1.26`
      : 'the only auth-provider that Kubernetes clients still have is oidc',
    next: SUCCESSORS.get(provider) ?? 'use an exec plugin, a token or a client certificate',
  }),
  'bad-certificate-data': certificateMessage,
  'bad-credentials': ({ field }) => ({
    what: `the ${field} cannot be sent`,
    why: 'it has a line break or another control character in it',
    next: 'correct the kubeconfig',
  }),
  'bad-impersonation': () => ({
    what: 'the user impersonates nobody',
    why: 'as-uid, as-groups or as-user-extra is set, but `as` is not',
    next: 'add `as: NAME` to the user in the kubeconfig, or remove the other fields',
  }),
  'bad-proxy-url': ({ from, url, problem }) => ({
    what: `${from} is not a proxy that can be used: ${url}`,
    why: problem === 'url' ? 'it is not a valid URL' : 'its scheme is none of http, https and socks5',
    next: `write ${from} as http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT`,
  }),
  'bad-server-url': ({ cluster, file, url, problem }) => ({
    what: `the server of cluster ${cluster} cannot be used`,
    why: {
      missing: 'the cluster has no server',
      url: `${url} is not a URL`,
      scheme: `${url} is neither an https nor an http URL`,
    }[problem],
    next: `correct \`server\` of the cluster in ${file}`,
  }),
  conflict: ({ request, why }) => ({
    what: `${subjectText(request)} was changed by someone else, or exists already`,
    why,
    next: 'check the current state, then run it again',
  }),
  'connection-lost': ({ server, context, why }) => ({
    what: `the connection to the cluster at ${server} broke`,
    why,
    next: server.startsWith('http://')
      ? `run it again; if it stays so, the server address of context "${context}" may have to begin with https://`
      : 'run it again; if it stays so, something between here and the cluster cuts connections',
  }),
  credentials: (trouble) => ({
    what: `there are no credentials for ${userText(trouble)}`,
    why: trouble.why,
    next: `check the user of context "${trouble.context}" in the kubeconfig`,
  }),
  dns: ({ server, context, hostname, systemCode }) => ({
    what: `cannot reach the cluster at ${server}`,
    why: `the name ${hostname} is not known here (${systemCode})`,
    next: `check the server address of context "${context}", and the network or VPN that knows the name`,
  }),
  'exec-plugin-failed': (trouble) => {
    const { plugin } = trouble;
    switch (trouble.problem) {
      case 'answer':
        return {
          what: `the credential plugin ${plugin} gave no usable answer`,
          why: trouble.why,
          next: `run ${plugin} by hand, and check that its version fits the kubeconfig`,
        };
      case 'no-terminal':
        return {
          what: `the credential plugin ${plugin} cannot run here`,
          why: 'its interactiveMode is Always, and standard input is not a terminal',
          next: 'run in a terminal, or use other credentials',
        };
      case 'run':
        return {
          what: `the credential plugin ${plugin} failed`,
          why: pluginEndText(trouble.why),
          next: `run it by hand to see more: ${trouble.command}`,
        };
    }
  },
  'exec-plugin-missing': ({ plugin, file, path = 'not set', installHint }) => ({
    what: `the credential plugin ${plugin} was not found`,
    why: file === undefined ? `it is in none of the folders of PATH (${path})` : `there is no file ${file}`,
    next: installHint || `install ${plugin}, or add its folder to PATH`,
  }),
  'exec-plugin-not-allowed': ({ program, file, policy }) => ({
    what: `your kuberc does not allow the credential plugin ${program}`,
    why:
      policy === 'DenyAll'
        ? `credentialPluginPolicy is DenyAll in ${file}`
        : `credentialPluginAllowlist in ${file} does not name it`,
    next: `to allow it, set credentialPluginPolicy: Allowlist and add {name: ${program}} to credentialPluginAllowlist in ${file}`,
  }),
  forbidden: (refusal) => {
    if ('missing' in refusal) return missingApiMessage(refusal);
    const { request, right, why = 'an access review of the cluster says so', check } = refusal;
    if (right === undefined)
      return {
        what: `the cluster does not allow the request for ${subjectText(request)}`,
        why,
        next: 'ask whoever administers the cluster for the right, or use another context',
      };
    const what = `you lack permission to ${rightText(right)}`;
    // Access is decided before existence: a user with rights on single names gets the same answer for absent ones.
    const mayBeAbsent = right.name !== undefined && refusal.why !== undefined;
    return mayBeAbsent
      ? {
          what,
          why: `${why}; the cluster says the same when there is no such object and your rights name others`,
          next: `check the name, and the right with: ${check}`,
        }
      : { what, why, next: `check with: ${check}` };
  },
  'forbidden-anonymous': ({ right, why }) => ({
    what: `no credentials were sent, and the cluster does not let strangers ${rightText(right)}`,
    why,
    next: 'give the user of this context a token, a client certificate or a plugin in the kubeconfig',
  }),
  gone: ({ request, why }) => ({
    what: `what the cluster kept for ${subjectText(request)} has expired`,
    why,
    next: 'run it again',
  }),
  'http-error': (answer) =>
    'missing' in answer
      ? missingApiMessage(answer)
      : {
          what: `the cluster refused the request for ${subjectText(answer.request)}`,
          why: answer.why,
          next: `check that ${answer.server} is the address of a Kubernetes API server, without a login page before it`,
        },
  'in-cluster-missing': (trouble) => ({
    what: 'not running in a pod',
    why: lackText(trouble),
    next: 'use --in-cluster only inside a pod that has a service account; elsewhere use --kubeconfig',
  }),
  'insecure-with-authority': ({ cluster, file }) => ({
    what: `the cluster ${cluster} has both insecure-skip-tls-verify and a certificate-authority`,
    why: 'one says that the server is not to be checked, the other says how to',
    next: `remove one of the two in ${file}`,
  }),
  'kubeconfig-invalid': ({ file, line, why }) => ({
    what: `kubeconfig ${file} is not valid${line === undefined ? '' : ` (line ${line})`}`,
    why,
    next: 'correct the file, or name another one with --kubeconfig',
  }),
  'kubeconfig-not-found': ({ files, from }) => ({
    what: `no kubeconfig at ${files.join(', ')}`,
    why: NOT_FOUND[from],
    next: 'name a kubeconfig with --kubeconfig or KUBECONFIG; inside a pod, use --in-cluster',
  }),
  'kubeconfig-unreadable': ({ file, why, isForbidden }) => ({
    what: `kubeconfig ${file} cannot be read`,
    why,
    next: isForbidden
      ? 'give yourself the right to read the file, or name another one with --kubeconfig'
      : 'name another file with --kubeconfig',
  }),
  'kuberc-invalid': ({ file, why }) => ({
    what: `cannot read which credential plugins ${file} allows`,
    why,
    next: 'correct the file; KUBERC=off ignores it',
  }),
  'missing-cluster': (entry) => missingEntryMessage('cluster', entry),
  'missing-user': (entry) => missingEntryMessage('user', entry),
  'namespace-leaving': ({ namespace }) => ({
    what: `the namespace ${namespace} is being deleted: nothing can be made in it`,
    next: `wait until it is gone (kubectl get namespace ${quoteWord(namespace)}), or choose another one`,
  }),
  'no-answer': ({ server, why }) => ({
    what: `the cluster at ${server} took the request and did not answer`,
    why,
    next: 'run it again; if it stays so, the API server is overloaded or a proxy holds the answer back',
  }),
  'no-current-context': ({ files, contexts }) => ({
    what: `no context was chosen, and ${files.join(', ')} has no current-context`,
    why: namesText('contexts', contexts),
    next: 'choose one with --kube-context, or for good with `kubectl config use-context NAME`',
  }),
  'not-admitted': ({ request, why }) => ({
    what: `the cluster does not admit ${subjectText(request)}`,
    why,
    next: 'no right is missing: a quota or a policy is in the way. Keep to it, or ask whoever administers the cluster',
  }),
  'not-found': (answer) =>
    'missing' in answer
      ? missingApiMessage(answer)
      : {
          what: `${subjectText(answer.request)} was not found`,
          why: answer.why,
          next: 'check the name, and the namespace with -n',
        },
  'oidc-refresh-failed': ({ issuer, why }) => ({
    what: `the OIDC login at ${issuer || 'an unnamed issuer'} could not be renewed`,
    why,
    next: 'log in again with the tool that wrote the kubeconfig',
  }),
  'protocol-error': ({ server, request, why }) => ({
    what: `the answer of ${server} for ${subjectText(request)} cannot be read`,
    why,
    next: 'check that the address is that of a Kubernetes API server and that no proxy changes its answers',
  }),
  'proxy-refused': ({ proxy, from, target, why }) => ({
    what: `the proxy ${proxy} did not connect to ${target}`,
    why,
    next: `check ${from}, or exempt the server with NO_PROXY (which proxy-url does not heed)`,
  }),
  'refused-request': ({ request, why, isUnknownField }) => ({
    what: `the cluster refused the request for ${subjectText(request)}`,
    why,
    next: isUnknownField
      ? 'use a field that the cluster can select by, such as status.phase or spec.nodeName'
      : undefined,
  }),
  'server-error': ({ request, why }) => ({
    what: `the cluster failed to answer for ${subjectText(request)}`,
    why,
    next: 'run it again; if it stays so, look at the API server, and at the node where the pod runs',
  }),
  tls: (trouble) => ({
    ...tlsMessage(trouble),
    why: trouble.why,
    next: `check the server address and the certificates of the cluster of context "${trouble.context}" in the kubeconfig`,
  }),
  'tls-client-certificate': (trouble) => ({
    ...tlsMessage(trouble),
    why: trouble.isMissing
      ? 'the server wants a client certificate, or a newer one'
      : `the server did not accept the client certificate: ${trouble.why}`,
    next: `check client-certificate-data of the user of context "${trouble.context}"`,
  }),
  'tls-expired': (trouble) => ({
    ...tlsMessage(trouble),
    why: 'its certificate has expired',
    next: 'renew the certificate of the API server, or check the clock of this machine',
  }),
  'tls-no-http1': (trouble) => ({
    ...tlsMessage(trouble),
    why: 'what answers there does not speak HTTP/1.1',
    next: `let what stands at ${trouble.server} offer HTTP/1.1, as API servers do, or name the API server itself`,
  }),
  'tls-no-tls': (trouble) => ({
    ...tlsMessage(trouble),
    why: 'what answers there does not speak TLS',
    next: `check the server address of the cluster of context "${trouble.context}": ${trouble.server} may have to begin with http://`,
  }),
  'tls-not-yet-valid': (trouble) => ({
    ...tlsMessage(trouble),
    why: 'its certificate is not valid yet',
    next: 'check the clock of this machine',
  }),
  'tls-unknown-authority': (trouble) => ({
    ...tlsMessage(trouble),
    why: `its certificate is signed by an authority that is not trusted (${trouble.tlsCode})`,
    next: `set certificate-authority-data of the cluster of context "${trouble.context}" in the kubeconfig to the cluster's own authority`,
  }),
  'tls-version': (trouble) => ({
    ...tlsMessage(trouble),
    why: 'the server speaks no TLS version that is still safe (1.2 or newer)',
    next: 'renew the API server, or what stands before it',
  }),
  'tls-wrong-host': (trouble) => ({
    ...tlsMessage(trouble),
    why: `its certificate is for other names: ${trouble.why}`,
    next: `use a server address that the certificate names, or set tls-server-name of the cluster of context "${trouble.context}"`,
  }),
  'token-file-unreadable': ({ file, why = 'the file is empty' }) => ({
    what: `no token in ${file}`,
    why,
    next: 'check tokenFile in the kubeconfig, or the service account of the pod',
  }),
  'too-many-requests': ({ request, why }) => ({
    what: `the cluster is too busy to answer for ${subjectText(request)}`,
    why,
    next: 'wait a little and run it again, or read fewer containers at once with --max-log-requests',
  }),
  unauthorized: (trouble) => {
    const { server, context, hasOwnToken } = trouble;
    const why = `${server} answered 401${trouble.why === '' ? '' : ` ${trouble.why}`}`;
    return hasOwnToken
      ? {
          what: 'the cluster does not accept the token',
          why: `${why}: the token is expired, revoked or for another cluster`,
          next: 'give another token with --token, or leave it out to use the kubeconfig',
        }
      : {
          what: `the cluster does not accept the credentials of ${userText(trouble)}`,
          why: `${why}: they are expired, revoked or for another cluster`,
          next: `log in again, then check with: kubectl auth whoami --context ${quoteWord(context)}`,
        };
  },
  unexpected: ({ server, why, isDefect }) => ({
    what: isDefect || server === undefined ? 'logtool failed unexpectedly' : `talking to ${server} failed`,
    why: why || undefined,
    next: 'run the same with --debug and report what it prints',
  }),
  'unknown-context': ({ context, files, isCurrent, contexts, near }) => ({
    what: `no context ${context} in ${files.join(', ')}`,
    why: `${isCurrent ? 'current-context names it, but ' : ''}${namesText('contexts', contexts)}`,
    next:
      near === undefined ? 'choose one of them with --kube-context' : `did you mean --kube-context ${near}?`,
  }),
  unreachable: (trouble) => {
    if (trouble.problem === 'timeout')
      return {
        what: `the cluster of context "${trouble.context}" does not answer`,
        why: `nothing came for ${trouble.limitMs / 1000} s`,
        next: 'check that the network, a VPN or a proxy leads to it, then try again',
      };
    const what = `cannot reach the cluster at ${trouble.server}`;
    return trouble.problem === 'refused'
      ? {
          what,
          why: `nothing listens at ${trouble.host} (connection refused)`,
          next: `check that the cluster runs and that the server address of context "${trouble.context}" is right`,
        }
      : {
          what,
          why: `${trouble.host} does not answer: ${trouble.why}`,
          next: 'check the network, the VPN, the proxy and firewall rules between here and the cluster',
        };
  },
};

/** What a connection reports while it works. */
export function kubeNoticeText(notice: KubeNotice): string {
  switch (notice.code) {
    case 'exec-plugin-slow':
      return `waiting for the credential plugin ${notice.data.plugin}, which says nothing so far; Ctrl-C ends it`;
    case 'oidc-tokens-not-saved': {
      const { user, file, why } = notice.data;
      return `the new OIDC tokens of ${user} could not be saved in ${file} (${why}); the next start may ask you to log in again`;
    }
  }
}

const NOT_FOUND = {
  explicit: 'the file that was asked for does not exist',
  KUBECONFIG: 'the KUBECONFIG environment variable names only files that do not exist',
  home: 'no file was named, KUBECONFIG is not set, and the default file does not exist',
} as const;

function certificateMessage(trouble: CertificateTrouble): Message {
  switch (trouble.problem) {
    case 'no-pem':
      return {
        what: `the certificate-authority of ${trouble.owner} cannot be used`,
        why: 'there is no PEM certificate in it',
        next: CORRECT_CERTIFICATES,
      };
    case 'other-key':
    case 'encrypted-key':
    case 'unusable':
      return {
        what: `the certificates of ${trouble.owner} cannot be used`,
        why: unusableText(trouble),
        next: CORRECT_CERTIFICATES,
      };
    case 'lacks':
      return {
        what: `the user ${trouble.user} has no ${trouble.field}`,
        why: 'a client certificate needs both client-certificate and client-key',
        next: `add ${trouble.field} or ${trouble.field}-data to the user in ${trouble.file}`,
      };
    case 'not-base64':
      return {
        what: `the ${trouble.field} cannot be read`,
        why: 'it is not base64',
        next: 'get the kubeconfig again from where it came from; a `-data` field holds base64, a file goes without `-data`',
      };
    case 'unreadable':
      return {
        what: `the ${trouble.field} of ${trouble.entry} cannot be read: ${trouble.path}`,
        why: trouble.why,
        next: `correct ${trouble.field} in ${trouble.file}`,
      };
  }
}

function missingEntryMessage(
  kind: 'cluster' | 'user',
  { context, name, file, existing }: MissingEntry,
): Message {
  const named = name === '' ? `names no ${kind}` : `names the ${kind} ${name}, which does not exist`;
  return {
    what: `context ${context} ${named}`,
    why: namesText(`${kind}s`, existing),
    next: `correct the context in ${file}, or choose another with --kube-context`,
  };
}

function missingApiMessage({ request, server, context, why }: MissingApi): Message {
  return {
    what: `there is no API for ${subjectText(request)} at ${server}`,
    why,
    next: `check the server address of context "${context}", also its path; kubectl api-resources lists the kinds that there are`,
  };
}

function tlsMessage({ server }: ClusterTrouble): Message {
  return { what: `no secure connection to the cluster at ${server}` };
}
