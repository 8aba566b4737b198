import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { IssueOptions } from '../../agent-api/certificates/issue-to-agent.ts';
import type { KeptCertificates } from '../../agent-api/certificates/keep-certificates.ts';
import type { ApiCredentials } from '../../agent-api/fan-out/ask-agent.ts';
import { createLogger } from '../../server/create-logger.ts';
import { logApiReport } from '../agent/api-log.ts';
import { readOwnAuthority, readTlsFiles, watchCertificates } from '../agent/tls-files.ts';
import { connect } from '../connection/connect.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { commandFailure } from '../messages/errors.ts';
import { maskSecrets } from '../output/error-text.ts';
import type { ApiPlan } from '../plan/api/api-plan.ts';
import { planApi } from '../plan/api/plan-api.ts';
import { planProgram } from '../plan/plan-program.ts';
import { untilEnded } from './serve.ts';

type Logger = ReturnType<typeof createLogger>;

/** Serves the logs of all agents to the API server, until interrupted. */
export async function api(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planApi(context, raw);
  const { debug } = planProgram(context, raw);
  const client = await connect(context, plan.connection, { debug });
  try {
    const served = await start(context, plan, client);
    try {
      await untilEnded(context.signal);
    } finally {
      await served.close();
    }
  } finally {
    client.close();
  }
  context.signal.throwIfAborted();
  return EXIT.done;
}

async function start(context: CliContext, plan: ApiPlan, client: ClusterClient) {
  const { clock } = context;
  const { port, allowedNamespaces } = plan;
  const { read, issuing } = await certificatesOf(context, plan, client);
  const first = await read(context.signal);
  let current = first;
  const logger = createLogger({
    level: plan.logLevel,
    write: (line) => void context.stderr.write(line),
    mask: (text) => maskSecrets(sanitizeText(text)),
  });
  const { serveApi } = await import('../../agent-api/routes/serve-api.ts');
  const { AccessReviews } = await import('../../agent-api/review/access-reviews.ts');
  const over = new AbortController();
  const { signal } = over;
  const credentials = () => current;
  const followed = await followCluster(context, plan, { client, logger, signal, credentials });
  const served = await serveApi({
    key: first.key,
    certificate: first.certificate,
    port,
    clock,
    client,
    agents: followed.agents,
    frontProxy: followed.frontProxy,
    credentials,
    runs: followed.runs,
    issuing,
    reviews: new AccessReviews({ client, clock, allowedNamespaces }),
    report: (report) => logApiReport(logger, report),
  }).catch((error: NodeJS.ErrnoException) => {
    over.abort();
    throw commandFailure('agent-cannot-listen', { port, systemCode: error.code ?? error.message }, error);
  });
  logger.info({ port: served.port }, 'serves the logs of all agents');
  const watching = watchCertificates(read, { clock, signal }, first, {
    renewed: (files) => {
      served.renew(files);
      current = files;
      logger.info({}, 'uses renewed certificates');
    },
    unusable: (error) => logger.error({ error }, 'keeps its certificates: cannot read or renew them'),
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  const close = async () => {
    over.abort();
    await Promise.all([watching, followed.ended, served.close()]);
  };
  return { close };
}

interface ApiCertificates {
  readonly read: (signal: AbortSignal) => Promise<ApiCredentials>;
  /** How certificates are issued to agents; undefined: they have theirs from elsewhere. */
  readonly issuing?: IssueOptions;
}

/** Returns how the certificates are read: from files, or from the Secret in which the API keeps those that it makes. */
async function certificatesOf(
  { clock }: CliContext,
  { certificates: name, tlsDirectory, authorityDirectory, agentNamespace }: ApiPlan,
  client: ClusterClient,
): Promise<ApiCertificates> {
  if (name === undefined) return { read: () => readTlsFiles(tlsDirectory) };
  const { keepCertificates, secretOf } = await import('../../agent-api/certificates/keep-certificates.ts');
  const { UnusableAuthorities } = await import('../../agent-api/certificates/secret-data.ts');
  const namespace = agentNamespace ?? client.cluster.namespace;
  let latest: KeptCertificates | undefined;
  const read = async (signal: AbortSignal) => {
    try {
      const authority =
        authorityDirectory === undefined
          ? undefined
          : await readOwnAuthority(authorityDirectory, clock.now());
      latest = await keepCertificates({ client, clock, namespace, name, authority }, signal);
      return latest;
    } catch (error) {
      if (!(error instanceof UnusableAuthorities)) throw error;
      throw commandFailure('agent-authorities', { namespace, secret: secretOf(name) }, error);
    }
  };
  // Nobody asks before the first certificates are read: the API does not listen until then.
  const signer = () => latest!.signer;
  return { read, issuing: { client, clock, namespace, account: `${name}-agent`, signer } };
}

interface Following {
  readonly client: ClusterClient;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly credentials: () => ApiCredentials;
}

/** Keeps what the API must know of the cluster up to date, until the signal aborts; without it, requests get an error. */
async function followCluster(
  { clock }: CliContext,
  { agentNamespace, agentSelector: labelSelector }: ApiPlan,
  { client, logger, signal, credentials }: Following,
) {
  const { FrontProxy } = await import('../../agent-api/front-proxy/front-proxy.ts');
  const { Agents } = await import('../../agent-api/fan-out/agents.ts');
  const { GatherRuns } = await import('../../agent-api/runs/gather-runs.ts');
  const { RunList } = await import('../../agent-api/runs/run-list.ts');
  const { keepTrying } = await import('../../agent-api/keep-trying.ts');
  const frontProxy = new FrontProxy(clock);
  const agents = new Agents({
    client,
    clock,
    namespace: agentNamespace ?? client.cluster.namespace,
    labelSelector,
    onUnknown: (error) => logger.error({ error }, 'cannot list the pods of the agents'),
  });
  const onFailure = (error: unknown) =>
    logger.error({ error }, 'cannot read the ConfigMap extension-apiserver-authentication in kube-system');
  const recognized = keepTrying(() => frontProxy.follow(client, signal), { clock, signal, onFailure });
  const list = new RunList({ clock });
  const onLost = (node: string, error: unknown) =>
    logger.warn({ node, error }, 'cannot list what an agent has');
  const gathered = new GatherRuns({ agents, credentials, clock, list, onLost });
  const ended = Promise.all([recognized, agents.follow(signal), gathered.run(signal)]);
  return { frontProxy, agents, runs: { list, gathered }, ended };
}
