import {
  compilePolicy,
  type PolicySource,
  type RequestFacts,
  type SentinelPolicy,
} from '../../src/enforcement';

/** 2026-01-31T09:30:00Z, in nanoseconds. */
export const NOW = 1_769_851_800_000_000_000n;

export function egp(text: string, more: Partial<PolicySource> = {}): SentinelPolicy {
  return compilePolicy({
    kind: 'egp',
    name: 'guard',
    namespace: '',
    level: 'hard-mandatory',
    paths: ['*'],
    text,
    ...more,
  });
}

export function rgp(text: string, more: Partial<PolicySource> = {}): SentinelPolicy {
  return compilePolicy({ kind: 'rgp', name: 'role', namespace: '', level: 'hard-mandatory', text, ...more });
}

export const ROOT = { id: 'root', path: '' };
export const TEAM = { id: 'a1b2c', path: 'team/' };

export const READ: RequestFacts = {
  namespace: ROOT,
  path: 'secret/data/app',
  operation: 'read',
  remoteAddress: '127.0.0.1',
  replication: { performance: 'disabled', dr: 'disabled' },
};

export const TOKEN: NonNullable<RequestFacts['token']> = {
  policies: ['default'],
  path: 'auth/token/create',
  displayName: 'token',
  numUses: 0,
  role: '',
  entityId: '',
  period: 0,
  explicitMaxTtl: 0,
  creationTtl: 3600,
  createdAt: 1_769_851_800_000,
  metadata: {},
  type: 'service',
  namespace: ROOT,
};
