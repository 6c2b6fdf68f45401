import fc from "fast-check";
import type { ApiOperation } from "../api/document.ts";
import type { Case, Step } from "./case.ts";
import { rawKinds } from "./raw.ts";
import { requestsFor } from "./requests.ts";
import { sequences } from "./sequences.ts";

export type Cases = {
	/** Returns case `number` of the seed: the same in every run, whatever came before. */
	at(number: number): Case;
	/**
	 * Searches for the smallest case that still fails, starting with case `number`. Returns the smallest one for which
	 * `fails` resolves to true within the time; null if none fails again.
	 */
	smallest(number: number, fails: (one: Case) => Promise<boolean>, milliseconds: number): Promise<Case | null>;
};

type Kind = { readonly name: string; readonly steps: fc.Arbitrary<Step[]> };

/**
 * Creates the cases of a seed. Twelve of fifteen are one request for an operation, each operation as often as any
 * other; two are raw bytes, one is a sequence.
 */
export function createCases(operations: readonly ApiOperation[], seed: number): Cases {
	const requests: Kind[] = operations.map((operation) => ({
		name: operation.name,
		steps: requestsFor(operation).map((step) => [step]),
	}));
	const arbitraries = new Map([...requests, ...sequences, ...rawKinds].map((kind) => [kind, arbitraryOf(kind)]));
	const kindOf = (number: number): Kind => {
		const [place, round] = [number % 15, Math.floor(number / 15)];
		if (place === 14) return sequences[round % sequences.length] as Kind;
		if (place >= 12) return rawKinds[(2 * round + place) % rawKinds.length] as Kind;
		return requests[(12 * round + place) % requests.length] as Kind;
	};
	const parameters = (number: number) => ({
		seed: mixed(seed, number),
		numRuns: 1,
		unbiased: mixed(number, seed) % 2 === 0,
	});
	const arbitraryAt = (number: number) => arbitraries.get(kindOf(number)) as fc.Arbitrary<Case>;
	return {
		at: (number) => fc.sample(arbitraryAt(number), parameters(number))[0] as Case,
		async smallest(number, fails, milliseconds) {
			const property = fc.asyncProperty(arbitraryAt(number), async (one) => !(await fails(one)));
			const { counterexample } = await fc.check(property, {
				...parameters(number),
				endOnFailure: false,
				interruptAfterTimeLimit: milliseconds,
				markInterruptAsFailure: false,
			});
			return counterexample?.[0] ?? null;
		},
	};
}

const arbitraryOf = ({ name, steps }: Kind): fc.Arbitrary<Case> =>
	fc.record({
		label: fc.constant(name),
		tenant: fc.noBias(fc.noShrink(fc.nat(9999))),
		pick: fc.noBias(fc.noShrink(fc.nat(12))),
		address: fc.noBias(fc.noShrink(fc.nat(9999))),
		steps,
	});

/** Mixes a seed for each case (a round of MurmurHash3's finaliser, by Austin Appleby, over both numbers). */
function mixed(seed: number, number: number): number {
	let hash = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35)) >>> 0;
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) & 0x7fffffff;
}
