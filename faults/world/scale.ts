/** How long things take in a world, in seconds. The times are short, so that a thousand kills fit into minutes. */
export type Windows = { readonly lock: number; readonly pendingUpload: number; readonly sweep: number };

/** How much happens in a world at the same time. */
export type Scale = {
	readonly uploaders: number;
	readonly workers: number;
	readonly transcoders: number;
	readonly windows: Windows;
};
