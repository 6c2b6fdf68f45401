/** The owner of something: `t3` is a tenant, `s1` a sandbox session, `platform` the operator. */
export type Owner = string;
export type Credential = {
	readonly plane: "tenant" | "sandbox" | "service" | "admin" | "upload" | "playback";
	readonly owner: Owner;
	/** `maybe` means that a request of the run may have ended it meanwhile. */
	readonly isSound: "yes" | "no" | "maybe";
};

/**
 * The known ids and secrets, with their owners and those who may see them. It grows with each answer that brings new
 * ones.
 */
export type Registry = {
	readonly credentials: Map<string, Credential>;
	readonly ids: Map<string, Owner>;
	/** Secrets that are shown once, when they are made. No later answer may contain them. */
	readonly secrets: Set<string>;
	/** Videos that stay private as long as the world exists. */
	readonly privates: Set<string>;
	/** The texts that replace placeholders, by owner and name. */
	readonly pools: Map<string, string[]>;
	/** Adds a text to a pool. A pool that would grow without end drops its oldest text. */
	add(owner: Owner | null, name: string, value: string): void;
	pool(owner: Owner | null, name: string): readonly string[] | undefined;
};

const mostInPool = 40;

export function createRegistry(): Registry {
	const pools = new Map<string, string[]>();
	const keyOf = (owner: Owner | null, name: string) => `${owner ?? ""}/${name}`;
	return {
		credentials: new Map(),
		ids: new Map(),
		secrets: new Set(),
		privates: new Set(),
		pools,
		add(owner, name, value) {
			const key = keyOf(owner, name);
			const pool = pools.get(key) ?? [];
			pools.set(key, pool);
			pool.push(value);
			if (pool.length > mostInPool) pool.shift();
		},
		pool: (owner, name) => pools.get(keyOf(owner, name)),
	};
}
