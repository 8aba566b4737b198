import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { oracleFolder } from '../../support/oracles/install.ts';

let source: Promise<string> | undefined;

/** Returns the page's current axe-core violations: rule, reason and location. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  source ??= oracleFolder().then((folder) =>
    readFile(join(folder, 'node_modules/axe-core/axe.min.js'), 'utf8'),
  );
  // Runs through the debugger, which bypasses the page's policy and leaves nothing in the page.
  await page.evaluate(`if (globalThis.axe === undefined) { ${await source} }`);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          context: Document,
          options: object,
        ): Promise<{
          violations: { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
    );
  });
}
