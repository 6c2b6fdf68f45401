import type { Told } from "../history/entries.ts";
import type { Random } from "../plan/random.ts";
import { type Answer, ask, codeOf } from "./ask.ts";
import { sha256Of } from "./content.ts";
import { archiveOf, type Completion, outputsOf } from "./outputs.ts";
import type { AskServer } from "./told-requests.ts";

export type ClaimedJob = { readonly id: string; readonly lock: string; readonly attempt: number };
type Context = {
	readonly random: Random;
	readonly askServer: AskServer;
	readonly serverCount: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly tell: (told: Told) => void;
	readonly sleep: (milliseconds: number) => Promise<unknown>;
	readonly isStubborn: boolean;
};

const json = { "content-type": "application/json" };
/** The service says that the lock is lost. */
const lost = (answer: Answer): boolean =>
	["not_lock_holder", "invalid_video_state", "video_not_found"].includes(codeOf(answer));
/** How often one request is tried. After that the worker gives the job up as a killed worker would. */
const mostTries = 12;

/** Does one job and reports what it saw. Never rejects. */
export async function doJob({ id, lock }: ClaimedJob, context: Context): Promise<void> {
	const { random, askServer, serverCount, headers, tell, sleep, isStubborn } = context;
	const any = () => random.integer(0, serverCount - 1);
	const done = { value: false };
	let gone = false;
	const drop = (code: string) => {
		gone = true;
		done.value = true;
		tell({ kind: "dropped", video: id, lock, code });
	};
	const post = (what: string, path: string, body: object) =>
		askServer(what, any(), {
			method: "POST",
			path: `/internal/v1/jobs/${id}/${path}`,
			headers: { ...headers, ...json },
			body: Buffer.from(JSON.stringify(body)),
		});
	/** Returns the answer after some attempts; null if the job is to be given up. */
	const insist = async (send: () => Promise<Answer>): Promise<{ answer: Answer; tries: number } | null> => {
		for (let tries = 1; tries <= mostTries && (!gone || isStubborn); tries++) {
			const answer = await send().catch(() => null);
			if (answer !== null && answer.status < 500) return { answer, tries };
			await sleep(random.integer(50, 600));
		}
		if (!gone) drop("gave up");
		return null;
	};
	const beat = async () => {
		for (let progress = 0; !done.value; progress = Math.min(99, progress + 7)) {
			const answer = await post("heartbeat", "heartbeat", { lock, progress }).catch(() => null);
			if (answer && lost(answer) && !done.value) return drop(codeOf(answer));
			await sleep(700);
		}
	};
	const beating = beat();
	try {
		await work();
	} finally {
		done.value = true;
		await beating;
	}

	async function work(): Promise<void> {
		const source = await insist(() => fetchSource());
		if (source === null || (gone && !isStubborn)) return;
		if (source.answer.status !== 200) return drop(codeOf(source.answer));
		tell({ kind: "fetched", video: id, lock, sha256: sha256Of(source.answer.body) });
		await sleep(random.integer(50, 2500));
		if (random.chance(0.04)) return giveUp(random.chance(0.6));
		const { files, completion } = outputsOf(id, lock);
		const archive = await archiveOf(files);
		const put = await insist(() =>
			askServer("outputs", any(), {
				method: "PUT",
				path: `/internal/v1/jobs/${id}/outputs?lock=${lock}`,
				headers: { ...headers, "content-type": "application/zip" },
				body: archive,
				pieces: { bytes: Math.ceil(archive.length / random.integer(1, 4)), pauseMilliseconds: random.integer(0, 60) },
			}),
		);
		if (put === null) return;
		if (put.answer.status !== 204 && !isStubborn) return drop(codeOf(put.answer));
		await complete(completion);
	}

	async function complete(completion: Completion): Promise<void> {
		const completed = await insist(() => post("complete", "complete", { lock, ...completion }));
		if (completed === null) return;
		const { answer } = completed;
		if (answer.status === 200) tell({ kind: "completed", video: id, lock });
		else drop(codeOf(answer));
		done.value = true;
	}

	async function giveUp(retryable: boolean): Promise<void> {
		const failed = await insist(() =>
			post("fail", "fail", { lock, reason: "storage_error", retryable, message: "as chance would have it" }),
		);
		if (failed?.answer.status === 200) tell({ kind: "failed", video: id, lock, retryable });
		else if (failed) drop(codeOf(failed.answer));
		done.value = true;
	}

	async function fetchSource(): Promise<Answer> {
		const answer = await askServer("source", any(), { method: "GET", path: `/internal/v1/jobs/${id}/source`, headers });
		return answer.status === 302 ? fromBucket(answer.headers["location"] ?? "") : answer;
	}
}

/** A bucket's refusal is not the service's: it counts as trouble. */
async function fromBucket(url: string): Promise<Answer> {
	const answer = await ask({ url, method: "GET" });
	if (answer.status >= 400) throw new Error(`The bucket answered ${answer.status}.`);
	return answer;
}
