import type { ImageChange } from '../../domain/facts/fact.ts';
import { imageChangeText } from './facts.ts';

/** `image v41 -> v42`; where no image changed, the number of the revision. */
export function rolloutTitle({
  images,
  revision,
}: {
  readonly images: readonly ImageChange[];
  readonly revision: number;
}): string {
  return images.length === 0 ? `revision ${revision}` : imageChangeText(images);
}

/** What a line of a new pod is marked with until its rollout is done. */
export function newPodText(revision: number): string {
  return `Written by a new pod while revision ${revision} was rolled out`;
}
