/** Explanations of the findings of `policy lint`. */

interface LintRule {
  readonly id: string;
  /** The meaning of the finding, in one or two sentences. */
  readonly why: string;
  /** A policy with the finding. Absent if no short policy can have it. */
  readonly bad?: string;
  /** The same policy without the finding. */
  readonly good?: string;
}

export const LINT_RULES: readonly LintRule[] = [
  {
    id: 'refused',
    why: 'The server refuses to store the policy, or to use it.',
    bad: rule('secret/data/app', '"raed"'),
    good: rule('secret/data/app', '"read"'),
  },
  {
    id: 'invalid-json',
    why: 'The server reads a policy in JSON without its last braces, with text after it, and with booleans in lists, and ignores what it does not understand. A file that was cut off loses its last rules.',
    bad: '{"path": {"secret/data/app": {"capabilities": ["read"]}}',
    good: '{"path": {"secret/data/app": {"capabilities": ["read"]}}}',
  },
  {
    id: 'no-path',
    why: 'A block without a path applies to the path "path", which hardly any server has.',
    bad: 'path {\n  capabilities = ["read"]\n}\n',
    good: rule('secret/data/app', '"read"'),
  },
  {
    id: 'empty-path',
    why: 'The server removes one slash at the beginning of a path. A path that is empty then, or begins with another slash, belongs to no request.',
    bad: rule('//secret/data/app', '"read"'),
    good: rule('secret/data/app', '"read"'),
  },
  {
    id: 'no-capabilities',
    why: 'A rule without capabilities grants nothing, but still takes precedence over patterns for the same path.',
    bad: rule('secret/data/app', ''),
    good: rule('secret/data/app', '"deny"'),
  },
  {
    id: 'unknown-system-path',
    why: 'The server has no such endpoint, so the rule never applies.',
    bad: rule('sys/mount', '"read"'),
    good: rule('sys/mounts', '"read"'),
  },
  {
    id: 'unknown-template',
    why: 'The server ignores a rule whose template names nothing that it knows.',
    bad: rule('secret/data/{{identity.entity.nmae}}/*', '"read"'),
    good: rule('secret/data/{{identity.entity.name}}/*', '"read"'),
  },
  {
    id: 'literal-template',
    why: 'Templates of the server have two braces. With one, Terraform looks for a value of that name, or the server takes the text literally.',
    bad: rule('secret/data/${identity.entity.name}/*', '"read"'),
    good: rule('secret/data/{{identity.entity.name}}/*', '"read"'),
  },
  {
    id: 'literal-expression',
    why: 'The policy is on a server, or Terraform reads its file with file(), which fills in no expressions. The server compares paths with the expression as it is written.',
  },
  {
    id: 'literal-wildcard',
    why: 'Only a "*" at the end of a path is a wildcard. Elsewhere, "+" stands for one segment.',
    bad: rule('secret/*/app', '"read"'),
    good: rule('secret/+/app', '"read"'),
  },
  {
    id: 'literal-plus',
    why: 'A "+" is a wildcard only if it is a whole segment. Beside letters, it belongs to the name.',
    bad: rule('secret/data/app+/db', '"read"'),
    good: rule('secret/data/+/db', '"read"'),
  },
  {
    id: 'regular-expression',
    why: 'Paths of policies are no regular expressions. "+" stands for one segment, and "*" at the end for any rest.',
    bad: rule('secret/data/(web|app)/*', '"read"'),
    good: rule('secret/data/web/*', '"read"') + rule('secret/data/app/*', '"read"'),
  },
  {
    id: 'api-prefix',
    why: 'Addresses of the HTTP API begin with "v1/". Paths in policies begin with the mount.',
    bad: rule('v1/secret/data/app', '"read"'),
    good: rule('secret/data/app', '"read"'),
  },
  {
    id: 'double-slash',
    why: 'The server removes empty segments from the path of each request, but not from that of a rule.',
    bad: rule('secret/data//app', '"read"'),
    good: rule('secret/data/app', '"read"'),
  },
  {
    id: 'outer-blanks',
    why: 'A blank before or after the path belongs to it, and hardly any path has one.',
    bad: rule('secret/data/app ', '"read"'),
    good: rule('secret/data/app', '"read"'),
  },
  {
    id: 'percent-encoding',
    why: 'Addresses encode some characters of a path. Policies have the path without that.',
    bad: rule('secret/data/my%20app', '"read"'),
    good: rule('secret/data/my app', '"read"'),
  },
  {
    id: 'query-in-path',
    why: 'The query of an address is no part of the path that policies decide on. A request with "?list=true" needs the capability "list".',
    bad: rule('secret/metadata/app?list=true', '"list"'),
    good: rule('secret/metadata/app', '"list"'),
  },
  {
    id: 'sudo-missing',
    why: 'Some endpoints also require the capability "sudo". Without it, the server refuses all requests for them.',
    bad: rule('sys/raw/*', '"read"'),
    good: rule('sys/raw/*', '"read", "sudo"'),
  },
  {
    id: 'kv2-list-on-data',
    why: 'KV version 2 lists the names of secrets below "metadata", and holds their values below "data".',
    bad: rule('secret/data/app/*', '"read", "list"') + rule('secret/metadata/x', '"read"'),
    good: rule('secret/data/app/*', '"read"') + rule('secret/metadata/app/*', '"list"'),
  },
  {
    id: 'kv2-without-data',
    why: 'Paths of KV version 2 have a folder between the mount and the name of the secret: "data", "metadata", "delete", "undelete" or "destroy".',
    bad:
      rule('secret/data/web/*', '"read"') +
      rule('secret/metadata/web/*', '"list"') +
      rule('secret/app', '"read"'),
    good:
      rule('secret/data/web/*', '"read"') +
      rule('secret/metadata/web/*', '"list"') +
      rule('secret/data/app', '"read"'),
  },
  {
    id: 'final-slash',
    why: 'Only requests that list have a path with a slash at its end.',
    bad: rule('secret/data/app/', '"read"'),
    good: rule('secret/data/app/*', '"read"'),
  },
  {
    id: 'read-missing',
    why: 'Some endpoints that return lists are read, so "list" does not permit it.',
    bad: rule('sys/mounts', '"list"'),
    good: rule('sys/mounts', '"read"'),
  },
  {
    id: 'update-missing',
    why: 'Requests that do something are updates, even if they seem to read or to create.',
    bad: rule('sys/wrapping/wrap', '"create"'),
    good: rule('sys/wrapping/wrap', '"update"'),
  },
  {
    id: 'misspelt-endpoint',
    why: 'The published description of the API has no endpoint for the path, but one that differs in a single misspelt name. A server that is newer than the description may have it.',
    bad: rule('auth/token/lokup-self', '"read"'),
    good: rule('auth/token/lookup-self', '"read"'),
  },
  {
    id: 'other-operation',
    why: 'Each operation of an endpoint needs one capability. The rule grants only others, by the published description of the API.',
    bad: rule('sys/policies/acl/app', '"list"'),
    good: rule('sys/policies/acl/app', '"read"'),
  },
  {
    id: 'unknown-parameter',
    why: 'The published description of the API has no such parameter for the endpoint, so that a constraint on it is without effect, and no request meets the requirement of it. A name that is not spelled like a known one may be of a newer server, and is only noted.',
    bad: constrained('auth/token/create', 'denied_parameters = { "polices" = ["root"] }'),
    good: constrained('auth/token/create', 'denied_parameters = { "policies" = ["root"] }'),
  },
  {
    id: 'kv2-flat-parameter',
    why: 'A request that writes a secret of KV version 2 sends it in the parameter "data". The server does not look into it: constraints on the names of the secret itself either refuse all writes, or are without effect.',
    bad: constrained('secret/data/app', 'required_parameters = ["password"]'),
    good: constrained('secret/data/app', 'required_parameters = ["data"]'),
  },
  {
    id: 'literal-parameter',
    why: 'A "*" that is the whole name of a parameter stands for all others. In a longer name, and in required_parameters, it is an ordinary letter.',
    bad: constrained('auth/token/create', 'allowed_parameters = { "token_*" = [] }'),
    good: constrained('auth/token/create', 'allowed_parameters = { "*" = [] }'),
  },
  {
    id: 'unequal-value',
    why: 'The server compares a number of the policy with one of the request that it has not parsed, and they are never equal: an allowed number refuses all requests with the parameter, a denied one none.',
    bad: constrained('auth/token/create', 'allowed_parameters = { "num_uses" = [1] }'),
    good: constrained('auth/token/create', 'allowed_parameters = { "num_uses" = ["1"] }'),
  },
  {
    id: 'required-upper-case',
    why: 'The server writes the names of required_parameters in lower case, but not those of the request. A request with the name as it stands in the policy is refused.',
    bad: constrained('app/config', 'required_parameters = ["Owner"]'),
    good: constrained('app/config', 'required_parameters = ["owner"]'),
  },
  {
    id: 'unused-constraints',
    why: 'The server compares parameters when it creates, reads, updates and patches. A rule without these capabilities has constraints that are never used.',
    bad: 'path "app/config" {\n  capabilities        = ["delete"]\n  required_parameters = ["owner"]\n}\n',
    good: constrained('app/config', 'required_parameters = ["owner"]'),
  },
  {
    id: 'repeated-path',
    why: 'The server merges rules for one path. Readers of the second rule do not see what the first one adds.',
    bad: rule('secret/data/app', '"read"') + rule('secret/data/app', '"update"'),
    good: rule('secret/data/app', '"read", "update"'),
  },
  {
    id: 'everything',
    why: 'The rule applies to all paths: those of policies, tokens and audit devices as well.',
    bad: rule('*', '"read"'),
    good: rule('secret/data/*', '"read"'),
  },
  {
    id: 'open-path',
    why: 'The server answers such requests without a token, so no policy applies to them.',
    bad: rule('sys/health', '"read"'),
    good: rule('sys/mounts', '"read"'),
  },
  {
    id: 'placeholder',
    why: 'The path has a part that was meant to be replaced.',
    bad: rule('secret/data/<team>/*', '"read"'),
    good: rule('secret/data/web/*', '"read"'),
  },
  {
    id: 'denied-beside',
    why: 'If one of the rules for a path denies everything, the others for the same path have no effect. Nor have the other capabilities of a rule that lists "deny".',
    bad: rule('secret/data/app', '"read"') + rule('secret/data/app', '"deny"'),
    good: rule('secret/data/app', '"deny"'),
  },
  {
    id: 'deny-overruled',
    why: 'A rule that denies takes precedence over other rules for the same path only. Where a more specific rule permits requests, and also applies to other paths, the denial is probably meant to hold. An exception that lies within the denied paths is not reported.',
    bad: rule('secret/+/admin', '"deny"') + rule('secret/app/*', '"read"'),
    good: rule('secret/app/admin', '"deny"') + rule('secret/app/*', '"read"'),
  },
  {
    id: 'redundant',
    why: 'Without the rule, other rules of the policy decide on all of its paths, and permit the same. It still takes precedence over rules of other policies that a token has beside this one.',
    bad: rule('secret/data/*', '"read"') + rule('secret/data/app', '"read"'),
    good: rule('secret/data/*', '"read"'),
  },
  {
    id: 'never-decides',
    why: 'For each path, only the most specific rule decides. Other rules are more specific for all paths of this one.',
    bad: rule('secret/+/*', '"read"') + rule('secret/*', '"read"') + rule('secret/', '"list"'),
  },
  {
    id: 'unusable-capability',
    why: 'The parameters or wrapping TTLs that a rule demands cannot occur together, so no request fulfils them.',
    bad: `path "app/config" {
  capabilities        = ["update"]
  required_parameters = ["ttl"]
  denied_parameters   = {
    "ttl" = []
  }
}
`,
    good: `path "app/config" {
  capabilities        = ["update"]
  required_parameters = ["ttl"]
}
`,
  },
  {
    id: 'too-complex',
    why: 'The comparison of rules is limited, so that no policy takes minutes. The findings are those before the limit.',
  },
  {
    id: 'ignore-without-reason',
    why: 'A comment that accepts a finding says why, for those who read it later.',
    bad: `# vault-admin: ignore open-path\n${rule('sys/health', '"read"')}`,
    good: `# vault-admin: ignore open-path: the monitoring has no token\n${rule('sys/health', '"read"')}`,
  },
  {
    id: 'ignore-unknown',
    why: 'There is no finding of this name, so the comment accepts nothing.',
    bad: `# vault-admin: ignore open-paths: the monitoring has no token\n${rule('sys/mounts', '"read"')}`,
    good: rule('sys/mounts', '"read"'),
  },
  {
    id: 'ignore-unused',
    why: 'The rule has no such finding any more. If the finding returned, it would not be reported.',
    bad: `# vault-admin: ignore open-path: the monitoring has no token\n${rule('sys/mounts', '"read"')}`,
    good: rule('sys/mounts', '"read"'),
  },
];

/** Returns the explanation of a finding, as lines. */
export function explanationOf(id: string): readonly string[] {
  const { why = '', bad, good } = LINT_RULES.find((each) => each.id === id) ?? {};
  const example = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`);
  return [
    `${id}: ${why}`,
    ...(bad === undefined ? [] : ['', 'For example:', ...example(bad)]),
    ...(good === undefined ? [] : ['', 'Instead:', ...example(good)]),
  ];
}

function constrained(path: string, constraint: string): string {
  return `path "${path}" {\n  capabilities = ["update"]\n  ${constraint}\n}\n`;
}

function rule(path: string, capabilities: string): string {
  return `path "${path}" {\n  capabilities = [${capabilities}]\n}\n`;
}
