import type { Ajv, Options, ValidateFunction } from 'ajv';
import type { SchemaProblem } from '../failures.ts';
import { readJson } from '../json/read-json.ts';
import { JsonSyntaxError } from '../json/scan-json.ts';
import { addEqualityKeywords } from './equal-values.ts';
import { FORMAT_PROBLEMS } from './formats.ts';
import { plainData } from './plain-data.ts';
import { upgradeDraft4 } from './upgrade-draft-4.ts';

/** An unusable schema. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly problem: SchemaProblem;

  constructor(problem: SchemaProblem, cause?: unknown) {
    super(JSON.stringify(problem), { cause });
    this.problem = problem;
  }
}

type Draft = '4' | '7' | '2019' | '2020';

/**
 * Compiles a schema's text to a validator. Its draft is that of `$schema`, by default 2020-12, as in Helm 4; patterns
 * use RE2, so that no text makes one slow. Formats are rules up to draft 7, and annotations in later drafts.
 * @throws SchemaError
 */
export async function compileSchema(text: string): Promise<ValidateFunction> {
  const schema = parse(text);
  const draft = draftOf(schema);
  const { $schema: _named, ...rules } = draft === '4' ? upgradeDraft4(schema) : schema;
  const ajv = await validatorOf(draft);
  for (const permitted = new Set<string>(); ; ) {
    try {
      return ajv.compile(rules);
    } catch (error) {
      const urn = missingUrn(error);
      if (urn === undefined || permitted.has(urn)) throw schemaError(error);
      permitted.add(urn);
      ajv.addSchema(true, urn);
    }
  }
}

/**
 * Returns a name without a location: like Helm 4, accept every value for a reference to one, because there is nothing
 * to read.
 */
function missingUrn(error: unknown): string | undefined {
  const missing = (error as { readonly missingSchema?: unknown }).missingSchema;
  return typeof missing === 'string' && /^urn:/i.test(missing) ? missing : undefined;
}

function parse(text: string): Record<string, unknown> {
  try {
    const value = readJson(text);
    if (value instanceof Map) return plainData(value) as Record<string, unknown>;
    if (typeof value === 'boolean') return value ? {} : { not: {} };
    throw new SchemaError({ of: 'schema-type' });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new SchemaError({ of: 'invalid', why: error.message }, error);
  }
}

function draftOf({ $schema }: Record<string, unknown>): Draft {
  if ($schema === undefined) return '2020';
  const address = typeof $schema === 'string' ? $schema.replace(/#$/, '').replace(/^https?:\/\//, '') : '';
  const draft = {
    'json-schema.org/draft-04/schema': '4',
    'json-schema.org/draft-06/schema': '7',
    'json-schema.org/draft-07/schema': '7',
    'json-schema.org/draft/2019-09/schema': '2019',
    'json-schema.org/draft/2020-12/schema': '2020',
    'json-schema.org/schema': '2020',
  }[address];
  if (draft === undefined) throw new SchemaError({ of: 'draft', draft: JSON.stringify($schema) });
  return draft as Draft;
}

async function validatorOf(draft: Draft): Promise<Pick<Ajv, 'compile' | 'addSchema'>> {
  const ajv = await newValidator(draft);
  addEqualityKeywords(ajv);
  return ajv;
}

async function newValidator(draft: Draft) {
  const options = await validatorOptions(draft === '4' || draft === '7');
  // Only the default export keeps its name in a bundle.
  if (draft === '2020') return new (await import('ajv/dist/2020.js')).default(options);
  if (draft === '2019') return new (await import('ajv/dist/2019.js')).default(options);
  draft satisfies '4' | '7';
  return new (await import('ajv')).default(options);
}

async function validatorOptions(checksFormats: boolean): Promise<Options> {
  const { RE2JS } = await import('re2js');
  const formats = [...FORMAT_PROBLEMS].map(([name, problem]) => [
    name,
    (text: string) => problem(text) === undefined,
  ]);
  const regExp = (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    // The validator caches patterns by their text.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
  };
  return {
    allErrors: true,
    verbose: true,
    strict: false,
    ownProperties: true,
    validateFormats: checksFormats,
    formats: Object.fromEntries(formats),
    logger: false,
    // The generated code runs only a few times: optimizing it costs more than it saves.
    code: { optimize: false, regExp: Object.assign(regExp, { code: 'never written out' }) },
  };
}

function schemaError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RangeError) return error;
  const missing = (error as { readonly missingRef?: string }).missingRef;
  return missing === undefined
    ? new SchemaError({ of: 'invalid', why: error.message }, error)
    : new SchemaError({ of: 'reference', reference: missing }, error);
}
