import {
  boolean,
  type FieldShape,
  ignored,
  type MessageShape,
  message,
  messages,
  number,
  text,
  textList,
  textMap,
  time,
} from './protobuf-fields.ts';

const OWNER_REFERENCE: MessageShape = {
  1: text('kind'),
  3: text('name'),
  4: text('uid'),
  5: text('apiVersion'),
  6: boolean('controller'),
  7: boolean('blockOwnerDeletion'),
};

/** k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto */
export const METADATA: FieldShape = message('metadata', {
  1: text('name'),
  2: text('generateName'),
  3: text('namespace'),
  4: ignored('selfLink'),
  5: text('uid'),
  6: text('resourceVersion'),
  7: number('generation'),
  8: time('creationTimestamp'),
  9: time('deletionTimestamp'),
  10: ignored('deletionGracePeriodSeconds'),
  11: textMap('labels'),
  12: textMap('annotations'),
  13: messages('ownerReferences', OWNER_REFERENCE),
  14: textList('finalizers'),
  17: ignored('managedFields'),
});

export const LABEL_SELECTOR: MessageShape = {
  1: textMap('matchLabels'),
  2: messages('matchExpressions', { 1: text('key'), 2: text('operator'), 3: textList('values') }),
};
