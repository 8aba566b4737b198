import { z } from 'zod';
import { scenarioSchema } from './schema.ts';

/** Returns the JSON Schema of scenarios, as published in scenarios/schema.json (JSON Schema 2020-12). */
export function publishedSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(scenarioSchema, { io: 'input', reused: 'ref' });
  return { $schema, title: 'Scenario of a simulated cluster', ...schema };
}
