import { readDocuments } from '../apply/read-manifest.ts';
import type { Hook } from '../release/release.ts';
import { limitError } from '../template/budget.ts';
import { countValues } from '../value/count-values.ts';

/** What all hooks of a chart may have together. */
export interface HookLimits {
  /** UTF-8, in MiB. */
  readonly textMiB: number;
  readonly values: number;
}

/**
 * Far more than any ordinary chart has, and little enough that the main thread, which reads hooks again whenever they
 * run, soon acts on signals: reading this much takes it about a second.
 */
const HOOK_LIMITS: HookLimits = { textMiB: 2, values: 2 ** 17 };

/**
 * Refuses hooks that would hold up the main thread, whatever events they are for.
 * @throws CodedError `template-limit`; `manifest-malformed` for a hook that is no YAML
 */
export function checkHooks(hooks: readonly Hook[], limits = HOOK_LIMITS): void {
  const bytes = hooks.reduce((sum, { manifest }) => sum + Buffer.byteLength(manifest), 0);
  if (bytes > limits.textMiB * 2 ** 20) throw limitError({ of: 'hook-text', maxMiB: limits.textMiB });
  // Also for a text that is no object: it takes as long to find that out.
  const values = hooks
    .flatMap(({ manifest }) => readDocuments(manifest))
    .reduce((sum, { value }) => sum + countValues(value), 0);
  if (values > limits.values) throw limitError({ of: 'hook-values', max: limits.values });
}
