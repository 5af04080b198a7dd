/** Checks of the programs for other platforms that this machine can make. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_VERSION } from '../../src/provider';
import { buildExecutable, programsIfAvailable, warnNotTried } from '../support/executable';
import { expectValidSignature } from '../support/mach-o';
import { findProgram } from '../support/programs';
import { temporaryFolder } from '../support/temporary-folder';
import { platform } from '../support/terraform';
import { PLATFORMS } from './support/release';

const ROOT = join(__dirname, '..', '..');
const PROGRAMS = [
  ['.', `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`],
  ['vault-admin', 'vault-admin'],
] as const;
const folder = temporaryFolder('platforms');

const ownPrograms = programsIfAvailable();
const ifAvailable = ownPrograms === undefined ? describe.skip : describe;
if (ownPrograms === undefined)
  warnNotTried('the programs for other platforms', 'It needs package registries that have the runtime.');

ifAvailable('of the programs for all platforms,', () => {
  const [one, again] = [join(folder, 'one'), join(folder, 'a-folder-with-another-name')];
  beforeAll(() => buildExecutable([one, again], PLATFORMS, ['provider', 'vault-admin']));

  const entries = (place: string) => readdirSync(place, { recursive: true, encoding: 'utf8' }).sort();
  const filesIn = (place: string) => entries(place).filter((each) => statSync(join(place, each)).isFile());

  test('two builds in different folders have the same bytes, and contain no path of the machine', () => {
    expect(entries(again)).toEqual(entries(one));
    for (const file of filesIn(one)) {
      const content = readFileSync(join(one, file));
      const state = {
        isEqual: content.equals(readFileSync(join(again, file))),
        isLocal: content.includes(ROOT),
      };
      expect({ file, ...state }).toEqual({ file, isEqual: true, isLocal: false });
    }
  });

  test('a build of the programs for this machine alone has the same bytes', () => {
    const files = filesIn(ownPrograms!);
    expect(files).toContain(join(platform(), 'NOTICES.txt'));
    for (const file of files) {
      const isEqual = readFileSync(join(ownPrograms!, file)).equals(readFileSync(join(one, file)));
      expect({ file, isEqual }).toEqual({ file, isEqual: true });
    }
  });

  test.each(PLATFORMS)(
    'the folders of the programs for %s contain the licences of their parts',
    (platform) => {
      for (const [place, name] of PROGRAMS) {
        const own = join(one, place, platform);
        expect(readdirSync(own)).toContain(platform.startsWith('windows') ? `${name}.exe` : name);
        const notices = readFileSync(join(own, 'NOTICES.txt'), 'utf8');
        expect(notices).toContain('LGPL 2.1');
        expect(notices.includes('glibc')).toBe(platform.startsWith('linux'));
      }
    },
  );

  // The programs for macOS do not contain these data, because macOS provides them.
  test.each(PLATFORMS.filter((platform) => !platform.startsWith('darwin')))(
    'the programs for %s have the data of one language',
    (platform) => {
      for (const [place, name] of PROGRAMS) {
        const file = { linux: 'program', windows: `${name}.exe` }[platform.split('_')[0]!]!;
        const content = readFileSync(join(one, place, platform, file));
        const languages = ['en', 'de', 'zh_Hant'].filter((each) => content.includes(`/${each}.res\0`));
        expect(languages).toEqual(['en']);
      }
    },
  );

  test.each(['darwin_amd64', 'darwin_arm64'])(
    'the programs for %s have signatures with the hashes of all pages',
    (platform) => {
      for (const [place, name] of PROGRAMS)
        expectValidSignature(readFileSync(join(one, place, platform, name)));
    },
  );

  const emulated = findProgram('qemu-aarch64-static') ?? findProgram('qemu-aarch64');
  const ifEmulated = emulated === undefined ? test.skip : test;
  if (emulated === undefined)
    warnNotTried('the command line on arm64', 'Install qemu-user-static to have it emulated.');

  ifEmulated('the command line for arm64 runs on an emulated processor, with the glibc beside it', () => {
    const place = join(one, 'vault-admin', 'linux_arm64');
    const start = (...args: string[]) =>
      spawnSync(
        emulated!,
        [
          join(place, 'glibc', 'ld-linux-aarch64.so.1'),
          '--library-path',
          join(place, 'glibc'),
          join(place, 'program'),
          ...args,
        ],
        { encoding: 'utf8' },
      );
    expect(start('--version')).toMatchObject({ status: 0, stdout: `${PROVIDER_VERSION}\n` });
    const policy = join(folder, 'narrow.hcl');
    writeFileSync(policy, 'path "secret/data/app" {\n  capabilities = ["read"]\n}\n');
    expect(start('policy', 'can', 'delete', 'secret/data/app', policy)).toMatchObject({ status: 1 });
  });
});
