import type { AgentReport } from '../../agent/serve/serve-agent.ts';
import type { createLogger } from '../../server/create-logger.ts';

/** Writes what the agent reports to its own log. */
export function logReport(logger: ReturnType<typeof createLogger>, report: AgentReport): void {
  const { code, ...fields } = report;
  switch (code) {
    case 'unknown-caller':
      logger.warn(fields, 'refused a request that is not from the API of logtool');
      return;
    case 'refused':
      logger.info(fields, 'refused a request');
      return;
    case 'read-failed':
      logger.error(fields, 'cannot read a log');
      return;
    case 'unwatched':
      logger.warn(
        fields,
        'follows a log by looking once a second, because the system does not report its changes',
      );
      return;
    case 'stream-ended':
      logger.info(fields, 'ended a log whose reader lost the permission');
      return;
    default:
      code satisfies never;
  }
}
