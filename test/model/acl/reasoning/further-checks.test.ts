import { parseAclPolicy } from '../../../../src/model';
import { checksFor, furtherChecks } from '../../../../src/model/acl/reasoning/further-checks';

function checksOf(text: string): ReturnType<typeof furtherChecks> {
  return furtherChecks(parseAclPolicy(text).rules);
}

const CONTROLLED = `path "a" {
  capabilities  = ["read", "update", "subscribe"]
  mfa_methods   = ["okta", "duo"]
  control_group = {
    ttl = "1h"
    factor "ops" {
      controlled_capabilities = ["update"]
      identity {
        group_names = ["ops", "admins"]
        group_ids   = ["0815"]
        approvals   = 1
      }
    }
  }
  subscribe_event_types = ["kv-v2/data-write", "database/*"]
}
`;

const ALL = [
  {
    text: 'control group "ops" (1 approval of "0815", "admins", "ops"), valid for 3600 s',
    capabilities: ['update'],
  },
  { text: 'MFA method "okta"', capabilities: [] },
  { text: 'MFA method "duo"', capabilities: [] },
  { text: 'one of the event types "database/*", "kv-v2/data-write"', capabilities: ['subscribe'] },
];

test('the further checks of a rule are its control groups, MFA methods and event types', () => {
  expect(checksOf(CONTROLLED)).toEqual(ALL);
});

test('a check that several rules require is listed once', () => {
  expect(checksOf(CONTROLLED + CONTROLLED + 'path "a" { capabilities = ["list"] }')).toEqual(ALL);
});

test('the text of a control group without a time has no time', () => {
  const [check] = checksOf(CONTROLLED.replace('ttl = "1h"', ''));
  expect(check?.text).toBe('control group "ops" (1 approval of "0815", "admins", "ops")');
});

test('a rule that denies everything has no further checks', () => {
  expect(checksOf(`${CONTROLLED}path "a" { capabilities = ["deny"] }`)).toEqual([]);
});

test('the checks of a capability are its own and those of all capabilities, in order', () => {
  expect(checksFor(ALL, 'update')).toEqual([ALL[0]!.text, 'MFA method "duo"', 'MFA method "okta"'].sort());
  expect(checksFor(ALL, 'read')).toEqual(['MFA method "duo"', 'MFA method "okta"']);
  expect(checksFor(ALL, 'subscribe')).toEqual(['MFA method "duo"', 'MFA method "okta"', ALL[3]!.text]);
});
