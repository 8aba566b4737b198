import { type FactsOf, type NextOf, withNext } from '../../messages/message.ts';
import { ANSWER_FACTS } from '../../messages/server.ts';
import { ANSWER_NEXT, OPEN_PRINTED, requestNext } from '../../messages/server-next.ts';
import type { ServerFailures, SessionKeyProblem } from '../../server/failures.ts';

const FACTS: FactsOf<ServerFailures> = {
  ...ANSWER_FACTS,
  'bad-allowed-host': ({ value }) => ({
    what: `bad value of --allowed-host: ${value}`,
    why: 'it is not a host name, with or without a port',
  }),
  'bad-session-keys': ({ file, problem }) => ({
    what: `cannot use the session keys in ${file}`,
    why: keyText(problem),
  }),
  'cannot-listen': ({ host, port, systemCode }) => ({
    what: `the server cannot listen on ${host}, port ${port}`,
    why: systemCode === undefined ? undefined : `the system reports ${systemCode}`,
  }),
  'host-not-here': ({ host, port }) => ({
    what: `the server cannot listen on ${host}, port ${port}`,
    why: 'this machine does not have that address',
  }),
  'namespace-not-allowed': (data) => ({
    ...ANSWER_FACTS['namespace-not-allowed'](data),
    why: `it runs with --allowed-namespaces ${data.allowed.join(',')}`,
  }),
  'no-sign-in': (data) => ({
    ...ANSWER_FACTS['no-sign-in'](data),
    why: 'it lets in everyone who reaches it (--auth none)',
  }),
  'port-not-allowed': ({ host, port }) => ({
    what: `the server cannot listen on ${host}, port ${port}`,
    why: 'the system reserves this port for privileged programs',
  }),
  'port-taken': ({ host, port, to }) =>
    to === undefined
      ? { what: `port ${port} of ${host} is taken`, why: 'another program listens there' }
      : { what: `no port of ${host} from ${port} to ${to} is free`, why: 'other programs listen there' },
  'session-keys-unreadable': ({ file, systemCode }) => ({
    what: `cannot read the session keys in ${file}`,
    why: `the system reports ${systemCode}`,
  }),
};

const PORT_FLAGS = { dashboard: '--port', metrics: '--metrics-port', mcp: '--http' } as const;

const NEXT: NextOf<ServerFailures> = {
  ...ANSWER_NEXT,
  'bad-allowed-host': 'write --allowed-host=logs.example.com or --allowed-host=logs.example.com:8443',
  'bad-request': ({ problem }) =>
    requestNext(
      problem,
      'openapi.json beside the routes describes it; if the page sent it, load the page again',
    ),
  'bad-session-keys': 'write one key per line, for example from: openssl rand -base64 48',
  'cannot-listen': ({ purpose }) => `choose another --host or ${PORT_FLAGS[purpose]}`,
  'foreign-host':
    'open an address that logtool printed, or restart it with --allowed-host NAME (chart: dashboard.allowedHosts)',
  'foreign-origin': 'open the dashboard itself; behind a proxy, start the server with --allowed-host NAME',
  'host-not-here': 'choose one of its addresses with --host; 0.0.0.0 means all',
  'no-such-route': ({ isApi }) => (isApi ? 'openapi.json lists the routes' : OPEN_PRINTED),
  'port-not-allowed': ({ purpose }) => `choose a port from 1024 on with ${PORT_FLAGS[purpose]}`,
  'port-taken': ({ purpose, to }) =>
    to === undefined
      ? `choose another one with ${PORT_FLAGS[purpose]}, or ${PORT_FLAGS[purpose]}=0 for any that is free`
      : `choose one with ${PORT_FLAGS[purpose]}, or ${PORT_FLAGS[purpose]}=0 for any that is free`,
  'session-keys-unreadable':
    'check the path of --session-key-file; in a cluster, check that the Secret exists and is mounted',
};

export const SERVER_MESSAGES = withNext(FACTS, NEXT);

function keyText(problem: SessionKeyProblem): string {
  switch (problem.problem) {
    case 'none':
      return 'the file has no key';
    case 'too-many':
      return `the file has ${problem.count} keys; logtool takes up to ${problem.limit}`;
    case 'short':
      return `key ${problem.index} has fewer than ${problem.minCharacters} characters`;
  }
}
