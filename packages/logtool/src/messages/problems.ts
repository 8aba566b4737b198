import type {
  ConnectStep,
  FieldFault,
  FieldType,
  KubeProblem,
  KubeProblems,
  Why,
} from '@logtool/kube/src/values/problems.ts';
import { knownText, unknownCodeText, unknownMemberText } from './unknown-code.ts';

/**
 * Returns why something failed, for every reader. A problem that only a newer server knows shows its code.
 */
export function whyText(why: Why): string {
  if (typeof why === 'string') return why;
  const { code, data } = why;
  const text = Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined;
  // The table is typed: each code has matching data.
  return text === undefined ? unknownCodeText(code) : text(data as never);
}

const TEXTS: { readonly [C in KubeProblem['code']]: (data: KubeProblems[C]) => string } = {
  // A file, and a field of a kubeconfig
  'aliases-unfold': () => 'its aliases (*name) expand to more than a kubeconfig can hold',
  'bad-field': ({ path, fault }) => `${path === '' ? 'it' : path} ${faultText(fault)}`,
  'file-changed': () => 'it has changed, and logtool can no longer read it',
  'file-not-editable': () => 'its users are aliases, or have merged or repeated keys',
  'file-forbidden': () => 'permission denied',
  'file-is-folder': () => 'it is a directory',
  'file-missing': () => 'there is no such file',
  'file-too-large': ({ limitMib }) => `it is larger than ${limitMib} MiB`,
  'nul-in-path': () => 'the path has a NUL in it',
  'not-utf8': () => 'it is not UTF-8 text',
  'path-through-file': () => 'a part of its path is not a directory',
  'silent-pipe': () => 'it is a pipe, and no program writes to it',
  'system-error': ({ message }) => message,
  'temporary-file-cut': () => 'a temporary file shrank while logtool read it',
  'too-many-marks': () =>
    'it has more lines and items than a file of 3,000 clusters: reading it would take too long',
  'user-removed': () => 'the user is no longer in it',

  // Authentication
  'allowlist-empty': () => 'credentialPluginAllowlist names no plugin',
  'allowlist-entry': () =>
    'an entry of credentialPluginAllowlist needs one path or name, in its shortest form',
  'allowlist-without-policy': () => 'credentialPluginAllowlist needs credentialPluginPolicy: Allowlist',
  'bad-answer-field': ({ path, fault }) => `in its output, ${path} ${faultText(fault)}`,
  'bad-expiry': ({ text }) => `its expirationTimestamp is not an RFC 3339 time: ${text}`,
  'bad-plugin-policy': () => 'credentialPluginPolicy should be AllowAll, DenyAll or Allowlist',
  'discovery-unreadable': ({ status }) => `logtool cannot read its discovery document (HTTP ${status})`,
  'half-certificate': () => 'its answer has only one of certificate and key',
  'id-token-expired': () => 'the id-token has expired, and there is no refresh-token',
  'issuer-answered': ({ status, description = 'no reason given' }) =>
    `it answered HTTP ${status}: ${description}`,
  'issuer-answer-too-long': () => 'its answer is too long',
  'issuer-not-set': () => 'idp-issuer-url or client-id is not set',
  'issuer-silent': ({ limitMs }) => `no answer within ${limitMs / 1000} s`,
  'no-credentials': () => 'its answer has neither token nor certificate',
  'no-id-token': () => 'its answer has no id_token (the login lacks the scope openid)',
  'no-status': () => 'its answer has no status',
  'not-a-preference': () => 'it is not of kind Preference',
  'not-a-url': ({ address }) => `${address} is not a URL`,
  'not-exec-credential': () => 'its output is not an ExecCredential',
  'other-exec-version': ({ asked, answered }) =>
    `the kubeconfig asks for ${asked}, it answered in ${answered || 'no version'}`,
  'other-kind': () => 'its answer is not of kind ExecCredential',
  'other-kuberc-version': ({ expected }) => `its apiVersion should be ${expected}`,
  'output-not-json': () => 'its output is not JSON',

  // The connection to a server
  'answer-stopped': ({ afterMs }) => `the answer stopped for ${afterMs / 1000} s`,
  'connection-closed': ({ step }) =>
    `${step === undefined ? '' : `${stepText(step)}: `}the connection closed`,
  'connection-cut': () => 'the connection broke in the middle of the answer',
  'connection-ended': () => 'the connection ended',
  'connection-stuck': () => 'the connection no longer accepts data',
  'no-answer-from': ({ host, limitMs }) => `no answer from ${host} within ${limitMs / 1000} s`,
  'no-connection-to': ({ host, limitMs }) => `no connection to ${host} within ${limitMs / 1000} s`,
  'ping-unanswered': ({ limitMs }) => `no answer to a ping within ${limitMs / 1000} s`,
  'proxy-answer-cut': () => 'it closed the connection in the middle of its answer',
  'proxy-answer-endless': () => 'its answer has no end',
  'proxy-answered': ({ status }) => `it answered ${status}`,
  'proxy-closed': () => 'it closed the connection without an answer',
  'proxy-not-http': () => 'its answer is not HTTP',
  'request-given-up': ({ reset }) =>
    `the server gave up the request before it answered: ${RESETS.get(reset) ?? reset}`,
  'socks-answer': () => 'logtool cannot read its answer',
  'socks-login-missing': () => 'it requires a user and password, and proxy-url has none',
  'socks-login-refused': () => 'it does not accept the user and password',
  'socks-login-too-long': () => 'user or password has more than 255 bytes',
  'socks-name-too-long': () => 'the name of the server has more than 255 bytes',
  'socks-not-spoken': () => 'it does not speak SOCKS5',
  'socks-reply': ({ reply }) => SOCKS_REPLIES[reply - 1] ?? `it answered with the unknown code ${reply}`,
  'step-silent': ({ step, limitMs }) => `${stepText(step)}: no answer within ${limitMs / 1000} s`,
  'stream-reset': ({ reset }) => `the other side reset the stream: ${reset}`,

  // The server's answer
  anonymous: () => 'the server treats the request as one without credentials',
  'answer-too-large': ({ limitBytes }) => `the answer is larger than ${limitBytes} bytes`,
  'bad-bookmark': () => 'a bookmark has no resourceVersion',
  'bad-compression': ({ why }) => `logtool cannot decompress the answer: ${why}`,
  'bad-metadata': ({ field }) => `metadata.${field} of an object is malformed`,
  'bad-content-range': ({ text }) => `the part of a file came with the Content-Range "${text}"`,
  'bad-path-segment': ({ text }) => `"${text}" cannot be part of a request path`,
  'broken-json': ({ begin }) => `the answer is incomplete or broken JSON: ${begin}`,
  'empty-error-event': () => 'an ERROR event has no message',
  'encoding-unwanted': ({ encoding }) =>
    `the log came with Content-Encoding ${encoding}, although logtool did not ask for it`,
  'line-too-long': ({ limitBytes }) => `a line of the answer is longer than ${limitBytes} bytes`,
  'list-circle': () => 'the pages of the list repeat',
  'list-too-long': ({ pages }) => `the list has more than ${pages} pages`,
  'log-ended-early': () => 'the log repeatedly ended before its last line',
  'log-ended-in-line': () => 'the answer ended in the middle of a line',
  'log-silent': ({ limitMs }) => `the node sent no line of it within ${limitMs / 1000} s`,
  'name-missing': () => 'the answer holds an object without a name',
  'no-log': ({ text }) => `the node answered with text in place of a log: ${text}`,
  'no-user': () => 'the answer names no user',
  'no-verdict': () => 'the access review has no verdict',
  'no-version': () => 'the answer holds no version',
  'not-a-list': () => 'the answer is not a list',
  'not-an-event': () => 'the watch sent something that is not an event',
  'not-json': ({ begin }) => `the answer is not JSON: ${begin}`,
  'not-read-only': ({ method, path }) =>
    `logtool sends no ${method} ${path} here: it only reads, and never Secrets or ConfigMaps`,
  redirect: ({ status, location }) => `the server redirects to ${location} (${status})`,
  status: ({ status }) => `the server answered ${status} without a message`,
  'unknown-encoding': ({ encoding }) => `unknown Content-Encoding ${encoding}`,
};

/** Reply codes of RFC 1928 section 6, from 1. */
const SOCKS_REPLIES = [
  'general failure of the proxy',
  'its rules do not allow the connection',
  'the network is unreachable',
  'the host is unreachable',
  'the server refused the connection',
  'the time to live expired',
  'the proxy does not support this command',
  'the proxy does not support this kind of address',
];

const RESETS: ReadonlyMap<string, string> = new Map([
  ['ended', 'the connection ended'],
  ['lost', 'the connection had ended'],
]);

function stepText({ step, to }: ConnectStep): string {
  return `${knownText(STEPS, step)} ${to}`;
}

const STEPS = { connect: 'connect to', tls: 'TLS with', proxy: 'proxy' } as const;

function faultText(fault: FieldFault): string {
  switch (fault.problem) {
    case 'type': {
      const hint = fault.isUnquoted === true ? ': put it in quotes' : '';
      return `should be ${knownText(TYPES, fault.expected)}, not ${knownText(TYPES, fault.found)}${hint}`;
    }
    case 'value': {
      const [last = '', ...others] = fault.expected.toReversed();
      const first = others.length === 0 ? '' : `${others.toReversed().join(', ')} or `;
      return `should be ${first}${last}, not ${fault.found || 'empty'}`;
    }
    case 'repeated':
      return `repeats the name ${fault.name} of an earlier entry`;
    case 'not-set':
      return 'is not set';
    case 'needed':
      return `must be set with ${fault.apiVersion}`;
    case 'variable-name':
      return 'has a name that no variable can have';
    case 'nul':
      return 'has a NUL in it';
    default:
      return unknownMemberText(fault satisfies never, 'problem');
  }
}

const TYPES: Readonly<Record<FieldType, string>> = {
  boolean: 'true or false',
  list: 'a list',
  nothing: 'nothing',
  number: 'a number',
  object: 'an object',
  text: 'text',
};
