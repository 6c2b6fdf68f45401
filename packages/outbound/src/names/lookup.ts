/** Returns all addresses of a name. If it has none, rejects or returns an empty list. */
export type Lookup = (name: string) => Promise<readonly string[]>;
