import {
  clusterSettingProblem,
  clusterSettingValue,
  type ClusterSettingName,
  type ClusterSettingValues,
  type GivenSetting,
  USUAL_CURE,
} from '../../model/clusters';
import { VaultError } from '../vault-error';

/**
 * Checks the value of a setting, and returns it in the form that the client uses.
 *
 * @param name the name of the option or of the environment variable.
 * @throws VaultError `invalid_options` with the setting, the value (never a token) and the allowed
 *   values.
 */
export function checkSetting<N extends ClusterSettingName>(
  setting: N,
  value: GivenSetting,
  name: string,
): NonNullable<ClusterSettingValues[N]> {
  const problem = clusterSettingProblem(setting, value);
  if (!problem) return clusterSettingValue(setting, value);
  const received = problem.received === undefined ? '' : `: received ${problem.received}`;
  const cure = problem.cure === USUAL_CURE ? '' : `; ${problem.cure}`;
  throw new VaultError({
    code: 'invalid_options',
    message: `${name} ${problem.problem}${received}; allowed: ${problem.allowed}${cure}`,
  });
}

/** Checks that a client certificate and its key are set together. */
export function checkCertificatePair(
  certificate: string | undefined,
  key: string | undefined,
  [certificateName, keyName]: readonly [string, string],
): void {
  if (!certificate === !key) return;
  const [given, missing] = certificate ? [certificateName, keyName] : [keyName, certificateName];
  throw new VaultError({
    code: 'invalid_options',
    message: `${given} is given without ${missing}: a client certificate requires both; set ${missing} as well`,
  });
}
