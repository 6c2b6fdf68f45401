/**
 * Returns whether the output at `path` belongs to the opening of a video: playlists and tracks of its first seconds,
 * for viewers who began with them before the video was whole. No other output leads to them.
 */
export const isOfOpening = (path: string): boolean => /^(?:hls|media)\/opening_/.test(path);
