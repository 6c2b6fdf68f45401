import { expect } from "vitest";
import { acts } from "./acts.ts";
import type { Fault } from "./failing-database.ts";
import { openWorld } from "./world.ts";

/** Whether a statement changes anything. One that only reads is the same before and after. */
export const writes = (text: string): boolean =>
	/\b(insert into|update|delete from|nextval|reelmill\.(change|choose|create|delete|detach|drop|initiate|make|prove|revoke|rotate|take)_\w+)\b/.test(
		text,
	);

/** A statement may come only now and then. The first sending of each is waited for. */
const mostTries = 10;

/**
 * Runs the act as it is, and then once for each fault in its statements. Whatever failed, the act then comes to the same,
 * and nothing is left over.
 */
export async function failEachOnce(
	name: string,
	{
		isWanted = () => true,
		most = () => 1,
	}: {
		/** Asked once for each text of the act (default: all). */
		readonly isWanted?: (text: string, place: string) => boolean;
		/** How many sendings of one text fail, each in a run of its own (default: 1). */
		readonly most?: (place: string) => number;
	},
): Promise<void> {
	const act = acts[name];
	if (act === undefined) throw new Error(`There is no act "${name}".`);
	const opened = await openWorld();
	const run = async (fault?: Fault) => {
		const world = await opened.begin();
		opened.database.watch(fault);
		const problem = await act(world).catch((error: unknown) => error);
		const sent = new Map(opened.database.sent);
		const came = opened.database.hasFailed();
		const left = await opened.leftOver(world);
		return { sent, came, found: { problem, left, outcome: await opened.outcome(world) } };
	};
	try {
		const usual = await run();
		expect({ name, ...usual.found }).toEqual({ name, problem: undefined, left: {}, outcome: usual.found.outcome });
		// On a slow machine, some are sent now and then because time passes.
		const again = await run();
		for (const [text, { place }] of usual.sent) {
			if (!again.sent.has(text) || !isWanted(text, place)) continue;
			for (const when of writes(text) ? (["before", "after"] as const) : (["before"] as const))
				for (let nth = 0; nth < most(place); nth++) {
					const said = { name, place, text: text.slice(0, 300), nth, when };
					let tried = await run({ text, nth, when });
					for (let tries = 1; nth === 0 && tries < mostTries && !tried.came; tries++)
						tried = await run({ text, nth, when });
					expect({ ...said, came: tried.came || nth > 0, ...tried.found }).toEqual({
						...said,
						came: true,
						...usual.found,
					});
				}
		}
	} finally {
		await opened.close();
	}
}
