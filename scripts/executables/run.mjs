/**
 * Builds the provider as one executable for each platform, in dist/executables/OS_ARCH/:
 *
 *   npm run executables
 *   npm run executables -- linux_amd64 darwin_arm64 --output FOLDER
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildExecutables } from './build.mjs';
import { PLATFORMS } from './platforms.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', default: join(root, 'dist', 'executables') } },
});
const unknown = chosen.filter((platform) => !Object.hasOwn(PLATFORMS, platform));
if (unknown.length > 0) {
  console.error(
    `error: ${unknown.join(', ')}: not a platform; allowed are ${Object.keys(PLATFORMS).join(', ')}`,
  );
  process.exit(1);
}
const platforms = chosen.length > 0 ? chosen : Object.keys(PLATFORMS);
try {
  await buildExecutables(values.output, platforms);
  for (const platform of platforms) console.log(join(values.output, platform));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
