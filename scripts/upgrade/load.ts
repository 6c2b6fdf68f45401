import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, ask } from "../../faults/processes/ask.ts";
import { archiveOf, outputsOf } from "../../faults/processes/outputs.ts";
import type { Server } from "./server.ts";

/** What everybody saw. */
export type Seen = {
	/** How many answers came, by what was asked and the status. */
	readonly answers: Map<string, number>;
	/** What must not happen: an answer of 500 or more, a refusal, a broken connection. */
	readonly faults: string[];
	/** Videos whose last byte was acknowledged, and those whose completion was. */
	readonly uploaded: Set<string>;
	readonly completed: Set<string>;
	played: number;
	/** The slowest answer since this was last set to 0, without claims, in milliseconds. */
	slowest: number;
};
export type Tenant = { readonly apiKey: string };
export type Load = { readonly seen: Seen; finish(): Promise<void> };

const size = 1000;
const json = { "content-type": "application/json" };
/** An upload takes three of the 200 requests that a key has in a minute, with its key to play and the playing. */
const pauseMilliseconds = 900;
/** So many uploads of a tenant run at once at most, so that a slow machine falls no further and further behind. */
const mostAtOnce = 8;

/**
 * Uploads, does the jobs and plays, each request to any of the `servers` of that moment, until `finish`: it begins
 * nothing more, does the jobs that are left, and resolves when each upload is a video that plays.
 */
export function startLoad(
	servers: () => readonly Server[],
	{ tenants, workerToken }: { readonly tenants: readonly Tenant[]; readonly workerToken: string },
): Load {
	const seen: Seen = {
		answers: new Map(),
		faults: [],
		uploaded: new Set(),
		completed: new Set(),
		played: 0,
		slowest: 0,
	};
	let [goesOn, works] = [true, true];

	const request = async (
		what: string,
		wanted: readonly number[],
		question: { method: string; path: string; headers?: Record<string, string>; body?: Uint8Array },
	): Promise<Answer | null> => {
		const all = servers();
		const server = all[Math.floor(Math.random() * all.length)] as Server;
		const began = performance.now();
		try {
			const answer = await ask({ ...question, url: `${server.url}${question.path}`, patienceMilliseconds: 30_000 });
			const key = `${server.name} ${what} ${answer.status}`;
			seen.answers.set(key, (seen.answers.get(key) ?? 0) + 1);
			if (what !== "claim") seen.slowest = Math.max(seen.slowest, performance.now() - began);
			if (wanted.includes(answer.status)) return answer;
			seen.faults.push(`${key}: ${answer.body.toString().slice(0, 200)}`);
		} catch (error) {
			seen.faults.push(`${server.name} ${what}: ${error}`);
		}
		return null;
	};
	const post = (what: string, wanted: readonly number[], path: string, key: string, body: object) =>
		request(what, wanted, {
			method: "POST",
			path,
			headers: { ...json, authorization: `Bearer ${key}` },
			body: Buffer.from(JSON.stringify(body)),
		});
	const parse = <T>(answer: Answer | null): T | null => answer && (JSON.parse(answer.body.toString()) as T);

	const upload = async (tenant: Tenant, uploader_ref: string): Promise<void> => {
		const input = { content_type: "video/mp4", file_size: size, uploader_ref };
		const created = parse<{ video: { id: string }; upload: { token: string } }>(
			await post("initiate", [201], "/v1/videos", tenant.apiKey, input),
		);
		if (created === null) return;
		const { id } = created.video;
		const headers = { "tus-resumable": "1.0.0", authorization: `Bearer ${created.upload.token}` };
		const whole = {
			"upload-length": String(size),
			"upload-metadata": `video_id ${Buffer.from(id).toString("base64")}`,
		};
		const begun = await request("upload", [201], {
			method: "POST",
			path: "/uploads",
			headers: { ...headers, ...whole },
		});
		for (let offset = 0; begun !== null && offset < size; offset += size / 2) {
			const body = Buffer.alloc(size / 2, "v");
			const part = { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
			const path = `/uploads/${id}`;
			if (!(await request("upload", [204], { method: "PATCH", path, headers: { ...headers, ...part }, body }))) return;
		}
		if (begun !== null) seen.uploaded.add(id);
		await play(tenant, id);
	};
	const play = async ({ apiKey }: Tenant, id: string): Promise<void> => {
		const minted = parse<{ playback_key: string }>(
			await post("mint", [201], "/v1/playback-keys", apiKey, { viewer_ref: id, video_ids: [id] }),
		);
		if (minted === null) return;
		while (!seen.completed.has(id)) {
			if (!works) return;
			await sleep(50);
		}
		// Who was there before it was available learns of it within a moment.
		await sleep(2500);
		const headers = { authorization: `Bearer ${minted.playback_key}` };
		const answer = await request("play", [200], { method: "GET", path: `/videos/${id}/web.mp4`, headers });
		if (answer?.body.toString().startsWith(`video ${id} `)) seen.played++;
	};
	const uploading = tenants.map(async (tenant, index) => {
		const running = new Set<Promise<void>>();
		for (let n = 0; goesOn; n++) {
			const one = upload(tenant, `${index}-${n}`).finally(() => running.delete(one));
			running.add(one);
			await sleep(pauseMilliseconds);
			while (running.size >= mostAtOnce) await Promise.race(running);
		}
		await Promise.all(running);
	});

	const work = async (worker: string): Promise<void> => {
		const asked = { worker, wait_seconds: 1 };
		const job = await post("claim", [200, 204], "/internal/v1/jobs/claim", workerToken, asked);
		if (job?.status !== 200) return;
		const { id, lock } = JSON.parse(job.body.toString()) as { id: string; lock: string };
		const path = `/internal/v1/jobs/${id}`;
		const headers = { authorization: `Bearer ${workerToken}` };
		await post("heartbeat", [200], `${path}/heartbeat`, workerToken, { lock, progress: 10 });
		await request("source", [200], { method: "GET", path: `${path}/source`, headers });
		const { files, completion } = outputsOf(id, lock);
		const body = await archiveOf(files);
		const zip = { ...headers, "content-type": "application/zip" };
		await request("outputs", [204], { method: "PUT", path: `${path}/outputs?lock=${lock}`, headers: zip, body });
		if (await post("complete", [200], `${path}/complete`, workerToken, { lock, ...completion })) seen.completed.add(id);
	};
	const working = Array.from({ length: 4 }, async (_, index) => {
		while (works) await work(`worker-${index}`);
	});
	return {
		seen,
		async finish() {
			goesOn = false;
			const given = new AbortController();
			const late = sleep(120_000, undefined, given).then(
				() => (works = false),
				() => undefined,
			);
			await Promise.all(uploading);
			given.abort();
			works = false;
			await Promise.all([...working, late]);
		},
	};
}
