import { catalogue, type Fault, type FaultKind } from "./catalogue.ts";
import type { Random } from "./random.ts";

export type Planned = {
	/** After the one before. */
	readonly afterMilliseconds: number;
	readonly fault: Fault;
	/** Whether nothing else is begun until the service works again: how soon that is can be measured then. */
	readonly isAlone: boolean;
};

/**
 * After the first round, one fault in so many is of a round, in which each kind comes once; the others come as often as
 * they weigh.
 */
const roundEvery = 3;

/**
 * What is done, and when, for ever: the same for the same chance. The first faults are of each of `kinds` once, in an
 * order of chance. Later each kind comes at least once in every `roundEvery` times as many faults as there are kinds,
 * however little it weighs, and does so alone.
 */
export function* planFaults(
	random: Random,
	{ meanMilliseconds, kinds }: { meanMilliseconds: number; kinds: readonly [FaultKind, ...FaultKind[]] },
): Generator<Planned, never> {
	const total = kinds.reduce((sum, kind) => sum + catalogue[kind].weight, 0);
	let round = [...kinds];
	for (let count = 0; ; count++) {
		if (round.length === 0) round = [...kinds];
		const isOfRound = count < kinds.length || count % roundEvery === 0;
		const kind = isOfRound
			? round.splice(random.integer(0, round.length - 1), 1)[0]
			: byWeight(kinds, random.fraction() * total);
		const fault = drawFault(kind ?? kinds[0], random);
		yield {
			afterMilliseconds: Math.round(meanMilliseconds * (0.1 + 1.8 * random.fraction())),
			fault,
			isAlone: isOfRound && count >= kinds.length,
		};
	}
}

function byWeight(kinds: readonly FaultKind[], at: number): FaultKind | undefined {
	let left = at;
	return kinds.find((kind) => {
		left -= catalogue[kind].weight;
		return left < 0;
	});
}

function drawFault(kind: FaultKind, random: Random): Fault {
	const draw: Record<string, (random: Random) => number | string> = catalogue[kind].draw;
	return { kind, ...Object.fromEntries(Object.entries(draw).map(([name, from]) => [name, from(random)])) } as Fault;
}
