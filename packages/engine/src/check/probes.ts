import type { Clock } from "../ports/index.ts";
import { removeProbes } from "../storage/index.ts";
import type { Inspect } from "./inspection.ts";

const mostProbes = 500;

/** Looks for what interrupted round trips left. The note that is to remove it may have been lost with a database. */
export const createProbesInspection =
	({ clock }: { clock: Clock }): Inspect =>
	async (inspection) => {
		const { outputs } = inspection.stores;
		const old: string[] = [];
		for await (const { key, modifiedAt } of outputs.survey?.({ prefix: "probe/", after: "" }) ?? []) {
			if (!inspection.isTooYoung([modifiedAt])) old.push(key);
			if (old.length === mostProbes || inspection.isOver()) break;
		}
		inspection.saw(0, old.length);
		const remove = async () => {
			await removeProbes(inspection.stores, clock);
			return true;
		};
		for (const key of old)
			await inspection.found(
				{ kind: "probe_left", reference: key, message: "An object that a storage was tried with." },
				inspection.requested.removeOrphans ? remove : null,
			);
		return null;
	};
