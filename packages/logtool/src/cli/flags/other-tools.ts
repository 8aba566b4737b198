import { adviceForOtherMeaning } from './other-letters.ts';

/** A flag of kubectl logs, stern or kubetail that logtool does not have, and its replacement. */
export interface OtherFlag {
  /** Long name without dashes. */
  readonly name: string;
  /** Its letter, if logtool does not use that letter. */
  readonly letter?: string;
  /** `logs`: only there; `all`: on every command, as in kubectl; else the commands. */
  readonly commands: 'logs' | 'all' | readonly string[];
  readonly next: string;
}

const logs = (name: string, next: string, letter?: string): OtherFlag =>
  letter === undefined ? { name, commands: 'logs', next } : { name, letter, commands: 'logs', next };
const all = (name: string, next: string, letter?: string): OtherFlag => ({
  ...logs(name, next, letter),
  commands: 'all',
});
/** kubetail has one flag for each column. */
const withColumn = (name: string, column: string): OtherFlag =>
  logs(name, `for that column: --add-columns ${column}`);
const setCluster = (flag: string) => `set it in the kubeconfig: kubectl config set-cluster NAME --${flag}`;
const setUser = (flag: string) => `set it in the kubeconfig: kubectl config set-credentials NAME --${flag}`;

/**
 * Flags of kubectl logs and kubectl options (1.35), stern (1.34) and kubetail (0.18) that logtool does not
 * accept; table.ts has those it accepts, some as aliases. other-tools.test.ts compares both with the lists of
 * these tools.
 */
export const OTHER_FLAGS: readonly OtherFlag[] = [
  // kubectl logs
  logs('all-pods', 'leave it out: logtool logs deployments/NAME reads all pods of the workload'),
  logs('ignore-errors', 'leave it out: logtool reports an error of one container and reads the others'),
  logs(
    'insecure-skip-tls-verify-backend',
    "renew the kubelet's serving certificate, or read this log with kubectl",
  ),
  logs('pod-running-timeout', 'leave it out: --follow waits for pods that do not run yet'),
  logs('prefix', 'for pod and container of each record: --add-columns pod,container'),
  logs('timestamps', 'leave it out: timestamps are shown; without them: --remove-columns timestamp'),
  // kubectl options
  all('as-user-extra', 'set as-user-extra of the user in the kubeconfig'),
  all('cache-dir', 'set XDG_CACHE_HOME to the folder in which logtool makes its cache'),
  all('certificate-authority', setCluster('certificate-authority=FILE')),
  all('client-certificate', setUser('client-certificate=FILE')),
  all('client-key', setUser('client-key=FILE')),
  all(
    'cluster',
    'name a context of that cluster: --kube-context NAME; kubectl config get-contexts lists them',
  ),
  all('disable-compression', 'leave it out: logs are never compressed'),
  all('insecure-skip-tls-verify', setCluster('insecure-skip-tls-verify=true')),
  all('kuberc', 'for defaults of logtool: logtool config init, then --config FILE'),
  all('log-flush-frequency', 'leave it out: logtool writes each message at once'),
  all('match-server-version', 'leave it out: logtool does not compare versions'),
  all('password', setUser('username=NAME --password=TEXT')),
  all('profile', 'leave it out: logtool records no profile; --debug shows each request and its time'),
  all('profile-output', 'leave it out: logtool records no profile; --debug shows each request and its time'),
  all(
    'server',
    'name a context of that server: --kube-context NAME; for another: kubectl config set-cluster',
  ),
  all('tls-server-name', setCluster('tls-server-name=NAME')),
  all('user', 'name a context of that user: --kube-context NAME; kubectl config get-contexts lists them'),
  all('username', setUser('username=NAME --password=TEXT')),
  all('v', 'for the requests made: --debug; for the version: logtool version', 'v'),
  all('vmodule', 'for the requests made: --debug'),
  all('warnings-as-errors', 'leave it out: logtool does not show warnings of the server'),
  // stern
  logs('burst', 'leave it out; to read fewer containers at once: --max-log-requests N'),
  logs('completion', 'run: logtool completion bash (or zsh, fish, powershell)'),
  logs('condition', 'select pods by a field: --field-selector status.phase=Running'),
  logs('container-colors', 'leave it out: each container has a color; to have none: --color never'),
  logs('diff-container', 'leave it out: each container has a color of its own', 'd'),
  logs('include', 'to keep records that match: --grep RE --force'),
  logs('only-log-lines', 'leave it out: only records go to standard output; --quiet leaves notices out'),
  logs('pod-colors', 'leave it out: each container has a color; to have none: --color never'),
  logs('prompt', 'select pods by a label: --selector app.kubernetes.io/instance=NAME; Tab offers its values'),
  logs('qps', 'leave it out; to read fewer containers at once: --max-log-requests N'),
  logs('show-hidden-options', 'leave it out: logtool logs --help shows every flag'),
  logs('stdin', 'logtool reads logs of a cluster; for text of a pipe take grep or jq'),
  logs(
    'template',
    "for programs: -o json; for a line of your own: --format '{time} {pod} {message} {json.user.id}'",
  ),
  logs('template-file', "for a line of your own: --format '{time} {pod} {message} {json.user.id}'", 'T'),
  logs('verbosity', 'for the requests made: --debug'),
  // kubetail
  withColumn('with-ts', 'timestamp'),
  withColumn('with-dot', 'dot'),
  withColumn('with-node', 'node'),
  withColumn('with-region', 'region'),
  withColumn('with-zone', 'zone'),
  withColumn('with-os', 'os'),
  withColumn('with-arch', 'arch'),
  withColumn('with-namespace', 'namespace'),
  withColumn('with-pod', 'pod'),
  withColumn('with-container', 'container'),
  logs('hide-ts', 'to leave the column out: --remove-columns timestamp'),
  logs('hide-dot', 'to leave the column out: --remove-columns dot'),
  all('test', 'to try logtool: logtool demo'),
  // helm
  {
    name: 'all-namespaces',
    letter: 'A',
    commands: ['cluster list'],
    next: 'leave it out: logtool cluster list reads every namespace; one only: -n NAME',
  },
];

/**
 * Returns what to do instead of another tool's flag, by its long name or its letter with the dashes;
 * undefined if no tool has that name.
 */
export function adviceForFlag(command: string, written: string): string | undefined {
  return written.startsWith('--')
    ? adviceForName(command, written.slice(2))
    : adviceForLetter(command, written.slice(1));
}

function adviceForName(command: string, name: string): string | undefined {
  return OTHER_FLAGS.find((flag) => flag.name === name && counts(flag, command))?.next;
}

function adviceForLetter(command: string, letter: string): string | undefined {
  const flag = OTHER_FLAGS.find((each) => each.letter === letter && counts(each, command));
  return flag === undefined ? adviceForOtherMeaning(command, letter) : flag.next;
}

function counts({ commands }: OtherFlag, command: string): boolean {
  if (typeof commands !== 'string') return commands.includes(command);
  return commands === 'all' || command === 'logs';
}
