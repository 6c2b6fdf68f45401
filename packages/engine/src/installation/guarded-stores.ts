import { ReelmillError } from "@reelmill/contracts";
import type { ByteStores } from "../ports/index.ts";
import type { StorageBinding } from "./storage-binding.ts";

/**
 * Returns the stores, guarded: nothing is read or written while they are not the installation's, and every operation
 * rejects with `storage_unavailable`. Another server's bytes are not here, and would be shown as none. It looks again
 * before an upload is created, as another storage may have become the installation's meanwhile. Everything else of the
 * upload comes after that.
 */
export function guardStores({ uploads, outputs }: ByteStores, binding: StorageBinding): ByteStores {
	const enter = async (isAnew: boolean): Promise<void> => {
		const known = isAnew ? null : binding.known();
		if (!(known ?? (await binding.look(isAnew)))) throw new ReelmillError("storage_unavailable");
	};
	return {
		uploads: guarded(uploads, (name) => enter(name === "create")),
		outputs: guarded(outputs, () => enter(false)),
	};
}

/** The ports' operations that are iterations. */
const listings: ReadonlySet<PropertyKey> = new Set(["list", "survey"] satisfies (keyof ByteStores["uploads"] &
	keyof ByteStores["outputs"])[]);

/** Wraps every member of a store: every function resolves, except the listings. */
function guarded<T extends object>(store: T, enter: (name: PropertyKey) => Promise<void>): T {
	const iterate = async function* (list: () => AsyncIterable<unknown>) {
		await enter("list");
		yield* list();
	};
	return new Proxy(store, {
		get(target, name) {
			const member: unknown = Reflect.get(target, name);
			if (typeof member !== "function") return member;
			const call = (given: unknown[]): unknown => Reflect.apply(member, target, given);
			if (listings.has(name)) return (...given: unknown[]) => iterate(() => call(given) as AsyncIterable<unknown>);
			return async (...given: unknown[]) => {
				await enter(name);
				return call(given);
			};
		},
	});
}
