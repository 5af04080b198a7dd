/**
 * The words of a command line, by command: `''` for the program itself, `policy diff` for a command
 * of a command.
 */
export type CompletionWords = Readonly<Record<string, CommandWords>>;

interface CommandWords {
  /** The options, and the choices for arguments. */
  readonly words: readonly string[];
  /** The choices for options that have choices. */
  readonly values: Readonly<Record<string, readonly string[] | typeof CLUSTERS | typeof POLICIES>>;
}

/** Stands for the clusters that the environment describes when a line is completed. */
export const CLUSTERS = 'clusters';

/** Stands for the policies of the stacks in the current folder. */
export const POLICIES = 'policies';

/**
 * The names of the command. The second is also the name of the package, by which `npx` finds the
 * command outside of projects.
 */
const OWN_NAME = 'cdktf-vault-admin';
const NAMES = ['vault-admin', OWN_NAME];

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Returns a script with which a shell completes the words of `vault-admin`, also after `npx`. */
export function completionScript(shell: Shell, words: CompletionWords): string {
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`;
    case 'fish':
      return fishScript(words);
  }
}

function bashScript(words: CompletionWords): string {
  const commands = commandsOf(words);
  const casesOf = (names: readonly string[]) =>
    names
      .map((name) => `    "${name}") words="${words[name]?.words.join(' ')}"${bashValues(words[name])} ;;\n`)
      .join('');
  return `_vault_admin_clusters() {
  compgen -e | sed -n 's/^VAULTADMIN_\\(.*\\)_ADDR$/\\1/p' | tr '[:upper:]' '[:lower:]'
}
_vault_admin_policies() {
  "\${vault_admin[@]}" completion bash --policies 2>/dev/null
}
_vault_admin() {
  local vault_admin=("\${COMP_WORDS[0]}")
  _vault_admin_words
}
_vault_admin_npx() {
  if [ "$COMP_CWORD" -lt 2 ] || [ "\${COMP_WORDS[1]}" != ${OWN_NAME} ]; then COMPREPLY=(); return; fi
  local vault_admin=("\${COMP_WORDS[@]:0:2}")
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  _vault_admin_words
}
_vault_admin_words() {
  local words="${[...new Set([...commands, ...(words['']?.words ?? [])])].join(' ')}"
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${casesOf(commands)}  esac; fi
  if [ "$COMP_CWORD" -gt 2 ]; then case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${casesOf(nestedIn(words))}  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _vault_admin ${NAMES.join(' ')}
complete -o default -F _vault_admin_npx npx
`;
}

/** Returns the lines that complete the values of options. */
function bashValues({ values }: CommandWords = { words: [], values: {} }): string {
  const cases = Object.entries(values).map(
    ([option, choices]) =>
      `${option}) words="${typeof choices === 'string' ? `$(_vault_admin_${choices})` : choices.join(' ')}" ;;`,
  );
  return cases.length === 0 ? '' : `; case "\${COMP_WORDS[COMP_CWORD-1]}" in ${cases.join(' ')} esac`;
}

function fishScript(words: CompletionWords): string {
  const commands = commandsOf(words);
  const behindNpx = `__fish_seen_subcommand_from ${OWN_NAME}`;
  const anyCommand = `not __fish_seen_subcommand_from ${commands.join(' ')}`;
  const starts = [
    ...NAMES.map((name) => ({ call: name, name, isFirst: '__fish_use_subcommand', when: '' })),
    {
      call: `npx ${OWN_NAME}`,
      name: 'npx',
      isFirst: `${behindNpx}; and ${anyCommand}`,
      when: `${behindNpx}; and `,
    },
  ];
  const lines = starts.flatMap(({ call, name, isFirst, when }) => [
    `complete -c ${name} -n "${isFirst}" -f -a "${commands.join(' ')}"`,
    ...commands.flatMap((command) =>
      (words[command]?.words ?? []).map(
        (word) =>
          `complete -c ${name} -n "${when}__fish_seen_subcommand_from ${command}" ` +
          fishWord(call, word, words[command]),
      ),
    ),
    ...nestedIn(words).flatMap((names) => {
      const seen = names.split(' ').map((each) => `__fish_seen_subcommand_from ${each}`);
      return (words[names]?.words ?? []).map(
        (word) =>
          `complete -c ${name} -n "${when}${seen.join('; and ')}" ${fishWord(call, word, words[names])}`,
      );
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

function fishWord(call: string, word: string, { values }: CommandWords = { words: [], values: {} }): string {
  return word.startsWith('--') ? `-l ${word.slice(2)}${fishValues(call, values[word])}` : `-f -a ${word}`;
}

function fishValues(call: string, choices: CommandWords['values'][string] | undefined): string {
  if (choices === undefined) return '';
  const clusters = "(set -nx | string replace -rf '^VAULTADMIN_(.*)_ADDR$' '$1' | string lower)";
  if (choices === POLICIES) return ` -x -a "(${call} completion fish --policies 2>/dev/null)"`;
  return choices === CLUSTERS
    ? ` -x -a "${clusters.replaceAll('$', '\\$')}"`
    : ` -x -a "${choices.join(' ')}"`;
}

function commandsOf(words: CompletionWords): string[] {
  return Object.keys(words).filter((command) => command !== '' && !command.includes(' '));
}

/** Returns the names of nested commands, such as `policy diff`. */
function nestedIn(words: CompletionWords): string[] {
  return Object.keys(words).filter((command) => command.includes(' '));
}
