import type { Schema } from '../author/schema';
import { valueCodec, type ValueCodec } from '../wire/dynamic-value';
import { contentOf, contentType, type Content } from './content';
import { secretCollector, type SecretCollector } from './secret-values';

/** The values that the server derives from a schema, computed once. */
interface Shape {
  readonly content: Content;
  readonly codec: ValueCodec;
  readonly collectSecrets: SecretCollector;
}

const SHAPES = new WeakMap<Schema, Shape>();

/** Returns the derived values, computed on first use: a run uses few of a provider's schemas. */
export function shapeOf(schema: Schema): Shape {
  let shape = SHAPES.get(schema);
  if (!shape) {
    const content = contentOf(schema);
    shape = { content, codec: valueCodec(contentType(content)), collectSecrets: secretCollector(content) };
    SHAPES.set(schema, shape);
  }
  return shape;
}
