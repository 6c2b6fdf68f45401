/** Whose something is: `t3` is a tenant, `s1` a sandbox session, `platform` the operator. */
export type Owner = string;
export type Credential = {
	readonly plane: "tenant" | "sandbox" | "service" | "admin" | "upload" | "playback";
	readonly owner: Owner;
	/** `maybe`: a request of the run may have ended it meanwhile. */
	readonly isSound: "yes" | "no" | "maybe";
};

/**
 * What is known of ids and secrets: whose they are, and who may see them. It grows with the answers that bring new
 * ones.
 */
export type Registry = {
	readonly credentials: Map<string, Credential>;
	readonly ids: Map<string, Owner>;
	/** Told once, when they are made; no later answer may hold them. */
	readonly secrets: Set<string>;
	/** Videos that stay private as long as the world is. */
	readonly privates: Set<string>;
	/** Texts that stand in a placeholder's place, by owner and name. */
	readonly pools: Map<string, string[]>;
	/** Adds to a pool; of those that grow without end the oldest goes. */
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
