import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './support/tarball';

const CONTEXT = 'examples/container/Dockerfile';
const lines = readFileSync(join(ROOT, CONTEXT), 'utf8').split('\n');
const instruction = (name: string) =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
const command = [...instruction('ENTRYPOINT'), ...instruction('CMD')].flatMap(
  (words) => JSON.parse(words) as string[],
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'container-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Builds the files of the image in a folder: the copied files, and the installed packages without
 * the peers.
 */
function layOut(): void {
  for (const copied of instruction('COPY')) {
    const [from = '', to = ''] = copied.split(' ');
    symlinkSync(join(ROOT, from), join(folder, to === './' ? from : to));
  }
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const isPeer = Object.keys(peerDependencies).some((peer) => peer.split('/')[0] === name);
    if (!isPeer) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
}

test('the image copies files of the package, and its command starts an emulator without cdktf', async () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  expect(files).toContain('examples/container');
  expect(instruction('COPY')).toEqual(['package.json ./', 'lib ./lib']);
  expect(instruction('RUN')[0]).toContain(
    'npm pkg delete devDependencies && npm install --omit=peer --ignore-scripts',
  );
  layOut();
  expect(existsSync(join(folder, 'node_modules', 'cdktf'))).toBe(false);

  const [node, ...args] = command.map((word) =>
    word === '/data' ? join(folder, 'data') : word === 'default=8200' ? 'default=0' : word,
  );
  expect(node).toBe('node');
  expect(args.slice(0, 4)).toEqual(['lib/src/cli/main.js', 'emulator', '--bind', '0.0.0.0']);
  // Links are not resolved, so that Node.js searches for packages below the folder, as in the
  // image.
  const child = spawn(
    process.execPath,
    ['--preserve-symlinks', '--preserve-symlinks-main', ...args, '--json'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const ended = once(child, 'exit').then(() => ['{"clusters":{}}']);
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
    const { clusters } = JSON.parse(line) as { clusters: { default: { address: string } } };
    const health = await fetch(`${clusters.default.address}/v1/sys/health`);
    expect(health.status).toBe(200);
    expect(readdirSync(join(folder, 'data'))).not.toEqual([]);
  } finally {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  }
});

const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
if (!hasDocker) {
  const line = '!'.repeat(100);
  console.warn(`${line}\nNOT TRIED: docker build of ${CONTEXT}. No Docker daemon answers here.\n${line}`);
}

(hasDocker ? test : test.skip)('docker builds it, and its container answers', () => {
  const docker = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8', cwd: ROOT });
  const built = docker('build', '--quiet', '--file', CONTEXT, '.');
  expect({ status: built.status, stderr: built.stderr }).toMatchObject({ status: 0 });
  const image = built.stdout.trim();
  const version = docker('run', '--rm', image, '--help');
  expect(version.stdout).toContain('emulated Vault Enterprise');
  docker('rmi', image);
});
