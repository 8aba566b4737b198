import { whyText } from '../../../messages/problems.ts';
import type { AgentsState, Read, Ready } from '../../releases/agents-of-release.ts';

/** More nodes are only counted. */
const MAX_NODES = 5;
const APISERVICE = 'v1alpha1.logtool.dev';

/** Words how the agents of a release and their API are: one line for each, with what to do about it. */
export function agentsText({ agents, api, served, ends }: AgentsState): string {
  const rows: readonly (readonly [string, string])[] = [
    ['AGENTS', known(agents, (read) => `ready on ${ofNodes(read)}${withoutText(read.without)}`)],
    ['AGENT API', known(api, ({ ready, wanted }) => `${ready} of ${wanted} replicas ready`)],
    ...(served === undefined ? [] : ([['API GROUP', servedText(served)]] as const)),
    [
      'CERTIFICATES',
      known(ends, ({ certificate, authority }) =>
        certificate === undefined || authority === undefined
          ? 'the API has made none yet'
          : `that of the API ends on ${dayOf(certificate)} and its authority on ${dayOf(authority)}; it renews both before`,
      ),
    ],
  ];
  return rows.map(([title, text]) => `${`${title}:`.padEnd(13)} ${text}\n`).join('');
}

function known<T extends object>(read: Read<T>, text: (value: T) => string): string {
  return 'why' in read ? `unknown: ${whyText(read.why)}` : text(read);
}

function ofNodes({ ready, wanted }: Ready): string {
  return `${ready} of ${wanted} node${wanted === 1 ? '' : 's'}`;
}

function withoutText(nodes: readonly string[]): string {
  if (nodes.length === 0) return '';
  const rest = nodes.length - MAX_NODES;
  return `; not on ${nodes.slice(0, MAX_NODES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function servedText(served: Read<{ readonly answers: true }>): string {
  if (!('why' in served)) return 'the API server reaches it';
  return `the API server does not reach it: ${whyText(served.why)}. Until it does, the cluster cannot delete any namespace; if it never does: kubectl delete apiservice ${APISERVICE}`;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
