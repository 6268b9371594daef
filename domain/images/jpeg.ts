/** Options of the JPEGs we make: full colour resolution, since letters have sharp coloured edges. */
export const JPEG = { quality: 90, chromaSubsampling: "4:4:4" } as const;
