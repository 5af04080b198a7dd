/**
 * Generates the L1 bindings of the provider vaultadmin into constructs/generated/, from the
 * provider's own schema. The generator of cdktf gets the output that `terraform providers schema
 * -json` would print, so that no terraform is needed. If the schema has not changed, no file is
 * written.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const target = join(root, 'constructs', 'generated');
const stampFile = join(target, 'schema.sha256');

const schema = providerSchema();
const stamp = hash(JSON.stringify(schema) + require('@cdktf/provider-generator/package.json').version);
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await generate(schema);
  writeFileSync(stampFile, stamp);
}

/** Returns the schema of the provider in src/, which need not be compiled yet. */
function providerSchema() {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import { providerSchemaJson } from './src/plugin';
        import { PROVIDER_ADDRESS, PROVIDER_VERSION } from './src/provider/about';
        import { PROVIDER } from './src/provider/provider';
        export const schema = {
          ...providerSchemaJson(PROVIDER, PROVIDER_ADDRESS),
          provider_versions: { [PROVIDER_ADDRESS]: PROVIDER_VERSION },
        };
      `,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    packages: 'external',
    write: false,
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, require);
  return module.exports.schema;
}

async function generate(providerSchemas) {
  // When the generator is loaded, it asks the terraform in the PATH for its version, and sends a
  // crash report if this fails.
  process.env.CHECKPOINT_DISABLE = '1';
  delete process.env.TF_CLI_CONFIG_FILE;
  const {
    TerraformProviderGenerator,
  } = require('@cdktf/provider-generator/lib/get/generator/provider-generator');
  const { CodeMaker } = createRequire(require.resolve('@cdktf/provider-generator'))('codemaker');

  const generator = new TerraformProviderGenerator(new CodeMaker(), providerSchemas);
  generator.generateAll();
  await generator.save(target);
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex');
}
