import { type Field, type FieldValues, type ReplicationCall, describeFinding, validate } from '../../model';
import { invalidRequest } from '../core/errors';
import { type FieldSchemas, decodeField } from '../core/request/fields';
import { TYPE_ON_WIRE } from '../core/request/model-fields';

/** A call's fields as routes decode them. Those that are part of its path are taken from there. */
export function fieldsOf({ fields, path }: ReplicationCall): FieldSchemas {
  const schema = (name: string, { type, default: value, doc }: Field) => ({
    type: TYPE_ON_WIRE[type],
    description: doc,
    ...(path.includes(`:${name}`) && { path: true as const }),
    ...(value !== undefined && { default: decodeField(TYPE_ON_WIRE[type], value) }),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schema(name, field)]));
}

/** @throws LogicalError 400 for input that the model finds fault with. */
export function refuseFindings(call: ReplicationCall, values: FieldValues): void {
  const finding = validate(call, values).find(({ severity }) => severity === 'error');
  if (finding !== undefined) throw invalidRequest(describeFinding(call, undefined, finding).line);
}
