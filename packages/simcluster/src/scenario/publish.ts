import { z } from 'zod';
import { scenarioSchema } from './schema.ts';

/** The JSON Schema of scenarios, as scenarios/schema.json publishes it (JSON Schema 2020-12). */
export function publishedSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(scenarioSchema, { io: 'input', reused: 'ref' });
  return { $schema, title: 'Scenario of a simulated cluster', ...schema };
}
