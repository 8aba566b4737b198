/** Label of everything that a run of the suite makes: by it a run that was given its namespace cleans up. */
export const MARK = 'logtool-conformance-run';

interface Labelled {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly template?: Labelled; readonly jobTemplate?: Labelled };
}

/** The object with the label, and so its templates: what a controller makes of them outlives the controller's object. */
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
