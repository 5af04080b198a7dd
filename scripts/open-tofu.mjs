/** Downloads OpenTofu's release. It may run before `npm ci`, so it uses no installed package. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const VERSION = '1.12.6';
const RELEASES = 'https://github.com/opentofu/opentofu/releases/download';
const DEADLINE_MS = 600_000;
const SYSTEMS = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const PROCESSORS = { x64: 'amd64', arm64: 'arm64' };
const PROGRAM = process.platform === 'win32' ? 'tofu.exe' : 'tofu';

/** The size of a block of tar files, and the offsets of two fields in headers. */
const TAR = { block: 512, name: [0, 100], size: [124, 136] };

/**
 * Returns the path of the OpenTofu in the user's cache folder. If it is not there, it is downloaded
 * from the address in OPENTOFU_MIRROR, by default from the project's releases on GitHub.
 *
 * @param say prints a line before the download.
 * @throws Error if it cannot be downloaded, or has another hash than the release's checksums say.
 */
export async function keptOpenTofu(env, say) {
  const caches = env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(caches, 'cdktf-vault-admin-opentofu', VERSION);
  const kept = join(folder, PROGRAM);
  if (existsSync(kept)) return kept;

  const release = `${releasesIn(env)}/v${VERSION}`;
  say(
    `neither terraform nor tofu is in the PATH: downloading OpenTofu ${VERSION} from ${release} to ${folder}`,
  );
  keep(await programFrom(release), folder);
  return kept;
}

function releasesIn({ OPENTOFU_MIRROR: mirror }) {
  if (!mirror) return RELEASES;
  if (URL.canParse(mirror) && /^https?:$/.test(new URL(mirror).protocol)) return mirror.replace(/\/+$/, '');
  throw new Error(
    `OPENTOFU_MIRROR is not valid: received ${JSON.stringify(mirror)}; allowed: a URL with the folders of ` +
      `OpenTofu's versions, such as ${RELEASES}`,
  );
}

async function programFrom(release) {
  const archive = `tofu_${VERSION}_${SYSTEMS[process.platform]}_${PROCESSORS[process.arch]}.tar.gz`;
  const sums = await download(`${release}/tofu_${VERSION}_SHA256SUMS`);
  const line = sums
    .toString()
    .split('\n')
    .find((each) => each.trim().endsWith(` ${archive}`));
  if (!line) throw new Error(`${release} has no ${archive}`);
  const content = await download(`${release}/${archive}`);
  const [expected] = line.trim().split(/\s/);
  const hash = createHash('sha256').update(content).digest('hex');
  if (hash !== expected) {
    throw new Error(
      `${release}/${archive} has the SHA-256 hash ${hash} instead of ${expected}; it was not kept`,
    );
  }
  const program = fileIn(gunzipSync(content), PROGRAM);
  if (!program) throw new Error(`${release}/${archive} does not contain ${PROGRAM}`);
  return program;
}

async function download(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new Error(`${url} could not be downloaded: ${error.cause?.message ?? error.message}`);
  }
}

/** Returns a file of a tar archive. */
function fileIn(tar, wanted) {
  for (let at = 0; at + TAR.block <= tar.length;) {
    const text = ([from, to]) => tar.toString('latin1', at + from, at + to).replace(/[\0 ].*$/s, '');
    const size = Number.parseInt(text(TAR.size), 8) || 0;
    const content = at + TAR.block;
    if (text(TAR.name) === wanted) return tar.subarray(content, content + size);
    at = content + Math.ceil(size / TAR.block) * TAR.block;
  }
  return undefined;
}

/** Writes the program under another name first, so that other processes never see a part of it. */
function keep(program, folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    writeFileSync(join(draft, PROGRAM), program, { mode: 0o755 });
    renameSync(join(draft, PROGRAM), join(folder, PROGRAM));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
