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

test('a rule asks for its control groups, MFA methods and types of events', () => {
  expect(checksOf(CONTROLLED)).toEqual(ALL);
});

test('what several rules ask for counts once', () => {
  expect(checksOf(CONTROLLED + CONTROLLED + 'path "a" { capabilities = ["list"] }')).toEqual(ALL);
});

test('without a time, a control group shows none', () => {
  const [check] = checksOf(CONTROLLED.replace('ttl = "1h"', ''));
  expect(check?.text).toBe('control group "ops" (1 approval of "0815", "admins", "ops")');
});

test('where a rule denies everything, nothing else is asked', () => {
  expect(checksOf(`${CONTROLLED}path "a" { capabilities = ["deny"] }`)).toEqual([]);
});

test('the checks of a capability are those for it and for all, in order', () => {
  expect(checksFor(ALL, 'update')).toEqual([ALL[0]!.text, 'MFA method "duo"', 'MFA method "okta"'].sort());
  expect(checksFor(ALL, 'read')).toEqual(['MFA method "duo"', 'MFA method "okta"']);
  expect(checksFor(ALL, 'subscribe')).toEqual(['MFA method "duo"', 'MFA method "okta"', ALL[3]!.text]);
});
