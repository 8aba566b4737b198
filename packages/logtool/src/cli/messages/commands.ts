import { waitText } from '../../messages/container-report.ts';
import type { CommandFailures } from '../failures.ts';
import { emptyText } from './empty-text.ts';
import type { Messages } from './message.ts';

export const COMMAND_MESSAGES: Messages<CommandFailures> = {
  unexpected: ({ why }) => ({
    what: 'logtool failed unexpectedly',
    why,
    next: 'run the same command with --debug and report what it prints',
  }),
  'no-room-for-files': ({ why }) => ({
    what: "cannot unpack the program's own files",
    why,
    next: 'name a writable folder: TMPDIR=FOLDER, or XDG_CACHE_HOME=FOLDER to keep them',
  }),
  'no-licenses': ({ name, why }) => ({
    what: `cannot show the licenses: cannot read ${name}, which comes with the program`,
    why,
    next: 'install logtool again; from its sources, run: npm run build',
  }),
  'agent-file': (data) => ({
    what: `logtool cannot use ${data.file}`,
    why: agentFileText(data),
    next: agentFileNext(data),
  }),
  'agent-authorities': ({ namespace, secret }) => ({
    what: `logtool cannot use the authorities in the Secret ${secret}, and does not replace them`,
    why: 'its ca.crt and ca.key are not certificates of authorities with their keys',
    next: `restore the Secret, or remove its data, so that the API makes a new authority and the agents get certificates from it: kubectl patch secret ${secret} -n ${namespace} --type=json -p='[{"op":"remove","path":"/data"}]'`,
  }),
  'agent-cannot-listen': ({ port, systemCode }) => ({
    what: `logtool cannot listen on port ${port}`,
    why: `the system reports ${systemCode}`,
    next: 'choose another port with --port, or --port=0 for any that is free',
  }),
  'scenario-not-found': () => ({
    what: 'the scenario of the demo is missing',
    why: 'the package has no file scenarios/shop.yaml',
    next: 'install logtool again, or give --scenario FILE',
  }),
  'config-not-writable': ({ path, why }) => ({
    what: `cannot write ${path}`,
    why,
    next: 'choose another place with --path',
  }),
  'nothing-to-pick': ({ namespaces, notices }) => ({
    what: `found no workloads and no pods in ${namespaces === undefined ? 'any namespace' : `namespace ${namespaces.join(', ')}`}`,
    why: notices.join('; ') || undefined,
    next: 'name another namespace with -n NAMESPACE',
  }),
  'chart-not-found': () => ({
    what: "logtool's own chart is missing",
    why: 'the package has no folder charts/logtool',
    next: 'install logtool again, or name a chart with --chart',
  }),
  'chart-version-not-found': ({ name, version, range, from }) => ({
    what: `there is no version of ${name} that fits ${range}`,
    why: `the chart ${from} is ${version}, the only one to choose from`,
    next: 'bring the chart repository up to date (logtool cluster repo add, then logtool cluster repo update), or leave out --version',
  }),
  'container-waiting': ({ namespace, pod, container, reason }) => ({
    what: `container ${container} of pod ${namespace}/${pod} has not started`,
    why: reason === '' ? 'it is waiting' : `it is waiting: ${waitText(reason)}`,
    next: `use --follow to wait for it, or see: kubectl describe pod ${pod} -n ${namespace}`,
  }),
  'no-previous': () => ({
    what: 'there is no earlier run to show',
    why: 'no container has restarted, or the cluster does not keep the previous run',
    next: 'leave out --previous for the current run',
  }),
  'empty-result': (read) => ({
    what: emptyText(read),
    why: '--fail-empty makes an empty result a failure',
    next: read.filtered ? 'widen the filter or the time window' : 'widen the time window',
  }),
};

function agentFileNext({ problem }: CommandFailures['agent-file']): string {
  return problem === 'no-authority'
    ? 'name the Secret of an authority in tls.secretName of the chart, or a folder with --authority-directory'
    : 'name a folder with tls.crt, tls.key and ca.crt with --tls-directory; in a pod, check that it is mounted';
}

function agentFileText(data: CommandFailures['agent-file']): string {
  switch (data.problem) {
    case 'unreadable':
      return `the system reports ${data.systemCode}`;
    case 'not-certificates':
      return 'it contains no certificate';
    case 'other-key':
      return 'it is not the key of tls.crt';
    case 'no-authority':
      return 'with tls.key beside it, it is not the certificate of an authority (CA), still valid, and its key';
  }
}
