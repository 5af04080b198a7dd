import { pageAsset, PAGE_HEADERS } from '../../view/page/assets';
import { type Answer, errorAnswer } from '../core/request/answer';

const PREFIX = '/emulator/';
/** The control API, which the page uses. */
const API = `${PREFIX}v1/`;

/**
 * Serves the page that shows the clusters. It needs no token, since its files do not contain data
 * of the clusters. @returns `undefined` for other paths.
 */
export function pageAnswer(method: string, url: string): Answer | undefined {
  const path = url.replace(/\?.*$/s, '');
  if (path === '/emulator') return { status: 307, body: '', contentType: '', headers: { Location: PREFIX } };
  if (!path.startsWith(PREFIX) || path.startsWith(API)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return errorAnswer(405);
  const asset = pageAsset('emulator', path.slice(PREFIX.length));
  if (asset === undefined) return errorAnswer(404);
  return { status: 200, body: asset.content, contentType: asset.contentType, headers: PAGE_HEADERS };
}
