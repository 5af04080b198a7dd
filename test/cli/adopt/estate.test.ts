import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { serveProvider } from '../../support/served-provider';
import { temporaryFolder } from '../../support/temporary-folder';
import { Workspace } from '../../support/terraform';
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
      folder = temporaryFolder('adopt');
      project = new Project(join(folder, 'estate'));
      emulator = await startEmulator({
        clusters: { us: 0, eu: 0 },
        serverVersion: '1.21.0+ent.hsm',
        dialect,
        unavailableMs: 0,
      });
      settings = await makeEstate(emulator, dialect);
      emulator.requests.clear();
      adopted = await vaultAdmin(['adopt', '--namespace', '*', '--output', project.folder], settings);
    });
    afterAll(async () => {
      await project.dispose();
      await emulator.close();
    });

    const methods = () => [...new Set(emulator.requests.list().map(({ method }) => method))];

    test('the estate is read, and no request writes to it', () => {
      expect({ code: adopted.code, stderr: adopted.stderr }).toEqual({ code: 0, stderr: '' });
      expect(adopted.stdout).toContain('stack us\n');
      expect(methods()).toEqual(['GET']);
    });

    test('the estate becomes an app that shows no secret', () => {
      const tokens = [settings.VAULTADMIN_US_TOKEN!, settings.VAULTADMIN_EU_TOKEN!];
      const secrets = [...Object.values(SECRETS), ...tokens];
      expect(secrets.filter((secret) => adopted.stdout.includes(secret))).toEqual([]);
      expect(filesWith(secrets, join(folder, 'estate'))).toEqual([]);
    });

    test('the app has the texts of policies byte for byte', () => {
      expect(project.read('us/policies/acl-line-ends.hcl')).toBe(NASTY['line-ends']);
      expect(project.read('us/policies/acl-expressions.hcl')).toBe(NASTY.expressions);
    });

    test('the adopted module plans only imports, although no variable has a value, and the imports write nothing', async () => {
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
        expect(filesWith(Object.values(SECRETS), stack.home)).toEqual([]);
      });
      await Promise.all(imported);
      expect(filesWith(Object.values(SECRETS), join(folder, 'estate'))).toEqual([]);
      expect(methods()).toEqual(['GET']);
    });

    // Both dialects have become the same estate, so one of them suffices.
    if (dialect === 'neutral') return;
    test('the estate as plain Terraform plans the same imports, and is formatted', async () => {
      const plain = join(folder, 'plain');
      const { code, stderr, stdout } = await vaultAdmin(
        ['adopt', '--hcl', '--namespace', '*', '--output', plain],
        settings,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Written to ${plain}. Its README.md describes the next steps.`);
      expect(filesWith(Object.values(SECRETS), plain)).toEqual([]);

      const planned = Object.entries(COUNTS).map(async ([name, count]) => {
        const provider = await serveProvider(settings);
        const module = new Workspace({ env: provider.env });
        try {
          cpSync(join(plain, name), module.folder, { recursive: true });
          await module.must('init', '-input=false');
          await module.must('fmt', '-check', '-diff');
          const { resource_changes: changes = [] } = await module.plan();
          expect(changes.filter(({ change }) => change.actions.join() !== 'no-op')).toEqual([]);
          expect(changes.filter(({ change }) => change.importing)).toHaveLength(count);
        } finally {
          await module.dispose();
          await provider.close();
        }
      });
      await Promise.all(planned);
      expect(methods()).toEqual(['GET']);
    });
  },
);

/** Returns the files below a folder that contain one of these texts. */
function filesWith(texts: readonly string[], folder: string): readonly string[] {
  return filesBelow(folder).filter((file) => {
    const content = readFileSync(file, 'latin1');
    return texts.some((text) => content.includes(text));
  });
}

/**
 * Returns the files below a folder. Links are not followed, because installed packages are no part
 * of an app.
 */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
