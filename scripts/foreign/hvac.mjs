/** Runs the integration tests of hvac, with emulators in place of the servers that they start. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

export async function runHvac({ only }) {
  const sources = process.env.HVAC_SOURCES;
  if (!sources) return 'HVAC_SOURCES names its sources, and HVAC_PYTHON a Python with what its tests need.';
  const folder = mkdtempSync(join(tmpdir(), 'hvac-'));
  const results = join(folder, 'results.jsonl');
  try {
    const python = process.env.HVAC_PYTHON ?? 'python3';
    const args = [
      '-m',
      'pytest',
      '-q',
      '-p',
      'hvac_on_emulator',
      '-p',
      'no:cacheprovider',
      '-o',
      'addopts=',
      'tests/integration_tests',
    ];
    const { error, stdout, stderr } = spawnSync(python, args, {
      cwd: sources,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: {
        ...process.env,
        PYTHONPATH: here,
        PYTHONDONTWRITEBYTECODE: '1',
        EMULATOR: join(here, '../../lib/src/cli/main.js'),
        NODE: process.execPath,
        RESULTS: results,
      },
    });
    if (error) throw error;
    const lines = read(results);
    if (lines.length === 0) throw new Error(`pytest ran nothing:\n${stdout}${stderr}`);
    return lines.filter(({ name }) => only.test(name)).map((each) => ({ ...each, area: areaOf(each.name) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** Returns the area of a test from the folders of hvac: `system backend: policies`. */
function areaOf(name) {
  const [, kind, file] = /integration_tests\/(?:api\/)?(?:(\w+)\/)?test_(\w+)\.py/.exec(name) ?? [];
  return `${(kind ?? '').replaceAll('_', ' ')}: ${(file ?? 'other').replaceAll('_', ' ')}`;
}
