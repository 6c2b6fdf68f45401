import { randomUUID } from "node:crypto";
import { closeSync, openSync, read, unlinkSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playlist, segmentBytes, segmentFile } from "./outputs.ts";

export type BareOutputs = { readonly playlist: string; readonly hot: string; readonly read: string };

/**
 * The least that a Node server does for an output: no authentication, no counting. A playlist has the head that the
 * first argument gives, and an id of its request; a segment has five headers. Segments come from memory, or from an open
 * file through reused buffers.
 */
const { date: _, connection, "keep-alive": __, ...head } = JSON.parse(process.argv[2] ?? "{}");
const hot = Buffer.from(segmentFile.subarray(0, segmentBytes));
const text = playlist.toString("latin1");
const path = join(tmpdir(), `reelmill-bare-${process.pid}`);
writeFileSync(path, segmentFile);
const file = openSync(path, "r");
unlinkSync(path);
const buffers: Buffer[] = [];

function sendRead(response: ServerResponse, start: number): void {
	const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(512 * 1024);
	const end = start + segmentBytes;
	const sendFrom = (at: number): void => {
		if (at === end) {
			buffers.push(buffer);
			return void response.end();
		}
		read(file, buffer, 0, Math.min(buffer.length, end - at), at, (error, count) => {
			if (error !== null) return void response.destroy(error);
			response.write(buffer.subarray(0, count), () => sendFrom(at + count));
		});
	};
	sendFrom(start);
}

const server = createServer((request, response) => {
	if (request.url === "/playlist") {
		return void response.writeHead(200, { ...head, "x-request-id": randomUUID() }).end(text, "latin1");
	}
	const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
	response.writeHead(206, {
		"content-type": "video/mp4",
		"content-length": segmentBytes,
		"content-range": `bytes ${start}-${start + segmentBytes - 1}/${segmentFile.length}`,
		etag: '"media"',
		"accept-ranges": "bytes",
	});
	if (request.url === "/hot") response.end(hot);
	else sendRead(response, start);
}).listen(0, "127.0.0.1", () => {
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	console.log(
		JSON.stringify({ playlist: `${url}/playlist`, hot: `${url}/hot`, read: `${url}/read` } satisfies BareOutputs),
	);
});
process.once("SIGTERM", () => {
	closeSync(file);
	process.exit();
});
