import { actions } from '../support/terraform';
import { fixtureStack, type FixtureStack } from './support/stack';

let stack: FixtureStack;
beforeEach(async () => {
  stack = await fixtureStack(thing('note = "first"'));
});
afterEach(() => stack.dispose());

function thing(body: string, name = 'alpha'): string {
  return `resource "fixture_thing" "a" {\n  name = "${name}"\n  ${body}\n}\n`;
}

test('an object is created, planned without changes, updated in place and destroyed', async () => {
  const { workspace, world, configure } = stack;
  const created = await workspace.plan();
  expect(actions(created)).toEqual({ 'fixture_thing.a': 'create' });
  expect(created.resource_changes![0]!.change.after_unknown).toEqual({ id: true, protected: true });
  expect(created.resource_changes![0]!.change.after).toEqual({
    name: 'alpha',
    note: 'first',
    size: 1,
    revision: 1,
    old_note: null,
    secret: null,
    password: null,
    password_version: null,
    behavior: null,
  });
  await workspace.apply('tfplan');
  expect(world.get('alpha')).toEqual({ note: 'first', size: 1, password: null });
  expect(await workspace.state()).toMatchObject({
    'fixture_thing.a': { id: 'alpha', name: 'alpha', note: 'first', size: 1, revision: 1, protected: false },
  });

  expect(actions(await workspace.plan())).toEqual({ 'fixture_thing.a': 'no-op' });

  configure(thing('note = "second"\n  size = 2'));
  const updated = await workspace.plan();
  expect(actions(updated)).toEqual({ 'fixture_thing.a': 'update' });
  const { before, after, after_unknown } = updated.resource_changes![0]!.change;
  expect([before!.id, after!.id]).toEqual(['alpha', 'alpha']);
  expect(after_unknown).toEqual({ protected: true, revision: true });
  await workspace.apply('tfplan');
  expect(await workspace.state()).toMatchObject({
    'fixture_thing.a': { note: 'second', size: 2, revision: 2 },
  });

  await workspace.destroy();
  expect(world.names()).toEqual([]);
  expect(await workspace.state()).toEqual({});
});

test('an object is replaced if an attribute or the plan of the resource requires it', async () => {
  const { workspace, world, configure } = stack;
  await workspace.apply();

  configure(thing('note = "first"', 'beta'));
  const renamed = await workspace.plan();
  expect(actions(renamed)).toEqual({ 'fixture_thing.a': 'delete,create' });
  expect(renamed.resource_changes![0]!.change.replace_paths).toEqual([['name']]);
  await workspace.apply('tfplan');
  expect(world.names()).toEqual(['beta']);

  configure(thing('note = "replace"', 'beta'));
  const asked = await workspace.plan();
  expect(asked.resource_changes![0]!.change.replace_paths).toEqual([['note']]);
});

test('the default of an argument is planned if the argument is removed', async () => {
  const { workspace, configure } = stack;
  configure(thing('size = 5'));
  await workspace.apply();
  configure(thing(''));
  const { change } = (await workspace.plan()).resource_changes![0]!;
  expect([change.before!.size, change.after!.size]).toEqual([5, 1]);
});

test('drift is shown and corrected', async () => {
  const { workspace, world } = stack;
  await workspace.apply();
  world.put('alpha', { note: 'changed by somebody', size: 1 });
  const plan = await workspace.plan();
  expect(plan.resource_drift![0]!.change.after).toMatchObject({ note: 'changed by somebody' });
  expect(actions(plan)).toEqual({ 'fixture_thing.a': 'update' });
  await workspace.apply();
  expect(world.get('alpha')).toMatchObject({ note: 'first' });
});

test('a missing object is created again', async () => {
  const { workspace, world } = stack;
  await workspace.apply();
  world.remove('alpha');
  expect(actions(await workspace.plan())).toEqual({ 'fixture_thing.a': 'create' });
});

test('an object that cannot be read is kept in the state', async () => {
  const { workspace, world } = stack;
  await workspace.apply();
  world.put('alpha', { note: 'unreadable' });
  const { code, stderr } = await workspace.run('plan', '-no-color');
  expect(code).toBe(1);
  expect(stderr).toContain('Error: Cannot read');
  world.put('alpha', { note: 'first', size: 1 });
  expect(actions(await workspace.plan())).toEqual({ 'fixture_thing.a': 'no-op' });
});

test('a destroy can be refused when it is planned', async () => {
  const { workspace, world, configure } = stack;
  configure(thing('protected = true'));
  await workspace.apply();
  const { code, stderr } = await workspace.run('plan', '-destroy', '-no-color');
  expect(code).toBe(1);
  expect(stderr).toContain('alpha is protected against destruction.');
  expect(world.names()).toEqual(['alpha']);
});

test('values that are unknown until apply are planned, and then applied', async () => {
  const { workspace, world, configure } = stack;
  configure(`
    resource "fixture_gadget" "g" { label = "from the gadget" }
    resource "fixture_thing" "a" {
      name = "alpha"
      note = fixture_gadget.g.origin
    }
  `);
  const { after_unknown } = (await workspace.plan()).resource_changes!.find(
    ({ address }) => address === 'fixture_thing.a',
  )!.change;
  expect(after_unknown).toMatchObject({ note: true });
  await workspace.apply('tfplan');
  expect(world.get('alpha')).toMatchObject({ note: 'created' });
});
