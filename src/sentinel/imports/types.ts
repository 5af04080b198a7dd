import { NativeFunction, orUndefined, typeName, type Value } from '../values/value';

export const TYPES: Readonly<Record<string, Value>> = {
  type_of: new NativeFunction('types.type_of', [1, 1], ([value]) => typeName(orUndefined(value))),
};
