import { fixtureStack, type FixtureStack } from './support/stack';

let stack: FixtureStack;
beforeEach(async () => {
  stack = await fixtureStack('resource "fixture_thing" "a" {\n  name = "alpha"\n  note = "found"\n}\n');
  stack.world.put('alpha', { note: 'found', size: 1 });
});
afterEach(() => stack.dispose());

test('an object is imported by id on the command line', async () => {
  await stack.workspace.must('import', 'fixture_thing.a', 'alpha');
  expect(await stack.workspace.state()).toMatchObject({
    'fixture_thing.a': { id: 'alpha', note: 'found', size: 1 },
  });
});

test('an object is imported by a block, and its configuration is generated', async () => {
  stack.configure('import {\n  to = fixture_thing.b\n  id = "alpha"\n}\n');
  const { resource_changes } = await stack.workspace.plan('-generate-config-out=generated.tf');
  expect(resource_changes![0]!.change).toMatchObject({ actions: ['no-op'], importing: { id: 'alpha' } });
  expect(stack.workspace.read('generated.tf')).toMatch(
    /resource "fixture_thing" "b" \{[^}]*note\s+= "found"/,
  );
  await stack.workspace.apply();
  expect(await stack.workspace.state()).toMatchObject({ 'fixture_thing.b': { name: 'alpha' } });
});

test('the import of a missing object is an error', async () => {
  const { code, stderr } = await stack.workspace.run('import', '-no-color', 'fixture_thing.a', 'missing');
  expect(code).toBe(1);
  expect(stderr).toContain('Cannot import non-existent remote object');
});

test('the import of a type without import is an error', async () => {
  stack.configure('resource "fixture_gadget" "g" {}');
  const { code, stderr } = await stack.workspace.run('import', '-no-color', 'fixture_gadget.g', 'x');
  expect(code).toBe(1);
  expect(stderr).toContain('Objects of type fixture_gadget cannot be imported.');
});
