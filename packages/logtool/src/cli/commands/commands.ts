import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';

export type RunCommand = (context: CliContext, raw: RawArguments) => Promise<ExitCode>;

export interface Command {
  /** Words of the command line: `logs`, `config init`; empty for the program itself. */
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name in the usage line. */
  readonly operands: string;
  /** How many operands it takes at most. */
  readonly maxOperands: number;
  readonly description?: string;
  readonly examples: readonly { readonly command: string; readonly says: string }[];
  /** Loads the code on first use, so that each command starts with no more than it needs. */
  readonly load: () => Promise<RunCommand>;
}

/** Every command, in the order in which help shows them. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'logs',
    summary: 'Show or follow the logs of containers',
    operands: '[SOURCE]...',
    maxOperands: Number.POSITIVE_INFINITY,
    description: `A source is [NAMESPACE:]RESOURCE[/NAME[/CONTAINER]]: a pod's name, deployments/web, 'jobs/*',
pods/web-0/app, 'prod:statefulsets/db/*'. A star stands for any part of a name. Records of all containers
come in one order of time. A node serves only the newest log file of a container: lines that were
rotated away cannot be read through the cluster. Without a source, on a terminal, logtool lists workloads
and pods to pick from.`,
    examples: [
      { command: 'logtool logs', says: 'pick from a list of workloads and pods' },
      { command: 'logtool logs deployments/web', says: 'the last 10 records of all its pods' },
      { command: 'logtool logs deployments/web -f', says: 'the same, and what comes next' },
      {
        command: "logtool logs 'shop:deployments/*' --since PT30M --all",
        says: 'everything of the last 30 minutes',
      },
      { command: 'logtool logs web-0 --all-containers --tail=100', says: 'all containers of one pod' },
      { command: "logtool logs 'sts/db/*' --grep 'timeout|refused' --force", says: 'only what matches' },
      {
        command: 'logtool logs deploy/web --zone eu-1a --add-columns zone,pod',
        says: 'one zone, with more columns',
      },
    ],
    load: async () => (await import('./logs.ts')).logs,
  },
  {
    name: 'serve',
    summary: 'Show logs in the browser: start the dashboard and open it',
    operands: '',
    maxOperands: 0,
    description: `The page shows every context of the kubeconfig and opens the current one, or that of --kube-context. The
server reads the kubeconfig again when it changes. It listens on localhost only. To let others in, give
--host 0.0.0.0 --auth token: logtool prints an address for each network interface, and whoever has one
can read your logs.`,
    examples: [
      { command: 'logtool serve', says: 'open http://localhost:7500/ in the browser' },
      { command: 'logtool serve --port 8080 --skip-open', says: 'use another port, open no browser' },
      {
        command: 'logtool serve --host 0.0.0.0 --auth token --allowed-host logs.lan',
        says: 'let others on the network in',
      },
    ],
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'cluster install',
    summary: 'Install the dashboard into a cluster',
    operands: '',
    maxOperands: 0,
    description: `Everyone who opens that dashboard signs in with a Kubernetes token of their own and sees what it may
read. The release is Helm's as well: helm list, upgrade, rollback and uninstall work on it, and vice versa.
logtool first checks that you have every permission needed, including those the chart's roles grant.`,
    examples: [
      { command: 'logtool cluster install', says: 'the release logtool in the namespace logtool' },
      {
        command: "logtool cluster install --set 'allowedNamespaces={shop}'",
        says: 'for the logs of one namespace',
      },
      { command: 'logtool cluster install --dry-run', says: 'what would be made' },
    ],
    load: async () => (await import('./cluster/install.ts')).clusterInstall,
  },
  {
    name: 'cluster upgrade',
    summary: 'Upgrade a release to the newest chart known here, or to other values',
    operands: '',
    maxOperands: 0,
    description: `Without --values and --set the values of the release stay as they are; where any are given, they take the
place of all before, as with Helm. 'logtool cluster repo update' looks for newer charts.`,
    examples: [
      { command: 'logtool cluster upgrade', says: 'the newest version' },
      {
        command: 'logtool cluster upgrade --set dashboard.logLevel=debug --atomic',
        says: 'or back, if it fails',
      },
    ],
    load: async () => (await import('./cluster/upgrade.ts')).clusterUpgrade,
  },
  {
    name: 'cluster rollback',
    summary: 'Make an older revision of a release the newest one again',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool cluster rollback', says: 'to the one before the last' },
      { command: 'logtool cluster rollback --revision 2', says: 'to a certain one' },
      { command: 'logtool cluster rollback --dry-run', says: 'what would be applied' },
    ],
    load: async () => (await import('./cluster/rollback.ts')).clusterRollback,
  },
  {
    name: 'cluster uninstall',
    summary: 'Remove a release from a cluster',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool cluster uninstall', says: 'the release logtool in the namespace logtool' },
      { command: 'logtool cluster uninstall --dry-run', says: 'what would be deleted' },
    ],
    load: async () => (await import('./cluster/uninstall.ts')).clusterUninstall,
  },
  {
    name: 'cluster list',
    summary: "List logtool's releases in a cluster",
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool cluster list --all', says: 'the releases of every chart' },
      { command: 'logtool cluster list -o json', says: 'for programs' },
    ],
    load: async () => (await import('./cluster/list.ts')).clusterList,
  },
  {
    name: 'cluster status',
    summary: 'Show what a release is and how to reach it',
    operands: '',
    maxOperands: 0,
    examples: [],
    load: async () => (await import('./cluster/status.ts')).clusterStatus,
  },
  {
    name: 'cluster history',
    summary: 'Show the revisions of a release',
    operands: '',
    maxOperands: 0,
    examples: [],
    load: async () => (await import('./cluster/history.ts')).clusterHistory,
  },
  {
    name: 'cluster repo add',
    summary: "Add logtool's chart repository to the package manager",
    operands: '[URL]',
    maxOperands: 1,
    description: `Helm sees the repository too, under the name logtool, and logtool sees the one that helm repo add logtool URL
made. Without URL logtool adds LOGTOOL_CHART_REPO, else cluster.repo-url of the configuration file, which is
${CHART_REPOSITORY.url} unless you change it. User and password go only to that server, and are stored
as Helm does, readable only by you.`,
    examples: [
      { command: 'logtool cluster repo add', says: CHART_REPOSITORY.url },
      { command: 'logtool cluster repo add https://charts.example.com', says: 'another address' },
    ],
    load: async () => (await import('./cluster/repo-add.ts')).clusterRepoAdd,
  },
  {
    name: 'cluster repo update',
    summary: "Look what is new in logtool's chart repository",
    operands: '',
    maxOperands: 0,
    examples: [
      {
        command: 'logtool cluster repo update && logtool cluster upgrade',
        says: 'to the newest chart',
      },
    ],
    load: async () => (await import('./cluster/repo-update.ts')).clusterRepoUpdate,
  },
  {
    name: 'cluster repo remove',
    summary: "Remove logtool's chart repository from the package manager",
    operands: '',
    maxOperands: 0,
    examples: [],
    load: async () => (await import('./cluster/repo-remove.ts')).clusterRepoRemove,
  },
  {
    name: 'config init',
    summary: 'Write a configuration file with the defaults, explained',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool config init', says: 'write ~/.logtool/config.yaml' },
      {
        command: 'logtool config init --format toml --path ./logtool.toml',
        says: 'another format and place',
      },
    ],
    load: async () => (await import('./config-init.ts')).configInit,
  },
  {
    name: 'config show',
    summary: 'Show every setting and where it comes from',
    operands: '',
    maxOperands: 0,
    description: `Environment variables win over the configuration file, and that over the defaults. A flag of the command
itself wins over all of them.`,
    examples: [
      { command: 'logtool config show', says: 'a table of keys, values and where they come from' },
      {
        command: 'logtool config show --config ./logtool.toml -o json',
        says: 'with another file, for programs',
      },
    ],
    load: async () => (await import('./config-show.ts')).configShow,
  },
  {
    name: 'config path',
    summary: 'Show where the configuration file is',
    operands: '',
    maxOperands: 0,
    examples: [{ command: 'cat "$(logtool config path)"', says: 'what stands in it' }],
    load: async () => (await import('./config-path.ts')).configPath,
  },
  {
    name: 'demo',
    summary: 'Start a simulated cluster and open the dashboard on it',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool demo', says: 'a web shop in which something is going wrong' },
      { command: 'logtool demo --no-browser', says: 'the same, without opening the browser' },
      { command: 'logtool demo --no-follow', says: 'a look at its last records' },
    ],
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'completion',
    summary: 'Print a script that makes a shell complete command lines at Tab',
    operands: 'bash|zsh|fish|powershell',
    maxOperands: 1,
    description: `Commands, flags and their values are completed, contexts of the kubeconfig, and namespaces, kinds, names,
containers and labels that the cluster has at that moment. It is asked for a second at most, or for the
seconds that LOGTOOL_COMPLETION_TIMEOUT says; its answer is kept for a few seconds in the cache directory,
readable by you only. Nothing of a line is run at Tab. For kubectl logtool, kubectl_complete-logtool has to be
in PATH: npm install -g puts it there, and so does a link of that name to the single executable.`,
    examples: [
      { command: 'source <(logtool completion bash)', says: 'in ~/.bashrc' },
      { command: 'source <(logtool completion zsh)', says: 'in ~/.zshrc, after compinit' },
      {
        command: 'logtool completion fish > ~/.config/fish/completions/logtool.fish',
        says: 'once, for fish',
      },
      {
        command: 'logtool completion powershell | Out-String | Invoke-Expression',
        says: 'in $PROFILE',
      },
    ],
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'version',
    summary: 'Show the version',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool version --licenses | less', says: 'what it is made of, and by which licences' },
    ],
    load: async () => (await import('./version.ts')).version,
  },
  {
    name: 'help',
    summary: 'Show help for a command',
    operands: '[COMMAND]',
    maxOperands: 3,
    examples: [{ command: 'logtool help logs', says: 'the same as logtool logs --help' }],
    load: async () => (await import('./help.ts')).help,
  },
];

export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}
