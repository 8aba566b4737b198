import type { ImageChange } from '../../domain/facts/fact.ts';
import { imageChangeText } from './facts.ts';

/** Returns `image v41 -> v42`, or the revision number if no image changed. */
export function rolloutTitle({
  images,
  revision,
}: {
  readonly images: readonly ImageChange[];
  readonly revision: number;
}): string {
  return images.length === 0 ? `revision ${revision}` : imageChangeText(images);
}

/** Describes the mark on a new pod's line until its rollout completes. */
export function newPodText(revision: number): string {
  return `A new pod wrote this line during the rollout of revision ${revision}`;
}
