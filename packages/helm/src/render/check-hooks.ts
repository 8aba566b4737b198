import { readDocuments } from '../apply/read-manifest.ts';
import type { Hook } from '../release/release.ts';
import { limitError } from '../template/budget.ts';
import { countValues } from '../value/count-values.ts';

/** Limits for all hooks of a chart together. */
export interface HookLimits {
  /** Size as UTF-8, in MiB. */
  readonly textMiB: number;
  readonly values: number;
}

/**
 * Far above any ordinary chart, but low enough that the main thread, which parses hooks again whenever they run, soon
 * handles signals: parsing this much takes about a second.
 */
const HOOK_LIMITS: HookLimits = { textMiB: 2, values: 2 ** 17 };

/**
 * Refuses hooks that would block the main thread, whatever their events.
 * @throws CodedError `template-limit`; `manifest-malformed` for a hook that is not valid YAML
 */
export function checkHooks(hooks: readonly Hook[], limits = HOOK_LIMITS): void {
  const bytes = hooks.reduce((sum, { manifest }) => sum + Buffer.byteLength(manifest), 0);
  if (bytes > limits.textMiB * 2 ** 20) throw limitError({ of: 'hook-text', maxMiB: limits.textMiB });
  // Also counts texts that are not objects: parsing them takes as long.
  const values = hooks
    .flatMap(({ manifest }) => readDocuments(manifest))
    .reduce((sum, { value }) => sum + countValues(value), 0);
  if (values > limits.values) throw limitError({ of: 'hook-values', max: limits.values });
}
