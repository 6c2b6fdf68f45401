import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CreatedVideo } from "@reelmill/contracts";
import pMap from "p-map";
import pRetry from "p-retry";
import { startReferenceServer } from "./reference-server.ts";

const client = fileURLToPath(new URL("./clients/placed-claim.ts", import.meta.url));
const adminKey = "the-admin-key-of-a-benchmark-of-placed-claims";
const account = { name: "placed", secret: "the-secret-of-placed-workers-in-32-characters" };
/** One credential may make 200 requests a minute. */
const [videosOfTenant, atOnce] = [20, 4];
const source = Buffer.from("a source that nobody reads");

/**
 * Places a process for each of so many jobs, four at once: it claims, hands over small outputs and completes, and
 * encodes nothing. Prints whether each job was done once.
 */
export async function placedClaims(jobs = 10_000): Promise<void> {
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-claims-"));
	const server = await startReferenceServer({
		REELMILL_DATA_DIR: join(directory.path, "data"),
		REELMILL_ADMIN_KEY: adminKey,
		REELMILL_EMBEDDED_WORKERS: "0",
		REELMILL_LOG_LEVEL: "warn",
		REELMILL_SERVICE_NAME: account.name,
		REELMILL_SERVICE_SECRET: account.secret,
	});
	try {
		const ask = async <T>(path: string, key: string, body: object, method = "POST"): Promise<T> => {
			const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
			const answer = await fetch(new URL(path, server.url), { method, headers, body: JSON.stringify(body) });
			if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
			return (await answer.json()) as T;
		};
		const tenants = Array.from({ length: Math.ceil(jobs / videosOfTenant) }, (_, index) => index);
		await pMap(
			tenants,
			async (index) => {
				const limits = { max_concurrent_processing: videosOfTenant };
				const domain = { slug: `claims-${index}`, limits };
				const { api_key: key } = await ask<{ api_key: string }>("/admin/v1/domains", adminKey, domain);
				const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: false };
				await ask("/v1/domain/config", key, { renditions: ["h264_720"], outputs }, "PATCH");
				// An upload that the busy disk refuses is made again, of another video.
				const upload = async () => {
					const wish = { content_type: "video/mp4", file_size: source.length };
					const { video, upload: ticket } = await ask<CreatedVideo>("/v1/videos", key, wish);
					const answer = await fetch(ticket.endpoint, {
						method: "POST",
						headers: {
							authorization: `Bearer ${ticket.token}`,
							"tus-resumable": "1.0.0",
							"content-type": "application/offset+octet-stream",
							"upload-length": String(source.length),
							"upload-metadata": `video_id ${Buffer.from(video.id).toString("base64")}`,
						},
						body: source,
					});
					if (!answer.ok) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`);
				};
				for (let left = Math.min(videosOfTenant, jobs - index * videosOfTenant); left > 0; left--) await pRetry(upload);
			},
			{ concurrency: atOnce },
		);
		const { token } = await ask<{ token: string }>("/internal/v1/token", "", account);
		const done: string[] = [];
		let placed = 0;
		const begun = performance.now();
		const lane = async (): Promise<void> => {
			while (done.length < jobs && placed < 2 * jobs) {
				placed++;
				const { stdout } = await promisify(execFile)(process.execPath, [client, server.url, token]);
				if (stdout !== "") done.push(stdout.trim());
			}
		};
		await Promise.all(Array.from({ length: atOnce }, lane));
		const seconds = (performance.now() - begun) / 1000;
		const metrics = await (await fetch(`${server.operations}/metrics`)).text();
		const available = /^reelmill_videos\{state="available"\} (\d+)$/m.exec(metrics)?.[1];
		const once = new Set(done).size;
		console.log(
			`placed-claims  ${jobs} jobs, ${placed} processes: ${available} available, ${jobs - once} lost, ${done.length - once} twice,`,
			`in ${seconds.toFixed(0)} s`,
		);
	} finally {
		await server.stop();
	}
}
