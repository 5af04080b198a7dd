import type { Construct } from 'constructs';
import { describeFinding, MANAGED_KEY, MANAGED_KEY_BACKENDS, validateTestSign } from '../../../src/model';
import { asFields } from '../../private/arguments';
import { appNotation } from '../../private/app-language';
import { whatIsKnown } from '../../private/checks';
import { refuseConstruct } from '../../private/report';
import type { ManagedKeyBackend } from '../managed-key-backend';
import type { TestSign } from '../test-sign';

/** Refuses a test signature that the key cannot make. */
export function checkTestSign(
  construct: Construct,
  { _type, _settings }: ManagedKeyBackend,
  name: string,
  testSign: TestSign,
): void {
  const key = MANAGED_KEY_BACKENDS[_type].keySpec(whatIsKnown(_settings.fields).known);
  const { known, unknown } = whatIsKnown(asFields(testSign));
  const problems = validateTestSign(known, key, unknown).map(
    (found) =>
      describeFinding(MANAGED_KEY, name, { ...found, field: `test_sign.${found.field}` }, appNotation()).line,
  );
  refuseConstruct(construct, problems);
}
