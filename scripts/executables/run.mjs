/**
 * Builds an executable for each platform: of the provider in dist/executables/OS_ARCH/, of the
 * command line in dist/executables/vault-admin/OS_ARCH/.
 *
 *   npm run executables npm run executables -- linux_amd64 darwin_arm64 --program provider --output
 *   FOLDER
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildExecutables } from './build.mjs';
import { PLATFORMS } from './platforms.mjs';
import { PROGRAMS } from './programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', default: join(root, 'dist', 'executables') },
    program: { type: 'string', multiple: true, default: Object.keys(PROGRAMS) },
  },
});
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
