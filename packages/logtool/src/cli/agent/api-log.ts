import type { ApiReport } from '../../agent-api/routes/serve-api.ts';
import type { createLogger } from '../../server/create-logger.ts';

/** Writes what the API of logtool reports to its own log. */
export function logApiReport(logger: ReturnType<typeof createLogger>, report: ApiReport): void {
  const { code, ...fields } = report;
  switch (code) {
    case 'unknown-caller':
      logger.warn(fields, 'refused a request that is not from the API server');
      return;
    case 'refused':
      logger.info(fields, 'refused a request');
      return;
    case 'unanswered':
      logger.warn(fields, 'cannot answer a request: the API server or an agent did not');
      return;
    case 'failed':
      logger.error(fields, 'failed to answer a request');
      return;
    case 'agent-certified':
      logger.info(fields, 'issued the certificate of an agent');
      return;
    case 'agent-not-certified':
      logger.warn(fields, 'refused the certificate of an agent');
      return;
    case 'log-cut':
      logger.warn(fields, 'an agent broke off a log');
      return;
    case 'stream-ended':
      logger.info(fields, 'ended a log whose reader lost the permission');
      return;
    default:
      code satisfies never;
  }
}
