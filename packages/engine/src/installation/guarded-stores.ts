import { ReelmillError } from "@reelmill/contracts";
import type { ByteStores } from "../ports/index.ts";
import type { Belonging } from "./belonging.ts";

/**
 * The stores, of which nothing is read or written while they are not the installation's: that is `storage_unavailable`.
 * Another server's bytes are not here, and would be shown as none. Before an upload is created, it is looked anew, as
 * another storage may have become the installation's meanwhile: all else of the upload comes after that.
 */
export function guardStores({ uploads, outputs }: ByteStores, belonging: Belonging): ByteStores {
	const enter = async (isAnew: boolean): Promise<void> => {
		const known = isAnew ? null : belonging.known();
		if (!(known ?? (await belonging.look(isAnew)))) throw new ReelmillError("storage_unavailable");
	};
	return {
		uploads: guarded(uploads, (name) => enter(name === "create")),
		outputs: guarded(outputs, () => enter(false)),
	};
}

/** What is an iteration, of all that the ports have. */
const listings: ReadonlySet<PropertyKey> = new Set(["list", "survey"] satisfies (keyof ByteStores["uploads"] &
	keyof ByteStores["outputs"])[]);

/** Whatever the ports have: all that is a function resolves, but for listings. */
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
