import { actions } from '../support/terraform';
import { ADDRESS } from './fixture/provider';
import { fixtureStack, type FixtureStack } from './support/stack';

let stack: FixtureStack;
beforeEach(async () => {
  stack = await fixtureStack('resource "fixture_thing" "a" { name = "alpha" }');
});
afterEach(() => stack.dispose());

/** Writes a state with one object, as if the provider had stored it. */
function store(schemaVersion: number, attributes: object, privateData = ''): void {
  stack.workspace.write('terraform.tfstate', {
    version: 4,
    terraform_version: '1.11.0',
    serial: 1,
    lineage: 'test',
    outputs: {},
    resources: [
      {
        mode: 'managed',
        type: 'fixture_thing',
        name: 'a',
        provider: `provider["${ADDRESS}"]`,
        instances: [
          {
            schema_version: schemaVersion,
            attributes,
            private: Buffer.from(privateData).toString('base64'),
          },
        ],
      },
    ],
  });
}

test('a state of an older schema is upgraded', async () => {
  stack.world.put('alpha', { note: null, size: 7 });
  stack.configure('resource "fixture_thing" "a" {\n  name = "alpha"\n  size = 7\n}');
  store(0, { title: 'alpha', size: 7, dropped: 'long ago' });
  expect(actions(await stack.workspace.plan())).toEqual({ 'fixture_thing.a': 'no-op' });
});

test('a state of the same version may lack new attributes', async () => {
  stack.world.put('alpha', { note: null, size: 1 });
  store(1, { name: 'alpha', id: 'alpha', size: 1 });
  expect(actions(await stack.workspace.plan())).toEqual({ 'fixture_thing.a': 'no-op' });
});

test('a state of a newer schema is refused', async () => {
  store(2, { name: 'alpha' });
  const { code, stderr } = await stack.workspace.run('plan', '-no-color');
  expect(code).toBe(1);
  expect(stderr).toContain('Resource instance managed by newer provider version');
});

test('private state is kept by reads and updates', async () => {
  await stack.workspace.apply();
  await stack.workspace.must('refresh');
  stack.configure(
    'resource "fixture_thing" "a" {\n  name     = "alpha"\n  note     = "new"\n  old_note = "kept"\n}',
  );
  await stack.workspace.apply();
  // The fixture's update changes old_note if the private state of the creation is missing.
  expect((await stack.workspace.state())['fixture_thing.a']).toMatchObject({ old_note: 'kept', revision: 2 });
  const { resources } = JSON.parse(stack.workspace.read('terraform.tfstate')) as {
    resources: { instances: { private: string }[] }[];
  };
  const kept = JSON.parse(Buffer.from(resources[0]!.instances[0]!.private, 'base64').toString()) as unknown;
  expect(kept).toEqual({ created: { by: 'create' }, updated: true });
});

test.each(['{"created"', '[]', '1', 'null', '[{"a":'.repeat(1000)])(
  'private data that a provider did not store is an error with the cure: %.20s',
  async (privateData) => {
    stack.world.put('alpha', { note: null, size: 1 });
    store(1, { name: 'alpha', id: 'other' }, privateData);
    const { code, stderr } = await stack.workspace.run('plan', '-no-color');
    expect(code).toBe(1);
    const text = stderr.replace(/[│\s]+/g, ' ');
    expect(text).toContain(
      'Error: The private data of this object in the state is not valid with fixture_thing.a,',
    );
    expect(text).toContain(
      'The provider stores a JSON object there, so something else has changed the state. Nothing was changed. ' +
        'To do: restore an earlier version of the state. If there is none, remove the object from the state (terraform state rm), ' +
        'and import it again.',
    );
  },
);

test('an object of another type can be moved', async () => {
  stack.configure('resource "fixture_thing" "a" {\n  name = "alpha"\n  note = "moves"\n}');
  await stack.workspace.apply();
  stack.configure(`
    resource "fixture_gadget" "g" { label = "moves" }
    moved {
      from = fixture_thing.a
      to   = fixture_gadget.g
    }
  `);
  await stack.workspace.apply();
  expect(await stack.workspace.state()).toEqual({
    'fixture_gadget.g': { id: 'gadget', label: 'moves', origin: `moved from fixture_thing of ${ADDRESS}` },
  });
});

test('a move from an unsupported type is refused', async () => {
  stack.configure('resource "fixture_shapes" "s" {}');
  await stack.workspace.apply();
  stack.configure(
    'resource "fixture_gadget" "g" {}\nmoved {\n  from = fixture_shapes.s\n  to   = fixture_gadget.g\n}',
  );
  const { code, stderr } = await stack.workspace.run('plan', '-no-color');
  expect(code).toBe(1);
  expect(stderr).toContain('Move is not supported');
  expect(stderr).toContain(ADDRESS);
  expect(stderr.replace(/[│\s]+/g, ' ')).toContain(
    'To do: remove the moved block. The next apply then deletes the old object and creates a new one; to keep the old one, ' +
      'write a removed block for it with lifecycle { destroy = false }.',
  );
});
