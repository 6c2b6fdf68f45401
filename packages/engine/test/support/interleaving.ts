/** Lets the calls of one party through, one at a time. */
export type Gate = { pass<T>(name: string, call: () => Promise<T>): Promise<T> };
export type Party = (gate: Gate) => Promise<unknown>;

export type Turn = {
	readonly party: number;
	readonly name: string;
	/** Who stood, the one that went last first. */
	readonly standing: number;
	readonly chosen: number;
	/** Another one went although the last one could have gone on. */
	readonly isBreak: boolean;
};
export type Ran = { readonly turns: readonly Turn[]; readonly results: readonly PromiseSettledResult<unknown>[] };

/**
 * Runs the parties together. Each stands still before every call that passes its gate; one of those that stand is
 * chosen, and its call is over before anybody goes on.
 */
export async function interleave(parties: readonly Party[], choices: readonly number[]): Promise<Ran> {
	const standing = new Map<number, { readonly name: string; go(): Promise<void> }>();
	let running = parties.length;
	let onStill: () => void = () => undefined;
	const stand = () => {
		running--;
		if (running === 0) onStill();
	};
	const gateOf = (party: number): Gate => ({
		pass: (name, call) =>
			new Promise((resolve, reject) => {
				if (standing.has(party)) throw new Error(`${name} comes while another call of its party stands`);
				const go = async () => {
					running++;
					await call().then(resolve, reject);
				};
				standing.set(party, { name, go });
				stand();
			}),
	});
	const results = Promise.allSettled(parties.map((party, index) => party(gateOf(index)).finally(stand)));
	const turns: Turn[] = [];
	while (true) {
		if (running > 0) await new Promise<void>((resolve) => (onStill = resolve));
		const last = turns.at(-1)?.party;
		const able = [...standing.keys()].sort((a, b) => Number(b === last) - Number(a === last) || a - b);
		const chosen = choices[turns.length] ?? 0;
		const party = able[chosen];
		if (party === undefined) break;
		const call = standing.get(party);
		standing.delete(party);
		turns.push({
			party,
			name: call?.name ?? "",
			standing: able.length,
			chosen,
			isBreak: chosen > 0 && able[0] === last,
		});
		await call?.go();
	}
	return { turns, results: await results };
}

/**
 * Does `run` with every order there is in which the parties break in upon each other at most `breaks` times, and
 * answers how many.
 */
export async function everyOrder(breaks: number, run: (choices: readonly number[]) => Promise<Ran>): Promise<number> {
	let choices: number[] | null = [];
	let count = 0;
	while (choices !== null) {
		const { turns } = await run(choices);
		count++;
		choices = nextChoices(turns, breaks);
	}
	return count;
}

/** Depth first: the last turn at which another could still go decides otherwise, and what follows is open again. */
function nextChoices(turns: readonly Turn[], breaks: number): number[] | null {
	for (let turn = turns.length - 1; turn >= 0; turn--) {
		const { chosen, standing } = turns[turn] as Turn;
		const before = turns.slice(0, turn);
		const couldGoOn = turn > 0 && standing > 1 && isStillStanding(turns, turn);
		const spent = before.filter(({ isBreak }) => isBreak).length + (couldGoOn ? 1 : 0);
		if (chosen + 1 < standing && spent <= breaks) return [...before.map((one) => one.chosen), chosen + 1];
	}
	return null;
}

/** Whether the party of the turn before stood at this turn: it goes again at this one or later. */
const isStillStanding = (turns: readonly Turn[], turn: number): boolean =>
	turns.slice(turn).some(({ party }) => party === turns[turn - 1]?.party);
