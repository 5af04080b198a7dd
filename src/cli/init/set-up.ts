import { isDeepStrictEqual } from 'node:util';
import { type VaultClient, VaultError } from '../../client';
import { tryParseDuration } from '../../model/durations';
import { isRecord } from '../../text';
import { ifOffered } from '../clusters/clients';
import type { AuthSetup, Setup } from './setup-file';

/** Receives the result for each setting, as text. */
interface SetupReport {
  done(text: string): void;
  wrong(text: string): void;
}

type Fields = Readonly<Record<string, unknown>>;

const AUTOPILOT = 'sys/storage/raft/autopilot/configuration';

/**
 * Writes the first settings of a cluster. An interrupted run can be repeated: auth methods that are
 * enabled already are kept, and the rest is written again.
 */
export async function setUp(client: VaultClient, setup: Setup, report: SetupReport): Promise<void> {
  if (setup.licenseFor !== undefined) await checkLicense(client, setup.licenseFor, report);
  if (setup.autopilot !== undefined) await setAutopilot(client, setup.autopilot, report);
  for (const [name, policy] of setup.policies) {
    await client.policies.acl.write(name, { policy });
    report.done(`policy ${name}: written`);
  }
  if (setup.auth !== undefined) await setUpAuth(client, setup.auth, report);
}

async function checkLicense(client: VaultClient, seconds: number, report: SetupReport): Promise<void> {
  const answer = await ifOffered(client.read('sys/license/status'));
  const { autoloaded } = answer?.data ?? {};
  const expires = isRecord(autoloaded) ? autoloaded.expiration_time : undefined;
  if (typeof expires !== 'string') return report.wrong('license: the server has none');
  const remains = (Date.parse(expires) - Date.now()) / 1000;
  // A date that cannot be parsed does not satisfy the comparison, so it is reported.
  if (remains >= seconds) report.done(`license: valid until ${expires}`);
  else report.wrong(`license: valid until ${expires}, which is less than the setup requires`);
}

async function setAutopilot(client: VaultClient, wanted: Fields, report: SetupReport): Promise<void> {
  const found = await ifOffered(client.read(AUTOPILOT));
  if (found === undefined) return report.wrong('autopilot: the server does not offer it');
  if (differing(wanted, found.data).length === 0) return report.done('autopilot: is set already');
  await client.write(AUTOPILOT, wanted, { repeatable: true });
  const wrong = differing(wanted, (await client.read(AUTOPILOT))?.data ?? {});
  if (wrong.length === 0) report.done('autopilot: set, and read back');
  else report.wrong(`autopilot: the server did not take ${wrong.join(', ')}`);
}

/**
 * Returns the names of the wanted values that the server does not have. A duration may be a number
 * or a text.
 */
function differing(wanted: Fields, found: Fields): readonly string[] {
  const plain = (value: unknown) => tryParseDuration(value) ?? value;
  return Object.keys(wanted).filter((name) => !isDeepStrictEqual(plain(wanted[name]), plain(found[name])));
}

async function setUpAuth(client: VaultClient, auth: AuthSetup, report: SetupReport): Promise<void> {
  const { type, path, write } = auth;
  const enabled = (await client.read('sys/auth'))?.data[`${path}/`];
  if (enabled === undefined) {
    await client.write(`sys/auth/${path}`, { type });
    report.done(`auth method ${path}: enabled`);
  } else if (isRecord(enabled) && enabled.type === type) {
    report.done(`auth method ${path}: is enabled already`);
  } else {
    return report.wrong(`auth method ${path}: is enabled with another type than ${type}`);
  }
  for (const [below, body] of Object.entries(write)) {
    await client.write(`auth/${path}/${below}`, body, { repeatable: true });
    report.done(`auth/${path}/${below}: written`);
  }
}

/** Returns whether the server still knows the token of a client. */
export async function isTokenValid(client: VaultClient): Promise<boolean> {
  try {
    await client.token.lookupSelf();
    return true;
  } catch (error) {
    if (VaultError.is(error) && (error.code === 'denied' || error.code === 'invalid_token')) return false;
    throw error;
  }
}
