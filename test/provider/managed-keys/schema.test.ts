import { MANAGED_KEY, MANAGED_KEY_BACKENDS } from '../../../src/model';
import { contentOf } from '../../../src/plugin/server/content';
import { MANAGED_KEY_DATA_SOURCE } from '../../../src/provider/managed-keys/data-sources';
import { MANAGED_KEY_RESOURCE } from '../../../src/provider/managed-keys/managed-key-resource';
import { KEY_IDENTIFICATION } from '../../../src/provider/managed-keys/key-identification';

const { attributes, blocks } = contentOf(MANAGED_KEY_RESOURCE.schema);

test('the common attributes are the fields of the model', () => {
  expect(Object.keys(attributes).sort()).toEqual(
    ['id', 'cluster', 'namespace', 'type', 'uuid', ...Object.keys(MANAGED_KEY.fields)].sort(),
  );
});

test.each(Object.values(MANAGED_KEY_BACKENDS))(
  '$title: the block has the fields of the model',
  ({ type, fields }) => {
    const expected = Object.entries(fields).flatMap(([name, { sensitive, valueName }]) => [
      name,
      ...(sensitive ? [`${name}_wo`, `${name}_wo_version`] : []),
      ...(valueName ? [`${name}_name`] : []),
    ]);
    expect(Object.keys(blocks[type]!.attributes).sort()).toEqual(expected.sort());
  },
);

test.each(Object.values(MANAGED_KEY_BACKENDS))('$title: secrets are not read', ({ type, fields }) => {
  const read = MANAGED_KEY_DATA_SOURCE.schema.attributes[type];
  const expected = Object.entries(fields)
    .filter(([, { sensitive }]) => !sensitive)
    .flatMap(([name, { valueName }]) => (valueName ? [name, `${name}_name`] : [name]));
  expect(read?.kind === 'nested' && Object.keys(read.attributes).sort()).toEqual(expected.sort());
});

test('the identity has the type, which an import may leave out', () => {
  expect(
    KEY_IDENTIFICATION.identity.of({
      id: null,
      cluster: 'us',
      namespace: 'team/',
      type: 'awskms',
      name: 'a',
    }),
  ).toEqual({
    cluster: 'us',
    namespace: 'team',
    type: 'awskms',
    name: 'a',
  });
  const required = Object.entries(KEY_IDENTIFICATION.identity.attributes).filter(
    ([, { requiredForImport }]) => requiredForImport,
  );
  expect(required.map(([name]) => name)).toEqual(['name']);
});
