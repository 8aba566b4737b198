import { type ImageReference, parseImageReference } from '@logtool/kube/src/values/image-reference.ts';
import type { Settings } from './settings.ts';
import { badValue, readChoice } from './values.ts';

export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'] as const;

/** What was asked for of the image of logtool's chart. */
export interface ImagePlan {
  readonly reference: ImageReference | undefined;
  readonly pullPolicy: (typeof PULL_POLICIES)[number] | undefined;
}

/** Throws LogtoolError `bad-image`, `bad-choice` (usage). */
export function planImage(settings: Settings): ImagePlan {
  const image = settings.first('image');
  const policy = settings.first('image-pull-policy');
  const word =
    policy &&
    readChoice(
      policy,
      PULL_POLICIES.map((one) => one.toLowerCase()),
    );
  return {
    reference: image === undefined ? undefined : readReference(image),
    pullPolicy: PULL_POLICIES.find((one) => one.toLowerCase() === word),
  };
}

function readReference(setting: NonNullable<ReturnType<Settings['first']>>): ImageReference {
  const parsed = parseImageReference(setting.value ?? '');
  if (!('problem' in parsed)) return parsed;
  throw badValue(
    'bad-image',
    setting,
    parsed.problem,
    `write [REGISTRY/]REPOSITORY[:TAG][@DIGEST], such as ${setting.written}=ghcr.io/logtool/logtool:0.2.0`,
  );
}
