import type { HclItem, HclObject, HclValue } from './ast';

/**
 * Turns objects into blocks. JSON has no blocks with several keys, so an object that contains only
 * objects counts as one: `{"path": {"x": {…}}}` means `path "x" {…}`. A list of objects is a
 * repeated block.
 */
export function flattenItems(items: readonly HclItem[]): readonly HclItem[] {
  return items.flatMap(flattenItem).map((item) => ({ ...item, value: flattenValue(item.value) }));
}

function flattenItem(item: HclItem): readonly HclItem[] {
  const { value } = item;
  if (
    value.type === 'object' &&
    value.items.length > 0 &&
    value.items.every(({ value: inner }) => inner.type === 'object')
  ) {
    return value.items.flatMap((inner) =>
      flattenItem({ ...item, keys: [...item.keys, ...inner.keys], value: inner.value }),
    );
  }
  if (value.type === 'list' && value.elements.length > 0 && value.elements.every(isObject)) {
    return value.elements.flatMap((element) => flattenItem({ ...item, value: element }));
  }
  return [item];
}

function flattenValue(value: HclValue): HclValue {
  switch (value.type) {
    case 'object':
      return { ...value, items: flattenItems(value.items) };
    case 'list':
      return { ...value, elements: value.elements.map(flattenValue) };
    case 'literal':
      return value;
  }
}

function isObject(value: HclValue): value is HclObject {
  return value.type === 'object';
}
