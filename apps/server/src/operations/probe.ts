import { within } from "./within.ts";

/** Resolves to whether a part of the server works. Never rejects. */
export type Probe = () => Promise<boolean>;

const patienceMilliseconds = 2000;

/**
 * Creates a probe that is true if `ask` resolves within 2 s. Calls that come while `ask` runs share its result, so a
 * part that hangs never has more than one question.
 */
export function createProbe(ask: () => Promise<unknown>): Probe {
	let asked: Promise<unknown> | undefined;
	return async () => {
		asked ??= ask().finally(() => {
			asked = undefined;
		});
		return (
			(await within(
				asked.then(() => true),
				patienceMilliseconds,
			)) === true
		);
	};
}
