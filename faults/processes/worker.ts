import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../plan/random.ts";
import { codeOf } from "./ask.ts";
import { type ClaimedJob, doJob } from "./job.ts";
import { setup, tell } from "./parent.ts";
import { createAskServer } from "./told-requests.ts";

export type WorkerSetup = {
	readonly name: string;
	readonly relays: readonly string[];
	readonly patience: number;
	readonly token: string;
	readonly seed: number;
	/** Goes on with a job after the service said that the lock is lost. */
	readonly isStubborn: boolean;
};

/**
 * A worker of the internal plane that encodes nothing: it takes one job after the other, and its outputs name the
 * attempt.
 */
const { name, relays, patience, token, seed, isStubborn } = setup<WorkerSetup>();
const random = createRandom(seed);
const askServer = createAskServer({ relays, patience, who: name, way: "workers", tell });
const headers = { authorization: `Bearer ${token}` };
process.send?.({ ready: true });

while (true) {
	const body = Buffer.from(JSON.stringify({ worker: name, wait_seconds: 2 }));
	const answer = await askServer("claim", random.integer(0, relays.length - 1), {
		method: "POST",
		path: "/internal/v1/jobs/claim",
		headers: { ...headers, "content-type": "application/json" },
		body,
		patienceMilliseconds: 12_000,
	}).catch(() => null);
	if (answer?.status === 200) {
		const job = JSON.parse(answer.body.toString()) as ClaimedJob;
		tell({ kind: "claimed", video: job.id, lock: job.lock, attempt: job.attempt, worker: name });
		await doJob(job, {
			random,
			askServer,
			serverCount: relays.length,
			headers,
			tell,
			sleep: (milliseconds) => sleep(milliseconds),
			isStubborn,
		});
	} else {
		if (answer !== null && answer.status !== 204 && answer.status < 500)
			tell({ kind: "noted", text: `claim was refused: ${answer.status} ${codeOf(answer)}` });
		await sleep(random.integer(20, 300));
	}
}
