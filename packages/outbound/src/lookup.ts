/** All addresses of a name. Rejects, or answers none, when it has none. */
export type Lookup = (name: string) => Promise<readonly string[]>;
