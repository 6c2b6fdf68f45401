import { catalogue, type Fault, type FaultKind } from "./catalogue.ts";
import type { Random } from "./random.ts";

export type Planned = {
	/** The pause after the fault before. */
	readonly afterMilliseconds: number;
	readonly fault: Fault;
	/** Nothing else begins until the service works again, so that the time this takes can be measured. */
	readonly isAlone: boolean;
};

/**
 * After the first round, every third fault belongs to a round, in which each kind comes once. The others come by
 * weight.
 */
const roundEvery = 3;

/**
 * Plans faults without end; the same `random` gives the same plan. The first faults are one of each kind, in random
 * order. After them each kind, however small its weight, comes at least once in every `roundEvery` times as many faults
 * as there are kinds, and then it comes alone.
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
