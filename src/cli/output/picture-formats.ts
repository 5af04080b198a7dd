/** The formats in which pictures are printed. */
export const PICTURE_FORMATS = ['svg', 'mermaid'] as const;

export type PictureFormat = (typeof PICTURE_FORMATS)[number];
