/**
 * Returns `text` written so that Terraform takes it literally, and the framework finds no tokens in
 * it: `${TfToken[…]}`, `#{TfToken[…]}` for lists, or `&{TfToken[…]}` for maps.
 */
export function literalForTerraform(text: string): string {
  return text.replace(SPECIAL, (found: string, dollars?: string, sign?: string) => {
    // All dollar signs are replaced, because one that stays before `${` would escape it.
    if (dollars !== undefined) return `\${"${dollars}"}{`;
    if (sign !== undefined) return `${sign}\${"{"}`;
    return found.charAt(0) + found;
  });
}

/** The beginnings of the framework's tokens, and of Terraform's expressions and directives. */
const SPECIAL = /(?<!\$)(\$+)\{(?=TfToken\[)|([#&])\{(?=TfToken\[)|[$%]\{/g;
