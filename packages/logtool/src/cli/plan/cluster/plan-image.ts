import { type ImageReference, parseImageReference } from '@logtool/kube/src/values/image-reference.ts';
import { badValue } from '../../messages/errors.ts';
import type { Setting } from '../../settings/setting.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ImagePlan } from './cluster-plans.ts';

/** Throws LogtoolError `bad-image`, `bad-choice` (usage). */
export function planImage(settings: Settings<'cluster install' | 'cluster upgrade'>): ImagePlan {
  const image = settings.first('image');
  return {
    reference: image === undefined ? undefined : readReference(image),
    pullPolicy: settings.value('image-pull-policy'),
  };
}

function readReference(setting: Setting): ImageReference {
  const parsed = parseImageReference(setting.value ?? '');
  if (!('problem' in parsed)) return parsed;
  throw badValue('bad-image', setting, { why: parsed.problem });
}
