import type { Told, Way } from "../history/entries.ts";
import { type Answer, ask, failureOf, type Question } from "./ask.ts";

/** Asks one of the servers, by its number, and reports how it went. */
export type AskServer = (
	what: string,
	server: number,
	question: Omit<Question, "url"> & { readonly path: string },
) => Promise<Answer>;

/**
 * Creates a function that asks servers. `relays` are the servers' addresses on this side. It waits `patience` times as
 * long as the question says. It rejects as `ask` does, after the report.
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
