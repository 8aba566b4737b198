import { Cron } from 'croner';

/** `?` is a `*` to Kubernetes, which now refuses a leading `TZ=`, but old objects may have it. */
const ZONE = /^(?:CRON_)?TZ=(\S+)\s+/;
const EVERY = /^@every\b/;

/**
 * When a CronJob runs next after a time (ms since the epoch), RFC 3339. Undefined if its schedule cannot be
 * read, never comes, or depends on when its controller started (`@every`).
 * https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-syntax
 */
export function nextRunAt(
  schedule: string,
  timeZone: string | undefined,
  afterMs: number,
): string | undefined {
  const zone = ZONE.exec(schedule)?.[1] ?? timeZone ?? 'UTC';
  const text = schedule.replace(ZONE, '').trim();
  if (EVERY.test(text) || (!text.startsWith('@') && text.split(/\s+/).length !== 5)) return undefined;
  try {
    const cron = new Cron(text.replaceAll('?', '*'), { timezone: zone, paused: true });
    const next = cron.nextRun(new Date(afterMs));
    return next === null ? undefined : next.toISOString();
  } catch {
    // Words that are no schedule, or a time zone that this machine does not know: there is no time to show.
    return undefined;
  }
}
