/**
 * Returns `text` written so that Terraform takes it literally, and the framework finds none of its own tokens in it: neither
 * `${TfToken[…]}` nor those of lists, `#{TfToken[…]}`, and maps, `&{TfToken[…]}`.
 */
export function literalForTerraform(text: string): string {
  return text
    .replace(/([$%])\{/g, '$1$1{')
    .replaceAll('$${TfToken[', '${"$"}{TfToken[')
    .replace(/([#&])\{(?=TfToken\[)/g, '$1${"{"}');
}
