import { invalid } from '../../api-error.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { openApiSchema } from '../schema/custom-schema.ts';
import { customCauses } from '../schema/custom-values.ts';
import { definitionOf } from '../schema/schema.ts';

/**
 * Checks a custom resource against the schema of its definition.
 * @throws ApiError 422
 */
export async function checkCustom(store: Store, type: ApiResource, object: StoredObject): Promise<void> {
  if (!type.custom) return;
  const definition = definitionOf(store, type);
  if (definition === undefined) return;
  const causes = await customCauses(openApiSchema(definition, type.version), object);
  if (causes.length > 0) throw invalid(type, object.metadata.name, causes);
}
