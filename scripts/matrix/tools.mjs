/**
 * Finds the tools of a combination. Throws a `NotAvailable` with the reason if this machine lacks a
 * tool and the registry does not have it.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { MANAGERS } from './combinations.mjs';
import { CommandFailed, output, run } from './commands.mjs';

export class NotAvailable extends Error {}

export class Tools {
  #folder;
  #folders = new Map();
  #present = new Set();
  #config = JSON.parse(output('npm', ['config', 'list', '--json'], { env: process.env }));

  /**
   * Prepares the search.
   *
   * @param folder the folder for packages from the registry.
   */
  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * Returns the folder with this major version of Node: the running one, or one from the registry.
   */
  node(major) {
    if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
    return join(this.#install(`node@${major}`), 'node', 'bin');
  }

  /** Returns the folders with the package manager's commands. */
  manager(name) {
    const { package: spec } = MANAGERS[name];
    return spec ? [join(this.#install(spec), '.bin')] : [];
  }

  /**
   * Requires packages.
   *
   * @throws NotAvailable if the registry lacks one of them.
   */
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
      if (error instanceof NotAvailable) return false;
      throw error;
    }
  }

  /** Returns variables with which every package manager uses npm's registry. */
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
      // The command is retried once, and soon, because it fails for each combination if there is no
      // registry.
      const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
      run('npm', [...args, ...retries], { env: process.env });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const [reason] = /npm error .*/.exec(error.message) ?? [error.message.split('\n')[0]];
      throw new NotAvailable(`${spec} is not to be had: ${reason}`);
    }
  }
}

/**
 * The messages of package managers for a registry that cannot be reached, or that lacks a package.
 * A number such as 404 is matched only beside other words, because it may have another meaning.
 */
const REGISTRY_FAILS =
  /.*(\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ConnectionRefused)|(\bE|FETCH_|Code: |https?:\S+ - )(40[134]|50[234])|(40[134]|50[234]) (Unauthorized|Forbidden|Not Found|Bad Gateway|Service Unavailable|Gateway Time-?out))\b.*/;

/**
 * Runs a command that installs a project.
 *
 * @throws NotAvailable if it fails because of the registry.
 */
export function installProject([command, ...args], options) {
  try {
    run(command, args, options);
  } catch (error) {
    const [reason] = (error instanceof CommandFailed && REGISTRY_FAILS.exec(error.message)) || [];
    throw reason ? new NotAvailable(`${command} cannot install what the project needs: ${reason}`) : error;
  }
}

/**
 * Returns the executables that `MATRIX_ENGINES` names, or that are in folders that it names or one
 * level below them.
 */
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
 * Returns the command and the version of an engine, from the PATH or else from `others`, a list of
 * paths.
 *
 * @throws NotAvailable if it is not found.
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
  throw new NotAvailable(`there is no ${engine}`);
}
