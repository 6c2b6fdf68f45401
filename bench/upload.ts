import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CreatedVideo } from "@reelmill/contracts";
import type { UploadRun, UploadRunResult } from "./clients/upload.ts";
import { median } from "./median.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { wanted } from "./wanted.ts";

const bytes = 200_000_000;
const client = fileURLToPath(new URL("./clients/upload.ts", import.meta.url));

type Prepared = { readonly url: string; readonly headers: Readonly<Record<string, string>>; remove(): Promise<void> };
type Side = {
	readonly name: string;
	readonly server: ServerProcess<unknown>;
	readonly prepare: () => Promise<Prepared>;
};
type Measured = { readonly megabytesPerSecond: number; readonly cpuSeconds: number };

/**
 * Measures one PATCH of 200 MB against a server that throws the body away, and against @tus/server with its FileStore,
 * which syncs nothing. Our server answers once the bytes are durable. The three run in turn, each in its own process;
 * ours includes its database's.
 */
export async function upload(rounds = 7): Promise<void> {
	const sides = [await openDiscard(), await openFileStore(), await openOurs()] as const;
	const ratios = { discard: [] as number[], fileStore: [] as number[], cpu: [] as number[] };
	try {
		for (const side of sides) await measure(side);
		for (let round = 0; round < rounds; round++) {
			const [discard, fileStore, ours] = [await measure(sides[0]), await measure(sides[1]), await measure(sides[2])];
			ratios.discard.push(ours.megabytesPerSecond / discard.megabytesPerSecond);
			ratios.fileStore.push(ours.megabytesPerSecond / fileStore.megabytesPerSecond);
			ratios.cpu.push(ours.cpuSeconds / fileStore.cpuSeconds);
			const shown = ({ megabytesPerSecond, cpuSeconds }: Measured) =>
				`${megabytesPerSecond.toFixed(0)} MB/s (${cpuSeconds.toFixed(2)} s CPU)`;
			console.log(`upload  discarded ${shown(discard)}  FileStore ${shown(fileStore)}  ours ${shown(ours)}`);
		}
		console.log(
			`upload  median ratio to discarding ${median(ratios.discard).toFixed(2)} (wanted: ${wanted["upload, discarding"]})`,
		);
		console.log(
			`upload  median ratio to FileStore ${median(ratios.fileStore).toFixed(2)},`,
			`CPU ${median(ratios.cpu).toFixed(2)} (wanted: ${wanted["upload, FileStore"]})`,
		);
	} finally {
		for (const { server } of sides) await server.stop();
	}
}

async function measure({ name, server, prepare }: Side): Promise<Measured> {
	const { url, headers, remove } = await prepare();
	const run: UploadRun = { url, method: "PATCH", headers, bytes };
	const before = server.cpuSeconds();
	const { stdout } = await promisify(execFile)(process.execPath, [client, JSON.stringify(run)]);
	const cpuSeconds = server.cpuSeconds() - before;
	const { status, seconds } = JSON.parse(stdout) as UploadRunResult;
	if (status !== 204) throw new Error(`${name} answered ${status}`);
	await remove();
	return { megabytesPerSecond: bytes / 1e6 / seconds, cpuSeconds };
}

const tus = { "tus-resumable": "1.0.0" };
const offset = { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" };

async function create(endpoint: string, headers: Record<string, string>): Promise<string> {
	const { status, headers: answered } = await fetch(endpoint, {
		method: "POST",
		headers: { ...tus, "upload-length": String(bytes), ...headers },
	});
	if (status !== 201) throw new Error(`the creation was answered ${status}`);
	return answered.get("location") as string;
}

async function openDiscard(): Promise<Side> {
	const server = await startServer<{ url: string }>("discard");
	return {
		name: "discard",
		server,
		prepare: async () => ({ url: server.ready.url, headers: {}, remove: async () => undefined }),
	};
}

async function openFileStore(): Promise<Side> {
	const server = await startServer<{ url: string }>("file-store");
	return {
		name: "FileStore",
		server,
		async prepare() {
			const location = await create(`${server.ready.url}/uploads`, {
				"upload-metadata": `id ${Buffer.from(randomUUID()).toString("base64")}`,
			});
			const url = new URL(location, server.ready.url).href;
			return { url, headers: offset, remove: async () => void (await fetch(url, { method: "DELETE", headers: tus })) };
		},
	};
}

async function openOurs(): Promise<Side> {
	const server = await startServer<{ url: string; authorization: string }>("upload");
	const { url, authorization } = server.ready;
	return {
		name: "ours",
		server,
		async prepare() {
			const body = JSON.stringify({ content_type: "video/mp4", file_size: bytes });
			const answer = await fetch(`${url}/v1/videos`, {
				method: "POST",
				headers: { authorization, "content-type": "application/json" },
				body,
			});
			const { video, upload: ticket } = (await answer.json()) as CreatedVideo;
			const token = { authorization: `Bearer ${ticket.token}` };
			await create(`${url}/uploads`, {
				...token,
				"upload-metadata": `video_id ${Buffer.from(video.id).toString("base64")}`,
			});
			const remove = async () =>
				void (await fetch(`${url}/v1/videos/${video.id}`, { method: "DELETE", headers: { authorization } }));
			return { url: `${url}/uploads/${video.id}`, headers: { ...offset, ...token }, remove };
		},
	};
}
