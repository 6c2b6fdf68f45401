import { setTimeout as sleep } from "node:timers/promises";
import type { History } from "../../history/history.ts";
import type { Fault } from "../../plan/catalogue.ts";
import { type Answer, codeOf } from "../../processes/ask.ts";
import { archiveOf, lies, outputsOf } from "../../processes/outputs.ts";
import type { AskServer } from "../../processes/told-requests.ts";

type How = Extract<Fault, { readonly kind: "lie" }>["how"];
const mostTries = 8;
const jobMilliseconds = 12_000;

/**
 * Creates a function that takes a job with a valid token and lies about one thing of its outputs. It returns false if
 * it got no job within 12 s.
 */
export function createLyingWorker({
	askServer,
	token,
	history,
	serverCount,
}: {
	askServer: AskServer;
	token: string;
	history: History;
	serverCount: number;
}) {
	const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
	/** Tries at one server after the other and returns the first answer that isn't trouble; null if there is none. */
	const insist = async (
		what: string,
		method: string,
		path: string,
		body: Buffer,
		more: object = {},
	): Promise<Answer | null> => {
		for (let tries = 0; tries < mostTries; tries++) {
			const answer = await askServer(what, tries % serverCount, {
				method,
				path,
				headers: { ...headers, ...more },
				body,
			}).catch(() => null);
			if (answer !== null && answer.status < 500) return answer;
			await sleep(300);
		}
		return null;
	};
	const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
	return async (how: How): Promise<boolean> => {
		let claim: Answer | null = null;
		for (const until = Date.now() + jobMilliseconds; claim?.status !== 200; ) {
			if (Date.now() > until) return false;
			claim = await insist("claim", "POST", "/internal/v1/jobs/claim", json({ worker: "liar", wait_seconds: 2 }));
		}
		const { id, lock, attempt } = JSON.parse(claim.body.toString()) as { id: string; lock: string; attempt: number };
		history.add({ kind: "claimed", video: id, lock, attempt, worker: "liar" });
		const { files, completion } = lies[how](outputsOf(id, lock));
		const put = await insist("outputs", "PUT", `/internal/v1/jobs/${id}/outputs?lock=${lock}`, await archiveOf(files), {
			"content-type": "application/zip",
		});
		const completed =
			put?.status === 204
				? await insist("complete", "POST", `/internal/v1/jobs/${id}/complete`, json({ lock, ...completion }))
				: put;
		history.add({
			kind: "lied",
			video: id,
			lock,
			how,
			told: completed === null ? "nothing" : completed.status === 200 ? "completed" : codeOf(completed),
		});
		const message = "It had nothing better to say.";
		await insist(
			"fail",
			"POST",
			`/internal/v1/jobs/${id}/fail`,
			json({ lock, reason: "storage_error", retryable: true, message }),
		);
		return completed !== null;
	};
}
export type LyingWorker = ReturnType<typeof createLyingWorker>;
