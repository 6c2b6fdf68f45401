import type { Told, Way } from "../history/entries.ts";
import { type Answer, ask, failureOf, type Question } from "./ask.ts";

/** Asks one of the servers, by its number, and tells how it went. */
export type AskServer = (
	what: string,
	server: number,
	question: Omit<Question, "url"> & { readonly path: string },
) => Promise<Answer>;

/**
 * `relays` are the addresses of the servers on this way; who asks waits `patience` times as long as the question says.
 * Rejects as `ask` does, after it was told.
 */
export function createAskServer({
	relays,
	patience,
	who,
	way,
	tell,
}: {
	relays: readonly string[];
	patience: number;
	who: string;
	way: Way;
	tell: (told: Told) => void;
}): AskServer {
	return async (what, server, { path, patienceMilliseconds = 10_000, ...question }) => {
		const startedAt = Date.now();
		const end = (outcome: number | string) =>
			tell({ kind: "request", who, what, server, way, startedAt, milliseconds: Date.now() - startedAt, outcome });
		try {
			const answer = await ask({
				...question,
				url: `${relays[server]}${path}`,
				patienceMilliseconds: patienceMilliseconds * patience,
			});
			end(answer.status);
			return answer;
		} catch (error) {
			end(failureOf(error));
			throw error;
		}
	};
}
