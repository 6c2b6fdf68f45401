import { within } from "./within.ts";

/** Whether a part does what it should. */
export type Probe = () => Promise<boolean>;

const patienceMilliseconds = 2000;

/**
 * True where `ask` resolves within 2 s. One question is under way at a time, and whoever asks meanwhile has its answer,
 * too: a part that hangs holds no more than one question, however often the probe is called.
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
