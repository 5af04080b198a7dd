import { stringSet } from '../definition/coerce';
import { fieldsRule, textRule, type Problem } from '../definition/rules';
import type { Rule } from '../definition/field';
import { literal } from '../messages';

const ADDRESS = /^(https?:\/\/)?(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?(\/\S*)?$/i;

/** Returns the problem of a cluster's address. The empty text stands for the server's own. */
export function clusterAddressProblem(address: string): Problem | undefined {
  if (address === '' || ADDRESS.test(address)) return undefined;
  return {
    problem: 'is not an address',
    received: literal(address),
    allowed: 'a URL or a host, with a port: https://us.example.com:8201 or us.example.com:8201',
    cure: 'correct it, or leave it out',
  };
}

/** Marks a rule as one that servers do not check: they read an address only when they use it. */
function unchecked(rule: Rule): Rule {
  return { ...rule, serverAccepts: true };
}

export const PRIMARY_CLUSTER_ADDR_IS_ADDRESS = unchecked(
  textRule('primary_cluster_addr', 'primary-cluster-addr-is-address', clusterAddressProblem),
);

export const PRIMARY_API_ADDR_IS_ADDRESS = unchecked(
  textRule('primary_api_addr', 'primary-api-addr-is-address', clusterAddressProblem),
);

export const UPDATE_PRIMARY_ADDRS_ARE_ADDRESSES = unchecked(
  fieldsRule(
    ['update_primary_addrs'],
    'update-primary-addrs-are-addresses',
    ({ update_primary_addrs: addresses }) => {
      const problems = (stringSet(addresses) ?? []).map((address) =>
        address === '' ? emptyAddress() : clusterAddressProblem(address),
      );
      return problems.find((problem) => problem !== undefined);
    },
  ),
);

function emptyAddress(): Problem {
  return { problem: 'has an empty address', received: '""', cure: 'remove it' };
}
