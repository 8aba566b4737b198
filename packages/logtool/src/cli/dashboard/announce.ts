import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { type BrowserWorld, openBrowser, systemBrowserWorld, whyNoBrowser } from '../browser/open-browser.ts';
import type { CliContext } from '../context.ts';
import type { ServePlan } from '../plan/serve/serve-plan.ts';
import type { StartedDashboard } from './start-dashboard.ts';

/**
 * Prints the dashboard's addresses, and opens it. If no browser opens, that is only a note: the address is
 * the result.
 */
export async function announce(
  context: CliContext,
  plan: Pick<ServePlan, 'port' | 'host' | 'mayMove' | 'isOpenToOthers' | 'skipOpen'>,
  dashboard: StartedDashboard,
  world: BrowserWorld = systemBrowserWorld(context.env),
): Promise<void> {
  const note = (text: string) => context.stderr.write(`${sanitizeText(text)}\n`);
  if (plan.mayMove && dashboard.port !== plan.port) {
    await note(`note: port ${plan.port} is taken; the dashboard is on ${dashboard.port}`);
  }
  if (plan.isOpenToOthers) {
    await note(
      `warning: whoever reaches ${plan.host} on port ${dashboard.port} can read all logs that your credentials can`,
    );
  }
  const why = plan.skipOpen ? undefined : whyNoBrowser(world);
  if (why !== undefined) await note(`note: logtool did not open a browser: ${why}`);
  await context.stdout.write(dashboard.urls.map((url) => `logtool dashboard: ${url}\n`).join(''));
  if (dashboard.metricsUrl !== undefined) await note(`metrics: ${dashboard.metricsUrl}`);
  if (plan.skipOpen || why !== undefined) return;
  // Everyone on the machine can see the arguments of its programs.
  openBrowser(
    dashboard.urlForOnce(),
    world,
    (failure) => void note(`note: logtool did not open a browser: ${failure}`),
  );
}
