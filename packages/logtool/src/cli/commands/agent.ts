import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { createLogger } from '../../server/create-logger.ts';
import { logReport } from '../agent/agent-log.ts';
import type { IssuedCertificates } from '../agent/issued-certificates.ts';
import { readTlsFiles, watchCertificates } from '../agent/tls-files.ts';
import { connect } from '../connection/connect.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { commandFailure } from '../messages/errors.ts';
import { maskSecrets } from '../output/error-text.ts';
import type { AgentPlan } from '../plan/agent/agent-plan.ts';
import { planAgent } from '../plan/agent/plan-agent.ts';
import { planProgram } from '../plan/plan-program.ts';
import { untilEnded } from './serve.ts';

/** Serves the logs of the node on which it runs to the API of logtool, until interrupted. */
export async function agent(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planAgent(context, raw);
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

async function start(context: CliContext, plan: AgentPlan, client: Awaited<ReturnType<typeof connect>>) {
  const { clock } = context;
  const { port, logDirectory: root, allowedNamespaces, search } = plan;
  const { serveAgent } = await import('../../agent/serve/serve-agent.ts');
  const { AccessReviews } = await import('../../agent-api/review/access-reviews.ts');
  const logger = createLogger({
    level: plan.logLevel,
    write: (line) => void context.stderr.write(line),
    mask: (text) => maskSecrets(sanitizeText(text)),
  });
  const { first, read } = await certificatesOf(context, plan, logger);
  let { trust } = first;
  const served = await serveAgent({
    key: first.key,
    certificate: first.certificate,
    port,
    root,
    clock,
    activity: plan.activity === 'off' ? undefined : plan.activity,
    searches: search.concurrency,
    maxScanBytes: search.maxBytes,
    trust: () => trust,
    reviews: new AccessReviews({ client, clock, allowedNamespaces }),
    report: (report) => logReport(logger, report),
  }).catch((error: NodeJS.ErrnoException) => {
    throw commandFailure('agent-cannot-listen', { port, systemCode: error.code ?? error.message }, error);
  });
  logger.info({ port: served.port, root }, 'serves the logs of this node');
  const over = new AbortController();
  const watching = watchCertificates(read, { clock, signal: over.signal }, first, {
    renewed: (files) => {
      served.renew(files);
      trust = files.trust;
      logger.info({}, 'uses renewed certificates');
    },
    unusable: (error) => logger.error({ error }, 'keeps its certificates: cannot read or renew them'),
  }).catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  const close = async () => {
    over.abort();
    await Promise.all([watching, served.close()]);
  };
  return { close };
}

/** Reads the first certificates, and returns how they are read again: from files, or from the API that issues them. */
async function certificatesOf(
  { clock, signal }: CliContext,
  { tlsDirectory: folder, issuedBy }: AgentPlan,
  logger: ReturnType<typeof createLogger>,
): Promise<IssuedCertificates> {
  if (issuedBy === undefined) {
    const read = () => readTlsFiles(folder);
    return { first: await read(), read };
  }
  const { issuedCertificates } = await import('../agent/issued-certificates.ts');
  return issuedCertificates({ ...issuedBy, folder, clock, logger }, signal);
}
