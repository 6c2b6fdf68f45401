import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { History } from "../history/history.ts";
import type { Random } from "../plan/random.ts";

/** A file as it is, or as it is once it was replaced. */
export type Version = { readonly bytes: Buffer; readonly sha256: string; readonly seed: number };

/** The web server from which tenants import. Every file has a number, and two versions, which differ in size. */
export type Origin = {
	/** Serves a file from now on, and returns its address. */
	publish(number: number, versions: readonly [Version, Version]): string;
	/** Serves everything as it is asked for from now on. */
	behave(): void;
	close(): Promise<void>;
};

const manners = {
	"serves it": (response, bytes) => void response.end(bytes),
	"serves it slowly": async (response, bytes) => {
		const piece = Math.ceil(bytes.length / 12);
		for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
			response.write(bytes.subarray(at, at + piece));
			await sleep(250);
		}
		response.end();
	},
	"breaks off": (response, bytes) => {
		response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
		setTimeout(() => response.destroy(), 20);
	},
	"says 503": (response) => void response.writeHead(503, { "content-length": "0" }).end(),
	"never answers": () => undefined,
	"ignores the range": (response, bytes) => void response.end(bytes),
	"replaces the file": (response, bytes) => void response.end(bytes),
} as const satisfies Record<string, (response: ServerResponse, bytes: Buffer) => unknown>;
type Manner = keyof typeof manners;

const bad: readonly [Manner, ...Manner[]] = [
	"serves it slowly",
	"serves it slowly",
	"breaks off",
	"breaks off",
	"breaks off",
	"says 503",
	"never answers",
	"ignores the range",
	"replaces the file",
];

/** Opens an origin that is slow, breaks off, fails or changes the file for `shareOfBad` of what it is asked. */
export async function openOrigin({
	history,
	random,
	shareOfBad,
}: {
	history: History;
	random: Random;
	shareOfBad: number;
}): Promise<Origin> {
	const files = new Map<number, { versions: readonly [Version, Version]; isReplaced: boolean }>();
	let share = shareOfBad;
	const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const number = Number(/^\/(\d+)\.mp4$/.exec(request.url ?? "")?.[1]);
		const file = files.get(number);
		if (file === undefined) return void response.writeHead(404).end();
		const manner = random.chance(share) ? random.pick(bad) : "serves it";
		history.add({ kind: "origin", number, manner });
		if (manner === "replaces the file") file.isReplaced = true;
		const { bytes, sha256 } = file.versions[file.isReplaced ? 1 : 0];
		const etag = `"${sha256}"`;
		const { range, "if-range": validator = etag } = request.headers;
		const from =
			manner === "ignores the range" || validator !== etag ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
		const [status, said] =
			from === 0 ? [200, {}] : [206, { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }];
		if (manner !== "says 503" && manner !== "never answers")
			response.writeHead(status, { "content-type": "video/mp4", "content-length": bytes.length - from, etag, ...said });
		await manners[manner](response, bytes.subarray(from));
	};
	const server = createServer((request, response) => {
		response.on("error", () => undefined);
		serve(request, response).catch(() => response.destroy());
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	return {
		publish(number, versions) {
			files.set(number, { versions, isReplaced: false });
			return `http://origin.faults.test:${(server.address() as AddressInfo).port}/${number}.mp4`;
		},
		behave() {
			share = 0;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
