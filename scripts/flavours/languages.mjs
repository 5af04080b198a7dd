/**
 * Generates the sources of the packages for Go, Java and C# into dist/, for each flavour, and
 * compiles those for Go. Modules that the proxy of Go does not have are replaced by stubs for the
 * compiler, and named.
 *
 *   npm run languages
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { compileAssembly } from './assembly.mjs';
import { DIST, ROOT, run, WORK } from './files.mjs';
import { FLAVOURS } from './flavours.mjs';
import { installTools } from './tools.mjs';

const LANGUAGES = ['go', 'java', 'dotnet'];
/** The version of the constructs for Go that the framework requires. */
const OLDER_CONSTRUCTS = 'v10.4.2';
const PACMAK = join(WORK, 'node_modules', 'jsii-pacmak', 'bin', 'jsii-pacmak');

await installTools();
for (const flavour of Object.values(FLAVOURS)) {
  const assembly = await compileAssembly(flavour);
  for (const language of LANGUAGES) {
    const target = join(DIST, language, flavour.framework);
    rmSync(target, { recursive: true, force: true });
    run(process.execPath, [PACMAK, '--target', language, '--code-only', '--outdir', target, assembly]);
    console.log(`${relative(ROOT, target)}: generated`);
  }
  compileGo(flavour, join(DIST, 'go', flavour.framework, 'go', flavour.targets.go.packageName));
}

function compileGo({ framework }, sources) {
  const folder = mkdtempSync(join(tmpdir(), 'go-'));
  try {
    const project = join(folder, 'project');
    cpSync(sources, project, { recursive: true });
    const missing = required(project).filter((module) => !isToBeHad(module));
    for (const module of missing) standIn(project, join(folder, 'stand-ins'), module, framework);
    const where = relative(ROOT, sources);
    run('go', ['build', './...'], { cwd: project, env: { ...process.env, GOFLAGS: '-mod=mod' } });
    console.log(`${where}: compiles${missing.length > 0 ? `, with stand-ins for ${listed(missing)}` : ''}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function required(project) {
  const { Require } = JSON.parse(run('go', ['mod', 'edit', '-json'], { cwd: project }));
  return Require.map(({ Path, Version }) => ({ path: Path, version: Version }));
}

function isToBeHad({ path, version }) {
  try {
    run('go', ['mod', 'download', `${path}@${version}`], { cwd: tmpdir() });
    return true;
  } catch {
    return false;
  }
}

function listed(modules) {
  return modules.map(({ path, version }) => `${path} ${version}`).join(', ');
}

/**
 * Creates stubs of modules. The framework is generated from its own package for npm, the bindings
 * are only initialized, and the constructs are an older version with the later additions.
 */
function standIn(project, folder, { path }, framework) {
  const place = join(folder, path);
  if (path.endsWith(`/${framework}`)) {
    const generated = join(folder, framework);
    const args = ['--target', 'go', '--code-only', '--outdir', generated];
    run(process.execPath, [PACMAK, ...args, join(WORK, 'node_modules', framework)]);
    cpSync(join(generated, 'go', framework), place, { recursive: true });
  } else if (path.endsWith('/constructs/v10')) {
    const { Dir } = JSON.parse(
      run('go', ['mod', 'download', '-json', `${path}@${OLDER_CONSTRUCTS}`], { cwd: tmpdir() }),
    );
    cpSync(Dir, place, { recursive: true });
    run('chmod', ['-R', 'u+w', place]);
    writeFileSync(join(place, 'IMixin.go'), 'package constructs\n\ntype IMixin interface{}\n');
  } else {
    mkdirSync(join(place, 'jsii'), { recursive: true });
    writeFileSync(join(place, 'go.mod'), `module ${path}\n`);
    writeFileSync(join(place, 'jsii', 'jsii.go'), 'package jsii\n\nfunc Initialize() {}\n');
  }
  run('go', ['mod', 'edit', '-replace', `${path}=${place}`], { cwd: project });
}
