/**
 * Builds an executable of each program for each platform: of the provider in
 * dist/executables/OS_ARCH/, of the command line in dist/executables/vault-admin/OS_ARCH/.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collect, npmRun } from '../npm-run.mjs';
import { buildExecutables } from './build.mjs';
import { PLATFORMS } from './platforms.mjs';
import { PROGRAMS } from './programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const command = npmRun('executables', 'Builds executables of the programs.')
  .argument('[PLATFORM...]', 'such as linux_amd64 (default: all of them)')
  .option('--program <NAME>', `${Object.keys(PROGRAMS).join(' or ')} (repeatable; default: all)`, collect)
  .option('--output <FOLDER>', 'where to (repeatable: builds again; default: dist/executables)', collect)
  .option('--recording', 'programs that record the functions they run, not for use by others')
  .parse();
const chosen = command.args;
const {
  output: outputs = [join(root, 'dist', 'executables')],
  program: named = Object.keys(PROGRAMS),
  recording,
} = command.opts();
refuseUnknown(chosen, Object.keys(PLATFORMS), 'a platform');
refuseUnknown(named, Object.keys(PROGRAMS), 'a program');
const platforms = chosen.length > 0 ? chosen : Object.keys(PLATFORMS);
const programs = named.map((name) => PROGRAMS[name]);
try {
  await buildExecutables(outputs, platforms, programs, recording);
  for (const output of outputs)
    for (const { folder } of programs)
      for (const platform of platforms) console.log(join(output, folder, platform));
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
