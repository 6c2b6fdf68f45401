import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine, type Engine } from "@reelmill/engine";
import { createRecordingLogger, playlistOf } from "@reelmill/engine/testing";
import { createPostgresDatabase } from "@reelmill/postgres";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { processEnvironment } from "./process-environment.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export type RunningProcess = {
	readonly child: ChildProcess;
	readonly url: string;
	/** The address of /ready and /metrics. */
	readonly operations: string;
	readonly auth: { readonly authorization: string };
	/** What it said at its start, for whoever started it. */
	welcome(): string;
	/** The lines that it logged. */
	log(): { readonly msg: string; readonly unavailable?: string }[];
	/** All that it said on standard error. */
	complaints(): string;
	/** Resolves with the exit code. */
	readonly ended: Promise<number | null>;
};

/**
 * Starts the reference server as a process without embedded workers, in `directory` and on the database at
 * `databaseUrl`. `openFiles` limits its open files; `more` is added to its environment. Resolves once it is ready.
 */
export async function runServer(
	directory: string,
	databaseUrl: string,
	settings: Record<string, string> = {},
	openFiles: number | "any" = "any",
	more: Readonly<Record<string, string>> = {},
): Promise<RunningProcess> {
	const all = {
		PORT: "0",
		OPS_PORT: "0",
		EMBEDDED_WORKERS: "0",
		DATA_DIR: directory,
		DATABASE_URL: databaseUrl,
		...settings,
	};
	const environment = Object.fromEntries(Object.entries(all).map(([name, value]) => [`REELMILL_${name}`, value]));
	const limited = `${openFiles === "any" ? "" : `ulimit -n ${openFiles} && `}exec "$0" "$@"`;
	const child = spawn("sh", ["-c", limited, process.execPath, main], {
		env: { ...processEnvironment, ...environment, ...more },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const ended = once(child, "exit").then(([code]) => code as number | null);
	/** Comes after all that the process said. */
	const closed = once(child, "close");
	let [said, complaints] = ["", ""];
	child.stderr.on("data", (text: Buffer) => {
		complaints += text;
	});
	child.stdout.on("data", (text: Buffer) => {
		said += text;
	});
	while (!said.includes("Reelmill is ready.")) {
		if (child.exitCode !== null) {
			await closed;
			throw new Error(`the server ended with ${child.exitCode}: ${complaints}`);
		}
		await Promise.race([once(child.stdout, "data"), ended]);
	}
	const found = (pattern: RegExp): string => pattern.exec(said)?.[1] ?? "";
	return {
		child,
		url: found(/(http:\S+)\/v1\/health/),
		operations: `http://127.0.0.1:${found(/Operations +port (\d+)/)}`,
		auth: { authorization: `Bearer ${(await readFile(join(directory, "tenant.key"), "utf8")).trim()}` },
		welcome: () => said,
		log: () => complaints.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
		complaints: () => complaints,
		ended,
	};
}

/** Resolves to what `work` does with an engine of its own on the directory and the database of running servers. */
export async function withEngine<T>(
	directory: string,
	databaseUrl: string,
	work: (engine: Engine) => Promise<T>,
): Promise<T> {
	const database = createPostgresDatabase({ url: databaseUrl });
	try {
		const engine = createEngine({
			database,
			uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
			outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
			webhookTransport: {
				send: async () => ({ status: 200, error: null }),
				refusal: () => null,
				close: async () => undefined,
			},
			logger: createRecordingLogger(),
			masterKey: Buffer.from(await readFile(join(directory, "master.key"), "utf8"), "base64"),
			baseUrl: "http://127.0.0.1",
		});
		return await work(engine);
	} finally {
		await database.close();
	}
}

/** Creates a public video that plays, where a running server finds it. `webMp4` is its web.mp4. Resolves to its id. */
export const publish = (directory: string, databaseUrl: string, webMp4: Uint8Array): Promise<string> =>
	withEngine(directory, databaseUrl, async (engine) => {
		const { api_key } = await engine.domains.create({ slug: "publisher" });
		return finish(engine, api_key, "public", webMp4);
	});

/** Creates a video of the key's domain that plays. Resolves to its id. */
export async function finish(
	{ keys, videos, uploads, jobs }: Engine,
	apiKey: string,
	visibility: "public" | "private",
	webMp4: Uint8Array,
): Promise<string> {
	const bytes = async function* (content: Uint8Array) {
		yield content;
	};
	const { video, upload } = await videos.create(await keys.authenticate(`Bearer ${apiKey}`), {
		content_type: "video/mp4",
		file_size: 1,
		visibility,
	});
	const token = await uploads.authenticate(`Bearer ${upload.token}`);
	await uploads.create(token, { videoId: video.id, length: 1 });
	await uploads.append(token, video.id, 0, bytes(Buffer.from("0")));
	const { lock } = await jobs.claimById({ accountId: video.id, name: "test" }, video.id, { worker: "test" });
	const files: Readonly<Record<string, Uint8Array>> = {
		"hls/master.m3u8": Buffer.from(playlistOf(1)),
		"web.mp4": webMp4,
		"og.jpg": Buffer.from("jpg"),
	};
	const entries = async function* () {
		for (const [path, content] of Object.entries(files)) yield { path, bytes: bytes(content) };
	};
	await jobs.replaceOutputs(video.id, lock, entries());
	await jobs.complete(video.id, {
		lock,
		outputs: { files: Object.keys(files), renditions: [] },
		media: { duration_seconds: 1, width: 1280, height: 720, transcript_status: "disabled", language: null },
	});
	return video.id;
}
