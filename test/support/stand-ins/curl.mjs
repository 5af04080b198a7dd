/** A replacement for curl, with the options that our pages and pipelines use. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const {
  values: { fail, header, request, data },
  positionals: [url],
} = parseArgs({
  options: {
    fail: { type: 'boolean', short: 'f', default: false },
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    request: { type: 'string', short: 'X' },
    data: { type: 'string', short: 'd' },
  },
  allowPositionals: true,
});
const response = await globalThis.fetch(url, {
  method: request ?? (data === undefined ? 'GET' : 'POST'),
  headers: header.map((line) => given(line).trim().split(/:\s*/, 2)),
  body: given(data),
});
process.stdout.write(await response.text());
if (fail && !response.ok) {
  console.error(`curl: (22) The requested URL returned error: ${response.status}`);
  process.exitCode = 22;
}

/** Returns the value of an option. `@-` stands for the text from stdin. */
function given(value) {
  return value === '@-' ? readFileSync(0, 'utf8') : value;
}
