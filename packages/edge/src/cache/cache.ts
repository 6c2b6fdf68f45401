/** What is kept under one key: something about it, and maybe bytes. Neither may be changed afterwards. */
export type Kept = { readonly about: string; readonly bytes: Uint8Array };

/**
 * Where an edge keeps what the service answered. It may forget anything at any time. An adapter must not give out an
 * entry after its seconds have passed, nor one of another key.
 */
export type EdgeCache = {
	/** Returns what was last kept under this key; undefined if there is nothing. Keys are up to 2,000 characters of ASCII. */
	get(key: string): Promise<Kept | undefined>;
	/** Keeps this for at most so many seconds, in the place of what was there. May reject; then nothing is kept. */
	set(key: string, kept: Kept, seconds: number): Promise<void>;
};
