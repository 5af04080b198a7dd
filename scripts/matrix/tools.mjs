/** What a combination needs and this machine may lack. What cannot be had is a `NotToBeHad`, with the reason. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { MANAGERS } from './combinations.mjs';
import { CommandFailed, output, run } from './commands.mjs';

export class NotToBeHad extends Error {}

export class Tools {
  #folder;
  #folders = new Map();
  #present = new Set();
  #config = JSON.parse(output('npm', ['config', 'list', '--json'], { env: process.env }));

  /** @param folder for what comes from the package registry. */
  constructor(folder) {
    this.#folder = folder;
  }

  /** The folder with this major version of Node: the one that runs this, or one from the registry. */
  node(major) {
    if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
    return join(this.#install(`node@${major}`), 'node', 'bin');
  }

  /** The folders that have the package manager's commands. */
  manager(name) {
    const { package: spec } = MANAGERS[name];
    return spec ? [join(this.#install(spec), '.bin')] : [];
  }

  /** @throws NotToBeHad unless the registry has these packages. */
  requirePackages(specs) {
    for (const spec of specs.filter((each) => !this.#present.has(each))) {
      this.#registry(['view', spec, 'version'], spec);
      this.#present.add(spec);
    }
  }

  /** Whether the registry has a package. */
  has(name) {
    try {
      this.requirePackages([name]);
      return true;
    } catch (error) {
      if (error instanceof NotToBeHad) return false;
      throw error;
    }
  }

  /** Variables by which every package manager uses the registry that npm uses. */
  registrySettings() {
    const { cache, registry, userconfig } = this.#config;
    return {
      npm_config_cache: cache,
      npm_config_registry: registry,
      npm_config_userconfig: userconfig,
      YARN_REGISTRY: registry,
      YARN_NPM_REGISTRY_SERVER: registry,
    };
  }

  #install(spec) {
    if (!this.#folders.has(spec)) {
      const prefix = join(this.#folder, spec.replace('/', '-'));
      this.#registry(
        ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', prefix, spec],
        spec,
      );
      this.#folders.set(spec, join(prefix, 'node_modules'));
    }
    return this.#folders.get(spec);
  }

  #registry(args, spec) {
    try {
      // One retry, soon: where there is no registry, this is asked for each combination.
      const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
      run('npm', [...args, ...retries], { env: process.env });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const [reason] = /npm error .*/.exec(error.message) ?? [error.message.split('\n')[0]];
      throw new NotToBeHad(`${spec} is not to be had: ${reason}`);
    }
  }
}

/** What package managers print of a registry that cannot be reached, or that lacks a package. Bare numbers are anything. */
const REGISTRY_FAILS =
  /.*(\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ConnectionRefused)|(\bE|FETCH_|Code: |https?:\S+ - )(40[134]|50[234])|(40[134]|50[234]) (Unauthorized|Forbidden|Not Found|Bad Gateway|Service Unavailable|Gateway Time-?out))\b.*/;

/** Runs what installs a project. @throws NotToBeHad where the registry is to blame. */
export function installProject([command, ...args], options) {
  try {
    run(command, args, options);
  } catch (error) {
    const [reason] = (error instanceof CommandFailed && REGISTRY_FAILS.exec(error.message)) || [];
    throw reason ? new NotToBeHad(`${command} cannot install what the project needs: ${reason}`) : error;
  }
}

/** The executables that `MATRIX_ENGINES` lists: themselves, or folders that have some, themselves or one level down. */
export function moreEngines() {
  return (process.env.MATRIX_ENGINES ?? '')
    .split(delimiter)
    .filter((path) => path !== '')
    .flatMap((path) => {
      const found = enginesIn(path);
      if (found.length === 0)
        throw new Error(`MATRIX_ENGINES: ${path} neither is nor has a terraform or tofu`);
      return found;
    });
}

function enginesIn(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return [path, ...readdirSync(path).map((name) => join(path, name))].flatMap((folder) =>
    ['terraform', 'tofu'].map((name) => join(folder, name)).filter((file) => existsSync(file)),
  );
}

/**
 * What to call an engine by, and its version: one that is not in the PATH may be among `others`.
 *
 * @throws NotToBeHad
 */
export function findEngine(engine, others) {
  for (const command of [engine, ...others.filter((path) => basename(path) === engine)]) {
    try {
      const [, product, version] = /^(Terraform|OpenTofu) v(\S+)/m.exec(run(command, ['version'])) ?? [];
      if (version) return { command, product, version };
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
    }
  }
  throw new NotToBeHad(`there is no ${engine}`);
}
