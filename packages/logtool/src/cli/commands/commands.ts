import { CHART_REPOSITORY } from '../charts/chart-repository.ts';
import { defaultOf } from '../flags/table.ts';
import type { CommandName } from '../plan/plans.ts';

export interface Command {
  /** The command's words: `logs`, `config init`. */
  readonly name: CommandName;
  readonly summary: string;
  /** Text after the name in the usage line. */
  readonly operands: string;
  /** The maximum number of operands. */
  readonly maxOperands: number;
  readonly description?: string;
  readonly examples: readonly { readonly command: string; readonly meaning: string }[];
}

/** The default release. */
const RELEASE = `the release ${defaultOf('cluster install', 'name')} in the namespace ${defaultOf('cluster install', 'namespace')}`;

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'logs',
    summary: 'Show or follow the logs of containers',
    operands: '[SOURCE]...',
    maxOperands: Number.POSITIVE_INFINITY,
    description: `A source is [NAMESPACE:]RESOURCE[/NAME[/CONTAINER]]: a pod's name, deployments/web, 'jobs/*',
pods/web-0/app, 'prod:statefulsets/db/*'. A star matches any part of a name. logtool merges the records
of all containers in time order. The log API serves only the newest log file of a container; --rotated
reads the others from the node. Without a source, on a terminal, logtool lists workloads and pods to
pick from.`,
    examples: [
      { command: 'logtool logs', meaning: 'pick from a list of workloads and pods' },
      {
        command: 'logtool logs deployments/web',
        meaning: `the last ${defaultOf('logs', 'tail')} records of all its pods`,
      },
      { command: 'logtool logs deployments/web -f', meaning: 'the same, then new records' },
      {
        command: "logtool logs 'shop:deployments/*' --since PT30M --all",
        meaning: 'all records of the last 30 minutes',
      },
      { command: 'logtool logs web-0 --all-containers --tail=100', meaning: 'all containers of one pod' },
      {
        command: "logtool logs 'sts/db/*' --grep 'timeout|refused' --force",
        meaning: 'only records that match',
      },
      {
        command: 'logtool logs deploy/web --zone eu-1a --add-columns zone,pod',
        meaning: 'one zone, with more columns',
      },
    ],
  },
  {
    name: 'events',
    summary: 'Show what happened to workloads: exits, restarts, rollouts, events',
    operands: 'SOURCE...',
    maxOperands: Number.POSITIVE_INFINITY,
    description: `logtool shows in one timeline what kubectl spreads over events and describe: runs that ended and why, restarts,
rollouts with their images, changes of readiness, and the events of the pods, of what owns them, and of their
nodes. A source is the same as for logs. A ~ after a time means that the cluster keeps only whole seconds. The
cluster keeps most events for one hour; ends of runs and rollouts stay longer.`,
    examples: [
      { command: 'logtool events deployments/web', meaning: 'what happened to its pods, owners and nodes' },
      {
        command: 'logtool events deployments/web --types Warning -f',
        meaning: 'only warnings, and new ones',
      },
      { command: "logtool events 'shop:deployments/*' --since 30m", meaning: 'a whole namespace' },
      { command: 'logtool events web-0 -o json', meaning: 'for programs' },
    ],
  },
  {
    name: 'why',
    summary: 'Explain the state of a workload: the cause first, then what proves it',
    operands: 'SOURCE',
    maxOperands: 1,
    description: `logtool judges what the cluster knows of a workload (ends of runs, events, rollouts, conditions of pods and
nodes) and the last lines before an end. If these show no problem, or only a failing probe, it reads up to 64 MiB
of logs in at most 3 seconds, and reports when errors began and which lines were new shortly before. It explains each workload separately,
names a cause only with proof, and lists after a question mark what it could not read or exclude. A source is the
same as for logs. The exit code is 0 if all is explained or healthy, 1 if logtool could not read anything, and 3 if something stays unexplained.`,
    examples: [
      { command: 'logtool why deployments/web', meaning: 'why its pods restart, wait or are not ready' },
      { command: "logtool why 'shop:pods/*'", meaning: 'all workloads of a namespace, each separately' },
      { command: 'logtool why shop:jobs/import --since 1d', meaning: 'also what ended within the last day' },
      { command: 'logtool why web-0 -o json', meaning: 'codes and data, for programs' },
    ],
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
      {
        command: 'logtool serve',
        meaning: `open http://${defaultOf('serve', 'host')}:${defaultOf('serve', 'port')}/ in the browser`,
      },
      { command: 'logtool serve --port 8080 --skip-open', meaning: 'use another port and open no browser' },
      {
        command: 'logtool serve --host 0.0.0.0 --auth token --allowed-host logs.lan',
        meaning: 'let others on the network in',
      },
    ],
  },
  {
    name: 'mcp',
    summary: 'Serve logs to coding agents and chat tools over the Model Context Protocol',
    operands: '',
    maxOperands: 0,
    description: `An agent starts it and talks to it over standard input and output; with --http, clients on this machine
connect to the printed address with the printed token. It only reads: it refuses every request that changes
something, and never asks for Secrets or ConfigMaps. Each answer has a limit and a cursor for the rest.`,
    examples: [
      { command: 'logtool mcp', meaning: 'what the configuration of an agent names' },
      {
        command: 'logtool mcp --allow-namespace shop --kube-context staging',
        meaning: 'one namespace of one cluster',
      },
      { command: 'logtool mcp --http 127.0.0.1:7700', meaning: 'over HTTP, for several clients' },
    ],
  },
  {
    name: 'cluster install',
    summary: 'Install the dashboard into a cluster',
    operands: '',
    maxOperands: 0,
    description: `Everyone who opens that dashboard signs in with a Kubernetes token of their own and sees what it may
read. Helm can manage the release too: helm list, upgrade, rollback and uninstall work on it, and vice versa.
logtool first checks that you have every permission needed, including those the chart's roles grant.`,
    examples: [
      { command: 'logtool cluster install', meaning: RELEASE },
      {
        command: "logtool cluster install --set 'allowedNamespaces={shop}'",
        meaning: 'for the logs of one namespace',
      },
      { command: 'logtool cluster install --dry-run', meaning: 'print what it would create' },
    ],
  },
  {
    name: 'cluster upgrade',
    summary: 'Upgrade a release to the newest known chart, or to other values',
    operands: '',
    maxOperands: 0,
    description: `Without --values and --set, upgrade keeps the values of the release; with either, the new values replace all
previous ones, as in Helm. 'logtool cluster repo update' looks for newer charts.`,
    examples: [
      { command: 'logtool cluster upgrade', meaning: 'to the newest version' },
      {
        command: 'logtool cluster upgrade --set dashboard.logLevel=debug --atomic',
        meaning: 'roll back if it fails',
      },
    ],
  },
  {
    name: 'cluster rollback',
    summary: 'Roll a release back to an earlier revision',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool cluster rollback', meaning: 'to the previous revision' },
      { command: 'logtool cluster rollback --revision 2', meaning: 'to revision 2' },
      { command: 'logtool cluster rollback --dry-run', meaning: 'print what it would apply' },
    ],
  },
  {
    name: 'cluster uninstall',
    summary: 'Remove a release from a cluster',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool cluster uninstall', meaning: RELEASE },
      { command: 'logtool cluster uninstall --dry-run', meaning: 'print what it would delete' },
    ],
  },
  {
    name: 'cluster list',
    summary: "List logtool's releases in a cluster",
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool cluster list --all', meaning: 'the releases of every chart' },
      { command: 'logtool cluster list -o json', meaning: 'for programs' },
    ],
  },
  {
    name: 'cluster status',
    summary: 'Show what a release is and how to reach it',
    operands: '',
    maxOperands: 0,
    examples: [],
  },
  {
    name: 'cluster history',
    summary: 'Show the revisions of a release',
    operands: '',
    maxOperands: 0,
    examples: [],
  },
  {
    name: 'cluster repo add',
    summary: "Add logtool's chart repository to the package manager",
    operands: '[URL]',
    maxOperands: 1,
    description: `Helm sees the repository too, under the name logtool, and logtool sees one that helm repo add logtool URL
added. Without URL logtool adds LOGTOOL_CHART_REPO, else cluster.repo-url of the configuration file, which is
${CHART_REPOSITORY.url} unless you change it. logtool sends user and password only to that
server and stores them as Helm does, readable only by you.`,
    examples: [
      { command: 'logtool cluster repo add', meaning: CHART_REPOSITORY.url },
      { command: 'logtool cluster repo add https://charts.example.com', meaning: 'use another address' },
    ],
  },
  {
    name: 'cluster repo update',
    summary: "Check logtool's chart repository for new charts",
    operands: '',
    maxOperands: 0,
    examples: [
      {
        command: 'logtool cluster repo update && logtool cluster upgrade',
        meaning: 'upgrade to the newest chart',
      },
    ],
  },
  {
    name: 'cluster repo remove',
    summary: "Remove logtool's chart repository from the package manager",
    operands: '',
    maxOperands: 0,
    examples: [],
  },
  {
    name: 'config init',
    summary: 'Write a configuration file with every default, explained',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool config init', meaning: `write ${defaultOf('config init', 'path')}` },
      {
        command: 'logtool config init --format toml --path ./logtool.toml',
        meaning: 'use another format and path',
      },
    ],
  },
  {
    name: 'config show',
    summary: 'Show every setting and where it comes from',
    operands: '',
    maxOperands: 0,
    description: `Flags win over environment variables, variables over the configuration file, and the file over the defaults.`,
    examples: [
      { command: 'logtool config show', meaning: 'a table of keys, values and where they come from' },
      {
        command: 'logtool config show --config ./logtool.toml -o json',
        meaning: 'of another file, as JSON',
      },
    ],
  },
  {
    name: 'config path',
    summary: 'Show where the configuration file is',
    operands: '',
    maxOperands: 0,
    examples: [{ command: 'cat "$(logtool config path)"', meaning: 'print the file' }],
  },
  {
    name: 'demo',
    summary: 'Start a simulated cluster and open the dashboard on it',
    operands: '',
    maxOperands: 0,
    examples: [
      { command: 'logtool demo', meaning: 'a web shop that is failing' },
      { command: 'logtool demo --no-browser', meaning: 'the same, without opening the browser' },
      { command: 'logtool demo --no-follow', meaning: 'print its last records and exit' },
    ],
  },
  {
    name: 'completion',
    summary: 'Print a script that makes a shell complete command lines at Tab',
    operands: 'bash|zsh|fish|powershell',
    maxOperands: 1,
    description: `Tab completes commands, flags and their values, contexts of the kubeconfig, and the namespaces, kinds, names,
containers and labels that the cluster has at that moment. logtool waits at most a second for the cluster, or
LOGTOOL_COMPLETION_TIMEOUT seconds, and keeps its answer for a few seconds in the cache directory, readable
only by you. Tab does not run any part of the line. For kubectl logtool, put kubectl_complete-logtool in PATH:
npm install -g does that, and so does a link of that name to the single executable.`,
    examples: [
      { command: 'source <(logtool completion bash)', meaning: 'in ~/.bashrc' },
      { command: 'source <(logtool completion zsh)', meaning: 'in ~/.zshrc, after compinit' },
      {
        command: 'logtool completion fish > ~/.config/fish/completions/logtool.fish',
        meaning: 'once, for fish',
      },
      {
        command: 'logtool completion powershell | Out-String | Invoke-Expression',
        meaning: 'in $PROFILE',
      },
    ],
  },
  {
    name: 'version',
    summary: 'Show the version',
    operands: '',
    maxOperands: 0,
    examples: [{ command: 'logtool version --licenses | less', meaning: 'the licenses of everything in it' }],
  },
  {
    name: 'help',
    summary: 'Show help for a command',
    operands: '[COMMAND]',
    maxOperands: 3,
    examples: [{ command: 'logtool help logs', meaning: 'the same as logtool logs --help' }],
  },
];

/** Commands that help, completion and docs leave out: the chart starts them, nobody types them. */
const HIDDEN_COMMANDS: readonly Command[] = [
  {
    name: 'agent',
    summary: "Serve the logs of this node to logtool's API in the cluster",
    operands: '',
    maxOperands: 0,
    description: `The agent reads the files that the kubelet keeps on its node, with those that were rotated away, and
writes nothing. It answers only the API of logtool, which proves itself by its certificate, and lets the API server
review each caller that the API names: it needs to create subjectaccessreviews, and no other permission.`,
    examples: [{ command: 'logtool agent --in-cluster', meaning: 'in a pod, as its service account' }],
  },
  {
    name: 'api',
    summary: 'Serve the logs that the agents of all nodes have, as an API of the cluster',
    operands: '',
    maxOperands: 0,
    description: `The API of logtool stands behind an APIService: the API server asks it in the name of a person, and it
lets the API server review whether that person may read the log before it asks the agent of the node. Its account needs
to create subjectaccessreviews, to get pods, to watch those of its own namespace, and to read the ConfigMap
extension-apiserver-authentication; it can read no log.`,
    examples: [{ command: 'logtool api --in-cluster', meaning: 'in a pod, as its service account' }],
  },
];

/** All commands, also those that help leaves out. */
export const ALL_COMMANDS: readonly Command[] = [...COMMANDS, ...HIDDEN_COMMANDS];

export function findCommand(name: string): Command | undefined {
  return ALL_COMMANDS.find((command) => command.name === name);
}
