import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type SealStatus, VaultClient, VaultError } from '../../client';
import { reasonOf } from '../../files';
import { renderAdvice, renderText } from '../../model/messages';
import { readTextFile } from '../../policy/text-file';
import { oneClusterName } from '../clusters/cluster-names';
import { clustersInEnvironment } from '../clusters/open-clusters';
import { UserError } from '../errors';
import { EXIT, type ExitCode } from '../exit-codes';
import { readNamed } from '../named-files';
import { printError, printLines } from '../output/print';
import { hideInOutput } from '../output/secrets';
import { AnswerFile, type StoredAnswer, writeShare } from './answer-file';
import { type PgpKey, readPgpKey } from './pgp-keys';
import { isTokenValid, setUp } from './set-up';
import { readSetup, type Setup } from './setup-file';

export interface InitFlags {
  readonly cluster?: string;
  readonly pgpKey?: readonly string[];
  readonly showKeys?: boolean;
  readonly shares?: number;
  readonly threshold?: number;
  readonly folder: string;
  readonly shareFile?: readonly string[];
  readonly setup?: string;
}

const DEFAULT_SHARES = 5;
/** The maximum size in bytes. */
const LONGEST_SHARE = 64 * 1024;
/** The time limit in which an unsealed node has to serve requests. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Takes a new cluster to the first apply, and prints what was done.
 *
 * @returns the exit code.
 */
export async function runInit(flags: InitFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const { name, client } = clusterOf(flags, env);
  // All errors that can be found without the server are found before the first request.
  const keys = (flags.pgpKey ?? []).map(readPgpKey);
  const given = (flags.shareFile ?? []).map(readShare);
  const setup = flags.setup === undefined ? undefined : readSetup(flags.setup);
  const day = new FirstDay(name, client, flags, keys);
  try {
    await day.initialize();
    if (!(await day.unseal(given))) return EXIT.problems;
    return await day.setUp(setup);
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    printError(error.message);
    return EXIT.unknown;
  } finally {
    await client.close();
  }
}

/** The steps from a server that was just started to the first apply. */
class FirstDay {
  readonly #name: string;
  readonly #client: VaultClient;
  readonly #flags: InitFlags;
  readonly #keys: readonly PgpKey[];
  readonly #file: AnswerFile;
  #answer: StoredAnswer | undefined;

  constructor(name: string, client: VaultClient, flags: InitFlags, keys: readonly PgpKey[]) {
    this.#name = name;
    this.#client = client;
    this.#flags = flags;
    this.#keys = keys;
    this.#file = new AnswerFile(join(flags.folder, `${name}.init.json`));
  }

  async initialize(): Promise<void> {
    const { data: status } = await this.#client.system.sealStatus();
    if (status.initialized) {
      this.#say('is initialized already');
      this.#answer = this.#file.read();
      if (this.#answer !== undefined) hide(this.#answer, false);
    } else {
      this.#answer = await this.#initialize(status);
    }
    if (this.#answer === undefined) return;
    for (const [index, owner] of this.#answer.owners.entries()) {
      const path = join(this.#flags.folder, `${this.#name}.share-${index + 1}.pgp`);
      if (writeShare(path, this.#answer.shares[index]!))
        this.#say(`share ${index + 1}, encrypted for ${owner}: ${path}`);
    }
  }

  async #initialize({ recovery_seal: recovery = false }: SealStatus): Promise<StoredAnswer> {
    const { showKeys = false } = this.#flags;
    const keys = this.#keys;
    if (keys.length === 0 && !showKeys) {
      throw new UserError({
        summary: `cluster ${this.#name} is not initialized, and nobody is named who receives the shares of its key`,
        details: 'Nothing was sent.',
        cures: 'give the public PGP key of each with --pgp-key, or have the shares printed with --show-keys',
      });
    }
    const shares = keys.length > 0 ? keys.length : (this.#flags.shares ?? DEFAULT_SHARES);
    if (keys.length > 0 && (this.#flags.shares ?? shares) !== shares) {
      throw new UserError(
        `--shares ${this.#flags.shares} is not the number of PGP keys, ${shares}; leave it out`,
      );
    }
    const threshold = this.#flags.threshold ?? Math.floor(shares / 2) + 1;
    this.#file.create();
    const pgpKeys = keys.map(({ base64 }) => base64);
    const made = await this.#client.system
      .initialize({ shares, threshold, pgpKeys, recovery })
      .catch((error: unknown) => {
        if (!VaultError.is(error)) throw error;
        if (error.mayHaveTakenEffect) throw answerLost(this.#file.path, error);
        this.#file.remove();
        throw error;
      });
    const answer: StoredAnswer = {
      address: this.#client.address,
      shares: made.shares,
      owners: keys.map(({ name }) => name),
      threshold,
      recovery,
      root_token: made.rootToken,
    };
    this.#store(answer);
    hide(answer, showKeys);
    const kind = `${recovery ? 'recovery ' : ''}${shares === 1 ? 'share' : 'shares'}`;
    this.#say(`initialized with ${shares} ${kind}, ${threshold} required: ${this.#file.path}`);
    if (keys.length === 0) this.#printShares(answer);
    return answer;
  }

  /** Stores the answer, which the server gives only once. If that fails, the shares are printed. */
  #store(answer: StoredAnswer): void {
    try {
      this.#file.write(answer);
    } catch (error) {
      this.#printShares(answer);
      throw answerNotStored(this.#file.path, error as Error);
    }
  }

  /**
   * Prints the shares. They are encrypted, or the user asked for them, or they could not be stored.
   */
  #printShares({ shares, owners }: StoredAnswer): void {
    for (const [index, share] of shares.entries()) {
      const owner = owners[index];
      this.#say(`share ${index + 1}${owner === undefined ? '' : `, encrypted for ${owner}`}: ${share}`);
    }
  }

  /** @returns whether the cluster serves requests. */
  async unseal(given: readonly string[]): Promise<boolean> {
    let { data: status } = await this.#client.system.sealStatus();
    if (!status.sealed) {
      this.#say('is unsealed already');
    } else if (!status.recovery_seal) {
      const stored = this.#answer?.owners.length === 0 ? this.#answer.shares : [];
      for (const share of [...given, ...stored]) {
        if (status.sealed) ({ data: status } = await this.#client.system.unseal(share));
      }
      if (status.sealed) {
        this.#say(
          `is sealed: it has ${status.progress ?? 0} of the ${status.t ?? 0} shares that it requires`,
          'whoever has a share decrypts it (gpg --decrypt), and hands it over with "vault operator unseal" ' +
            'or in a file with --share-file; then run the command again',
        );
        return false;
      }
      this.#say('unsealed');
    }
    return this.#whenServing();
  }

  /**
   * Waits until the node serves requests: after it was unsealed, it first has to become the active
   * node.
   */
  async #whenServing(): Promise<boolean> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const { data } = await this.#client.system.health();
      if (!data.sealed && !data.standby) return true;
      if (Date.now() > deadline) {
        this.#say(
          data.sealed ? 'is still sealed: its key store has not unsealed it' : 'is not the active node',
        );
        return false;
      }
      await pause(PAUSE_MS);
    }
  }

  async setUp(setup: Setup | undefined): Promise<ExitCode> {
    const answer = this.#answer;
    if (answer?.root_token === undefined) {
      this.#say(
        answer === undefined
          ? `has no ${this.#file.path}: nothing remains`
          : 'its root token is revoked already',
      );
      return EXIT.ok;
    }
    const client = this.#client.withToken(answer.root_token);
    if (!(await isTokenValid(client))) {
      this.#forgetToken(answer, 'its root token is revoked already');
      return EXIT.ok;
    }
    if (setup === undefined) {
      this.#say(
        `its root token is valid: ${this.#file.path}`,
        'run the command with --setup, which sets up the login of the deployer and revokes the token',
      );
      return EXIT.problems;
    }
    let isWell = true;
    await setUp(client, setup, {
      done: (text) => this.#say(text),
      wrong: (text) => {
        isWell = false;
        this.#say(text, 'correct it, and run the command again');
      },
    });
    if (!isWell) return EXIT.problems;
    await client.write('auth/token/revoke-self');
    this.#forgetToken(answer, 'its root token is revoked');
    return EXIT.ok;
  }

  #forgetToken(answer: StoredAnswer, text: string): void {
    const rest = { ...answer };
    delete rest.root_token;
    this.#file.write(rest);
    this.#say(text);
  }

  /** @param cure the next action of the user. */
  #say(text: string, cure?: string): void {
    const advice = cure === undefined ? [] : [`  ${renderAdvice(cure)}`];
    printLines(process.stdout, [...`${this.#name}: ${text}`.split('\n'), ...advice]);
  }
}

/** Returns the error for a lost answer: the request may have initialized the cluster. */
function answerLost(path: string, error: VaultError): Error {
  return new Error(
    renderText({
      summary: error.message,
      details: `The cluster may be initialized. If it is, nobody has its shares: the server gives them once. ${path} is empty.`,
      cures:
        `run the command again, which says whether the cluster is initialized. If it is not, remove ${path} first; ` +
        'if it is, give it empty storage',
    }),
  );
}

/** Returns the error for an initialized cluster whose answer could not be written to the file. */
function answerNotStored(path: string, error: Error): UserError {
  return new UserError({
    summary: `the answer of the server could not be stored in ${path}: ${reasonOf(error)}`,
    details: 'The cluster is initialized. Its shares are printed above, and its root token is lost.',
    cures:
      'keep the shares, unseal the cluster with them ("vault operator unseal"), and make another root token with ' +
      '"vault operator generate-root"',
  });
}

/** Hides the secrets of an answer in everything that is printed. */
function hide({ shares, root_token: token }: StoredAnswer, showKeys: boolean): void {
  if (token !== undefined) hideInOutput(token);
  if (!showKeys) for (const share of shares) hideInOutput(share);
}

function clusterOf({ cluster }: InitFlags, env: NodeJS.ProcessEnv): { name: string; client: VaultClient } {
  const [settings] = clustersInEnvironment([oneClusterName(cluster, env)], env);
  // The token in the environment belongs to another cluster, because this one is new.
  return { name: settings!.name, client: new VaultClient({ ...settings!.options, token: undefined }) };
}

function readShare(file: string): string {
  const share = readNamed(`--share-file: ${file}`, () => readTextFile(file, LONGEST_SHARE).trim());
  hideInOutput(share);
  if (!/^[A-Za-z0-9+/]+=*$/.test(share)) {
    throw new UserError({
      summary: `--share-file: ${file} is not a share in hex or base64`,
      cures: 'decrypt it with gpg --decrypt',
    });
  }
  return share;
}
