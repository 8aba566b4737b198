import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { ContainerTarget } from '../../../domain/container.ts';

/** A window of the default size can have records of at most this many containers. */
const MAX_NAMED = 10;
const GAP = '  ';

/**
 * Returns lines that show which bullet is which container, at most `width` characters wide if names allow it.
 * Shows only the parts of names that distinguish the containers: omits a namespace that all share.
 */
export function legendLines(
  targets: readonly ContainerTarget[],
  bulletOf: (target: ContainerTarget) => string,
  width: number,
): readonly string[] {
  const isOne = (read: (target: ContainerTarget) => string) => new Set(targets.map(read)).size <= 1;
  const hasOneNamespace = isOne((target) => target.namespace);
  const hasOneContainer = isOne((target) => target.container);
  const nameOf = ({ namespace, pod, container }: ContainerTarget) =>
    sanitizeText([hasOneNamespace ? [] : namespace, pod, hasOneContainer ? [] : container].flat().join('/'));
  const items = targets.slice(0, MAX_NAMED).map((target) => {
    const name = nameOf(target);
    return { text: `${bulletOf(target)} ${name}`, width: name.length + 2 };
  });
  const more = targets.length - items.length;
  if (more > 0) {
    const text = `and ${more} more; --add-columns pod names each`;
    items.push({ text, width: text.length });
  }
  const lines: { text: string; width: number }[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && last.width + GAP.length + item.width <= width) {
      last.text += GAP + item.text;
      last.width += GAP.length + item.width;
    } else lines.push({ ...item });
  }
  return lines.map(({ text }) => text);
}
