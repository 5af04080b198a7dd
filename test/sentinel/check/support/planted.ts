import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const example = (name: string) =>
  readFileSync(join(__dirname, '../../../../examples/sentinel/policies', `${name}.sentinel`), 'utf8');

/** Policies without a mistake. */
export const POLICIES = {
  hours: example('business-hours'),
  network: example('office-network'),
  teams: `# Writers of secrets belong to a team, and come from an alias of the company.

import "strings"
import "time"

allowed_types = ["oidc", "jwt"]

is_write = rule { request.operation in ["create", "update", "patch"] }

of_company = rule {
	any identity.entity.aliases as alias {
		alias.mount_type in allowed_types and alias.name matches "^[a-z]+\\\\.[a-z]+@example\\\\.com$"
	}
}

in_team = rule { identity.groups.by_name["writers"].metadata.team is not empty }

is_young = rule {
	time.now.before(time.load(token.creation_time).add(12 * time.hour)) and token.num_uses is 0
}

main = rule when is_write and strings.has_prefix(request.path, "secret/") {
	of_company and in_team and is_young and token.type is "service"
}
`,
  keys: `# Names and periods of keys.

import "types"

max_days = 90

name_ok = func(name) {
	if name not matches "^(prod|test)-[a-z0-9]{1,40}$" {
		return false
	}
	return true
}

days_ok = rule { types.type_of(request.data.days) is "int" and request.data.days <= max_days }

by_owner = rule { identity.entity.name in ["root", "ops"] or mfa.methods.duo.valid }

quiet = rule { not request.policy_override and namespace.path is "prod/" }

main = rule { name_ok(request.data.name else "") and days_ok and by_owner and quiet }
`,
} as const;

/** A policy, a text in it, and the text that replaces it. */
export type Planted = readonly [policy: keyof typeof POLICIES, from: string, to: string];

export function planted([policy, from, to]: Planted): string {
  const text = POLICIES[policy];
  if (text.split(from).length !== 2) throw new Error(`${JSON.stringify(from)} is not once in ${policy}`);
  return text.replace(from, () => to);
}
