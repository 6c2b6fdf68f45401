import type { Clock } from "../ports/index.ts";
import { removeProbes } from "../storage/index.ts";
import type { LookAt } from "./look.ts";

const mostProbes = 500;

/**
 * Looks for what round trips left that were cut off. The note that is to remove them may have been lost with a
 * database.
 */
export const createProbesLook =
	({ clock }: { clock: Clock }): LookAt =>
	async (look) => {
		const { outputs } = look.stores;
		const old: string[] = [];
		for await (const { key, modifiedAt } of outputs.survey?.({ prefix: "probe/", after: "" }) ?? []) {
			if (modifiedAt <= look.untouchedSince) old.push(key);
			if (old.length === mostProbes || look.isOver()) break;
		}
		look.saw(0, old.length);
		const remove = async () => {
			await removeProbes(look.stores, clock);
			return true;
		};
		for (const key of old)
			await look.found(
				{ kind: "probe_left", reference: key, message: "An object that a storage was tried with." },
				look.told.removeOrphans ? remove : null,
			);
		return null;
	};
