import { mkdtempDisposable, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createReelmill, type PutPosterInput } from "@reelmill/node";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { footage } from "./media/footage.ts";
import { ffmpeg, load } from "./media/measure.ts";
import { median } from "./median.ts";
import { startReferenceServer } from "./reference-server.ts";
import { cpuSecondsOf } from "./server-process.ts";

const adminKey = "the-admin-key-of-a-benchmark-of-later-operations";
const seconds = 900;

const timeOf = (at: number): string => new Date(at * 1000).toISOString().slice(11, 23);
const cues = Array.from({ length: 1000 }, (_, n) => [
	`${timeOf(n * 0.89)} --> ${timeOf(n * 0.89 + 0.8)}`,
	`This is what is said in sentence ${n}, of the usual length.`,
]);
const captions = ["WEBVTT", ...cues.map((cue) => cue.join("\n"))].join("\n\n");
const chapters = Array.from({ length: 30 }, (_, n) => ({ start_seconds: n * 30, title: `Chapter ${n + 1}` }));

/**
 * Prints what each later operation on a video of 15 minutes takes from the call to its effect, in one rendition of 720p:
 * the seconds, and the CPU seconds of server, transcoder and PostgreSQL with all their programs.
 */
export async function laterOperations(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const [short, source, picture] = ["short.mp4", "source.mp4", "picture.jpg"].map((name) =>
		join(folder.path, name),
	) as [string, string, string];
	const encoder = [
		"-vf",
		"scale=-2:720",
		"-c:v",
		"libx264",
		"-preset",
		"veryfast",
		"-b:v",
		"900k",
		"-maxrate",
		"1200k",
		"-bufsize",
		"2400k",
		"-c:a",
		"aac",
	];
	await ffmpeg("-i", await footage(), "-t", "20", ...encoder, short);
	await ffmpeg("-stream_loop", "-1", "-i", short, "-t", String(seconds - 1), "-c", "copy", source);
	await ffmpeg("-i", short, "-frames:v", "1", picture);
	const bytes = await readFile(source);
	const about = { "content-type": "video/mp4", "content-length": bytes.length };
	const origin = createServer((_, response) => void response.writeHead(200, about).end(bytes));
	await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
	const postgres = await startEmbeddedPostgres({ directory: join(folder.path, "postgres") });
	const server = await startReferenceServer({
		REELMILL_DATA_DIR: join(folder.path, "data"),
		REELMILL_DATABASE_URL: postgres.url,
		REELMILL_ADMIN_KEY: adminKey,
		REELMILL_EMBEDDED_WORKERS: "1",
		// Of confined programs nobody is told what they took.
		REELMILL_CONFINEMENT: "off",
		REELMILL_IMPORT_ALLOW_CIDRS: "127.0.0.0/8",
		REELMILL_LOG_LEVEL: "warn",
	});
	try {
		const answer = await fetch(new URL("/admin/v1/domains", server.url), {
			method: "POST",
			headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
			body: JSON.stringify({ slug: "later-operations" }),
		});
		if (!answer.ok) throw new Error(`the domain of the benchmark was refused: ${await answer.text()}`);
		const { api_key: apiKey } = (await answer.json()) as { api_key: string };
		const reelmill = createReelmill({ baseUrl: server.url, apiKey });
		await reelmill.domain.updateConfig({ renditions: ["h264_720"], max_duration_seconds: seconds });
		const { id } = await reelmill.videos.upload(source);
		const { state } = await reelmill.videos.wait(id);
		if (state !== "available") throw new Error(`the video of the benchmark is ${state}`);
		const poster = async (input: PutPosterInput): Promise<void> => {
			await reelmill.posters.put(id, input);
			while ((await reelmill.posters.get(id)).state === "pending") await wait(50);
		};
		const cpu = (): number => cpuSecondsOf(server.child.pid as number) + cpuSecondsOf(postgres.pid as number);
		const operations: Record<string, () => Promise<unknown>> = {
			[`captions, ${cues.length} cues`]: () => reelmill.captions.put(id, "en", { text: captions }),
			[`chapters, ${chapters.length}`]: () => reelmill.chapters.put(id, chapters),
			"title and values": () => reelmill.videos.setMetadata(id, { title: "A lesson", values: { course: "7" } }),
			"poster of a frame": () => poster({ atSeconds: 450.1 }),
			"poster of a frame, with a moving preview": () => poster({ atSeconds: 450.1, preview: true }),
			"poster of a picture": async () => poster({ picture: new Uint8Array(await readFile(picture)) }),
			"clip of a minute": async () =>
				reelmill.videos.wait((await reelmill.clips.create(id, { start_seconds: 3.1, end_seconds: 63.1 })).video.id),
			"clip of nearly the whole": async () =>
				reelmill.videos.wait((await reelmill.clips.create(id, { start_seconds: 3.1, end_seconds: 895.1 })).video.id),
			[`import of ${(bytes.length / 1e6).toFixed(0)} MB`]: async () => {
				const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/source.mp4`;
				const { id: asked } = await reelmill.imports.create({ url });
				for (;;) {
					const { status, video_id, failure } = await reelmill.imports.get(asked);
					if (status === "done") return reelmill.videos.cancel(video_id as string);
					if (failure !== null) throw new Error(`the import of the benchmark is ${status}: ${failure.message}`);
					await wait(50);
				}
			},
		};
		for (const [name, operation] of Object.entries(operations)) {
			const taken: { wall: number; cpu: number }[] = [];
			for (let round = 0; round < rounds; round += 1) {
				const [started, before] = [performance.now(), cpu()];
				await operation();
				const wall = (performance.now() - started) / 1000;
				await wait(500);
				taken.push({ wall, cpu: cpu() - before });
			}
			const middle = (of: "wall" | "cpu") => median(taken.map((one) => one[of])).toFixed(2);
			console.log(`later-operations: ${name}: ${middle("wall")} s, CPU ${middle("cpu")} s (${load()})`);
		}
	} finally {
		await server.stop();
		await postgres.stop();
		origin.close();
	}
}
