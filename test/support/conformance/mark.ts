/** Label of everything that a run of the suite creates, so that a run in a given namespace can clean up. */
export const MARK = 'logtool-conformance-run';

interface Labeled {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly template?: Labeled; readonly jobTemplate?: Labeled };
}

/**
 * Adds the label to the object and its templates: objects that a controller creates from them outlive the
 * controller's object.
 */
export function marked(object: unknown, run: string): unknown {
  return markedObject(object as Labeled, run);
}

function markedObject(object: Labeled, run: string): Labeled {
  const { metadata, spec } = object;
  const { template, jobTemplate } = spec ?? {};
  return {
    ...object,
    metadata: { ...metadata, labels: { ...metadata?.labels, [MARK]: run } },
    ...(spec === undefined
      ? {}
      : {
          spec: {
            ...spec,
            ...(template === undefined ? {} : { template: markedObject(template, run) }),
            ...(jobTemplate === undefined ? {} : { jobTemplate: markedObject(jobTemplate, run) }),
          },
        }),
  };
}
