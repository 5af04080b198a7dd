import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { vaultAdmin, type Ended } from '../support/cli';
import { COUNTS, makeEstate, NASTY, SECRETS, type Settings } from './support/estate';
import { Project } from './support/project';

describe.each(['vault', 'neutral'] as const)(
  'an estate that was made by hand, in the dialect %s',
  (dialect) => {
    let emulator: Emulator;
    let folder: string;
    let settings: Settings;
    let adopted: Ended;
    let project: Project;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'adopt-'));
      emulator = await startEmulator({
        clusters: { us: 0, eu: 0 },
        serverVersion: '1.21.0+ent.hsm',
        dialect,
        unavailableMs: 0,
      });
      settings = await makeEstate(emulator, dialect);
      emulator.requests.clear();
      const output = join(folder, 'estate');
      adopted = await vaultAdmin(['adopt', '--namespace', '*', '--output', output], settings);
      project = new Project(output);
    });
    afterAll(async () => {
      await project.dispose();
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const methods = () => [...new Set(emulator.requests.list().map(({ method }) => method))];

    test('is read, and nothing is written to it', () => {
      expect({ code: adopted.code, stderr: adopted.stderr }).toEqual({ code: 0, stderr: '' });
      expect(adopted.stdout).toContain('stack us\n');
      expect(methods()).toEqual(['GET']);
    });

    test('is an app that shows no secret', () => {
      const files = filesBelow(join(folder, 'estate'));
      const texts = [adopted.stdout, ...files.map((file) => readFileSync(file, 'utf8'))];
      for (const secret of [...Object.values(SECRETS), ...Object.values(settings)].filter(isSecret)) {
        expect(texts.filter((text) => text.includes(secret))).toEqual([]);
      }
    });

    test('keeps policies byte for byte', () => {
      expect(project.read('us/policies/acl-line-ends.hcl')).toBe(NASTY['line-ends']);
      expect(project.read('us/policies/acl-expressions.hcl')).toBe(NASTY.expressions);
    });

    test('plans nothing but imports, which write nothing either', async () => {
      project.install();
      if (dialect === 'vault') project.compile();
      expect(project.synth()).toEqual(['eu', 'replication', 'us']);
      emulator.requests.clear();

      const imported = Object.entries(COUNTS).map(async ([name, count]) => {
        const stack = await project.stack(name, settings);
        const { resource_changes: changes = [] } = await stack.plan();
        expect(changes.filter(({ change }) => change.actions.join() !== 'no-op')).toEqual([]);
        expect(changes.filter(({ change }) => change.importing)).toHaveLength(count);
        const { stdout } = await stack.must('apply', '-input=false', '-no-color', 'tfplan');
        expect(stdout).toContain(`${count} imported, 0 added, 0 changed, 0 destroyed.`);
        const { stdout: again } = await stack.must('plan', '-input=false', '-no-color', '-detailed-exitcode');
        expect(again).toContain('No changes.');
        const left = filesBelow(stack.home).map((file) => readFileSync(file, 'latin1'));
        for (const secret of Object.values(SECRETS)) {
          expect(left.filter((text) => text.includes(secret))).toEqual([]);
        }
      });
      await Promise.all(imported);
      expect(methods()).toEqual(['GET']);
    });
  },
);

function isSecret(text: string): boolean {
  return /^canary|^hv[sb]\./.test(text);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}
