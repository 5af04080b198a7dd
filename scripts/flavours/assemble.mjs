/**
 * Compiles the constructs with jsii, and copies their description, `.jsii`, into the project, for
 * the package that npm packs. It fails for every error, every warning that is not listed, and every
 * listed warning that no longer occurs.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileAssembly } from './assembly.mjs';
import { ROOT } from './files.mjs';
import { FLAVOURS } from './flavours.mjs';

try {
  const folder = await compileAssembly(FLAVOURS.cdktf);
  copyFileSync(join(folder, '.jsii'), join(ROOT, '.jsii'));
  console.log('jsii compiles the constructs: 0 errors, and no warnings but those that are listed');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
