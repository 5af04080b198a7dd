import { mermaidOf } from '../../view/picture/mermaid';
import type { Picture } from '../../view/picture/picture';
import { svgOf } from '../../view/picture/svg';
import type { PictureFormat } from './picture-formats';
import { printContent, type Output } from './print';

/**
 * Prints a picture. Secrets must be hidden before: the lines of a picture break texts, in which
 * secrets would no longer be found.
 */
export function printPicture(output: Output, picture: Picture, format: PictureFormat): void {
  printContent(output, format === 'svg' ? svgOf(picture) : mermaidOf(picture));
}
