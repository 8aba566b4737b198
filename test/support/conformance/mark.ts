/** Label of everything that a run of the suite creates, so that a run in a given namespace can clean up. */
export const MARK = 'logtool-conformance-run';

interface Labelled {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly template?: Labelled; readonly jobTemplate?: Labelled };
}

/**
 * Adds the label to the object and its templates: objects that a controller creates from them outlive the
 * controller's object.
 */
export function marked(object: unknown, run: string): unknown {
  return markedObject(object as Labelled, run);
}

function markedObject(object: Labelled, run: string): Labelled {
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
