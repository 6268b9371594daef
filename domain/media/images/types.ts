/** The image types that Marquee accepts and stores. */

/** Content type → ending of a stored file. */
export const FILE_TYPES = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
} as const;

export type FileType = keyof typeof FILE_TYPES;
