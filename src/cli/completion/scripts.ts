/** What can stand in a command line: options and arguments by command, `''` for the program itself. */
export type Words = Readonly<Record<string, readonly string[]>>;

/** The names that the package installs the command under. The second is the package's own: what `npx` may look for outside. */
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
  const cases = commands
    .map((command) => `    ${command}) words="${words[command]?.join(' ')}" ;;\n`)
    .join('');
  return `_vault_admin() {
  local words="${[...commands, ...(words[''] ?? [])].join(' ')}"
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${cases}  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _vault_admin ${NAMES.join(' ')}
`;
}

function fishScript(words: Words): string {
  const commands = commandsOf(words);
  const lines = NAMES.flatMap((name) => [
    `complete -c ${name} -n __fish_use_subcommand -f -a "${commands.join(' ')}"`,
    ...commands.flatMap((command) =>
      (words[command] ?? []).map(
        (word) =>
          `complete -c ${name} -n "__fish_seen_subcommand_from ${command}" ` +
          (word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`),
      ),
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

function commandsOf(words: Words): string[] {
  return Object.keys(words).filter((command) => command !== '');
}
