/**
 * Builds an executable of each program for each platform: of the provider in
 * dist/executables/OS_ARCH/, of the command line in dist/executables/vault-admin/OS_ARCH/.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildExecutables } from './build.mjs';
import { PLATFORMS } from './platforms.mjs';
import { PROGRAMS } from './programs.mjs';

const HELP = `npm run executables -- [PLATFORM…] [--program NAME…] [--output FOLDER]

Builds executables for platforms such as linux_amd64. Without a platform, for all of them;
without a program, of all programs.`;

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', default: join(root, 'dist', 'executables') },
    program: { type: 'string', multiple: true, default: Object.keys(PROGRAMS) },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
refuseUnknown(chosen, Object.keys(PLATFORMS), 'a platform');
refuseUnknown(values.program, Object.keys(PROGRAMS), 'a program');
const platforms = chosen.length > 0 ? chosen : Object.keys(PLATFORMS);
const programs = values.program.map((name) => PROGRAMS[name]);
try {
  await buildExecutables(values.output, platforms, programs);
  for (const { folder } of programs)
    for (const platform of platforms) console.log(join(values.output, folder, platform));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

function refuseUnknown(given, allowed, kind) {
  const unknown = given.filter((each) => !allowed.includes(each));
  if (unknown.length === 0) return;
  console.error(`error: ${unknown.join(', ')}: not ${kind}; allowed are ${allowed.join(', ')}`);
  process.exit(1);
}
