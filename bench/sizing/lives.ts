import { setTimeout as wait } from "node:timers/promises";
import type { CreatedVideo, Job, PlaybackKey } from "@reelmill/contracts";
import pMap from "p-map";
import type { Outputs } from "./outputs.ts";

/** So many videos stay below the limits on what one credential asks in a minute. */
const videosPerTenant = 20;
const atOnce = 8;

type Life = { readonly tenant: string; readonly created: CreatedVideo; key: string };
type Options = {
	readonly url: string;
	readonly adminKey: string;
	/** Gets the webhooks of all. */
	readonly webhook: string;
	readonly videos: number;
	readonly outputs: Outputs;
};

/** Makes tenants and a worker, and returns the steps in the lives of their videos, each for all videos. */
export async function createLives({ url, adminKey, webhook, videos, outputs }: Options) {
	const ask = async (method: string, path: string, key: string, init: RequestInit = {}): Promise<Response> => {
		const headers = { ...(init.headers as Record<string, string>), ...(key && { authorization: `Bearer ${key}` }) };
		const answer = await fetch(new URL(path, url), { ...init, method, headers });
		if (answer.ok) return answer;
		throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
	};
	const call = async <T>(method: string, path: string, key: string, body: object, more = {}): Promise<T> => {
		const headers = { "content-type": "application/json", ...more };
		const answer = await ask(method, path, key, { headers, body: JSON.stringify(body) });
		return (await answer.json()) as T;
	};
	const tenants: string[] = [];
	for (let index = 0; index < videos / videosPerTenant; index++) {
		const { api_key } = await call<{ api_key: string }>("POST", "/admin/v1/domains", adminKey, {
			slug: `sizing-${index}`,
			limits: { max_concurrent_processing: 1000 },
		});
		const config = { webhook_url: webhook, webhook_secret: `whsec_${"s".repeat(40)}` };
		await call("PATCH", "/v1/domain/config", api_key, {
			...config,
			renditions: outputs.made.renditions.map(({ name }) => name),
		});
		tenants.push(api_key);
	}
	const account = { name: "sizing" };
	const { secret } = await call<{ secret: string }>("POST", "/admin/v1/service-accounts", adminKey, account);
	const { token } = await call<{ token: string }>("POST", "/internal/v1/token", "", { ...account, secret });

	const lives: Life[] = [];
	const each = async (step: (life: Life) => Promise<unknown>): Promise<void> => {
		await pMap(lives, step, { concurrency: atOnce });
	};
	const read = async (life: Life, path: string, headers: Record<string, string> = {}): Promise<void> => {
		await (await ask("GET", `/videos/${life.created.video.id}/${path}`, life.key, { headers })).arrayBuffer();
	};
	const attempt = async (): Promise<boolean> => {
		const answer = await ask("POST", "/internal/v1/jobs/claim", token, {
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ worker: "sizing", wait_seconds: 0 }),
		});
		if (answer.status === 204) return false;
		const { id, lock } = (await answer.json()) as Job;
		const path = `/internal/v1/jobs/${id}`;
		await call("POST", `${path}/heartbeat`, token, { lock, progress: 1, probe: outputs.made.media });
		await (await ask("GET", `${path}/source`, token)).arrayBuffer();
		await ask("PUT", `${path}/outputs?lock=${lock}`, token, {
			headers: { "content-type": "application/zip" },
			body: new Uint8Array(outputs.archive),
		});
		const { files, renditions, media, report } = outputs.made;
		await call("POST", `${path}/complete`, token, {
			lock,
			outputs: { files, renditions },
			media: { ...media, transcript_status: "disabled", language: null },
			report,
		});
		return true;
	};

	return {
		async initiate(): Promise<void> {
			for (let index = 0; index < videos; index++) {
				const tenant = tenants[index % tenants.length] as string;
				const asked = {
					content_type: "video/mp4",
					file_size: outputs.source.length,
					uploader_ref: `uploader-${index}`,
					external_ref: `lesson-${index}-of-a-course`,
				};
				const once = { "idempotency-key": `the-key-of-creation-${index}` };
				const created = await call<CreatedVideo>("POST", "/v1/videos", tenant, asked, once);
				lives.push({ tenant, created, key: "" });
			}
		},
		upload: () =>
			each(({ created: { video, upload } }) =>
				ask("POST", upload.endpoint, upload.token, {
					headers: {
						"tus-resumable": "1.0.0",
						"content-type": "application/offset+octet-stream",
						"upload-length": String(outputs.source.length),
						"upload-metadata": `video_id ${Buffer.from(video.id).toString("base64")}`,
					},
					body: new Uint8Array(outputs.source),
				}),
			),
		async work(): Promise<void> {
			let done = 0;
			const worker = async () => {
				while (done < videos)
					if (await attempt()) done++;
					else await wait(100);
			};
			await Promise.all(Array.from({ length: atOnce }, worker));
		},
		play: () =>
			each(async (life) => {
				const { id } = life.created.video;
				const asked = { viewer_ref: `viewer-of-${id}`, video_ids: [id] };
				life.key = (await call<PlaybackKey>("POST", "/v1/playback-keys", life.tenant, asked)).playback_key;
				await read(life, "hls/master.m3u8");
				for (const file of outputs.made.files.filter((path) => /^hls\/(?!master).*\.m3u8$/.test(path)).slice(0, 2))
					await read(life, file);
			}),
		watch: () =>
			each(async (life) => {
				const tracks = outputs.made.files.filter((path) => /^media\/h264_/.test(path)).slice(0, 2);
				for (const file of tracks) {
					await read(life, file, { range: "bytes=0-1999" });
					for (const at of [2000, 102_000]) await read(life, file, { range: `bytes=${at}-${at + 99_999}` });
				}
			}),
		get: () => each(({ tenant, created }) => ask("GET", `/v1/videos/${created.video.id}`, tenant)),
	};
}
