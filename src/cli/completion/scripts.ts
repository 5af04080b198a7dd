/**
 * The words of a command line, by command: `''` for the program itself, `policy diff` for a command
 * of a command.
 */
export type Words = Readonly<Record<string, CommandWords>>;

interface CommandWords {
  /** Options, and arguments with certain values. */
  readonly words: readonly string[];
  /** The values of options that have certain ones. */
  readonly values: Readonly<Record<string, readonly string[] | typeof CLUSTERS | typeof POLICIES>>;
}

/** The clusters that the environment describes when a line is completed. */
export const CLUSTERS = 'clusters';

/** The policies of the stacks in the current folder. */
export const POLICIES = 'policies';

/**
 * The names that the package installs the command under. The second is the package's own: what
 * `npx` may look for outside.
 */
const NAMES = ['vault-admin', 'cdktf-vault-admin'];

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that makes a shell complete the words of `vault-admin`. */
export function completionScript(shell: Shell, words: Words): string {
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`;
    case 'fish':
      return fishScript(words);
  }
}

function bashScript(words: Words): string {
  const commands = commandsOf(words);
  const casesOf = (names: readonly string[]) =>
    names
      .map((name) => `    "${name}") words="${words[name]?.words.join(' ')}"${bashValues(words[name])} ;;\n`)
      .join('');
  return `_vault_admin_clusters() {
  compgen -e | sed -n 's/^VAULTADMIN_\\(.*\\)_ADDR$/\\1/p' | tr '[:upper:]' '[:lower:]'
}
_vault_admin_policies() {
  "\${COMP_WORDS[0]}" completion bash --policies 2>/dev/null
}
_vault_admin() {
  local words="${[...new Set([...commands, ...(words['']?.words ?? [])])].join(' ')}"
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${casesOf(commands)}  esac; fi
  if [ "$COMP_CWORD" -gt 2 ]; then case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${casesOf(nestedIn(words))}  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _vault_admin ${NAMES.join(' ')}
`;
}

/** Sets the words after an option that has certain values. */
function bashValues({ values }: CommandWords = { words: [], values: {} }): string {
  const cases = Object.entries(values).map(
    ([option, choices]) =>
      `${option}) words="${typeof choices === 'string' ? `$(_vault_admin_${choices})` : choices.join(' ')}" ;;`,
  );
  return cases.length === 0 ? '' : `; case "\${COMP_WORDS[COMP_CWORD-1]}" in ${cases.join(' ')} esac`;
}

function fishScript(words: Words): string {
  const commands = commandsOf(words);
  const lines = NAMES.flatMap((name) => [
    `complete -c ${name} -n __fish_use_subcommand -f -a "${commands.join(' ')}"`,
    ...commands.flatMap((command) =>
      (words[command]?.words ?? []).map(
        (word) =>
          `complete -c ${name} -n "__fish_seen_subcommand_from ${command}" ` +
          fishWord(name, word, words[command]),
      ),
    ),
    ...nestedIn(words).flatMap((names) => {
      const seen = names.split(' ').map((each) => `__fish_seen_subcommand_from ${each}`);
      return (words[names]?.words ?? []).map(
        (word) => `complete -c ${name} -n "${seen.join('; and ')}" ${fishWord(name, word, words[names])}`,
      );
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

function fishWord(name: string, word: string, { values }: CommandWords = { words: [], values: {} }): string {
  return word.startsWith('--') ? `-l ${word.slice(2)}${fishValues(name, values[word])}` : `-f -a ${word}`;
}

function fishValues(name: string, choices: CommandWords['values'][string] | undefined): string {
  if (choices === undefined) return '';
  const clusters = "(set -nx | string replace -rf '^VAULTADMIN_(.*)_ADDR$' '$1' | string lower)";
  if (choices === POLICIES) return ` -x -a "(${name} completion fish --policies 2>/dev/null)"`;
  return choices === CLUSTERS
    ? ` -x -a "${clusters.replaceAll('$', '\\$')}"`
    : ` -x -a "${choices.join(' ')}"`;
}

function commandsOf(words: Words): string[] {
  return Object.keys(words).filter((command) => command !== '' && !command.includes(' '));
}

/** The commands of commands: `policy diff`. */
function nestedIn(words: Words): string[] {
  return Object.keys(words).filter((command) => command.includes(' '));
}
