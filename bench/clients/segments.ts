import { connect } from "node:net";

/**
 * Reads byte ranges of one file over kept connections, one after the other on each. The bytes are thrown away, so that
 * the server sets the pace and not this client.
 */
export type SegmentRun = {
	readonly url: string;
	readonly authorization?: string | undefined;
	readonly segments: number;
	readonly segmentBytes: number;
	readonly connections: number;
	readonly seconds: number;
};
export type SegmentRunResult = { readonly requests: number; readonly bytes: number; readonly seconds: number };

const run = JSON.parse(process.argv[2] ?? "") as SegmentRun;
const { hostname, port, pathname } = new URL(run.url);
const readBytes = 64 * 1024;
let [requests, bytes, next] = [0, 0, 0];
const startedAt = performance.now();
const isOver = () => performance.now() - startedAt >= run.seconds * 1000;

function requestOfNext(): string {
	const start = (next++ % run.segments) * run.segmentBytes;
	const key = run.authorization === undefined ? "" : `Authorization: ${run.authorization}\r\n`;
	return `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${key}Range: bytes=${start}-${start + run.segmentBytes - 1}\r\n\r\n`;
}

/** Returns how many bytes of an answer are still to come, from its first bytes. */
function leftAfter(first: Buffer): number {
	const end = first.indexOf("\r\n\r\n");
	const head = first.toString("latin1", 0, end);
	const length = /^content-length: (\d+)$/im.exec(head)?.[1];
	if (end === -1 || !head.startsWith("HTTP/1.1 206 ") || Number(length) !== run.segmentBytes)
		throw new Error(`not the segment that was asked for:\n${head}`);
	return run.segmentBytes - (first.length - end - 4);
}

const readOnOneConnection = () =>
	new Promise<void>((resolve, reject) => {
		let left = 0;
		const socket = connect({
			host: hostname,
			port: Number(port),
			onread: {
				buffer: Buffer.alloc(readBytes),
				callback(length, buffer) {
					left = left === 0 ? leftAfter(Buffer.from(buffer.subarray(0, length))) : left - length;
					if (left > 0) return true;
					requests++;
					bytes += run.segmentBytes;
					if (isOver()) socket.end();
					else socket.write(requestOfNext());
					return true;
				},
			},
		});
		socket.on("error", reject);
		socket.on("close", () =>
			left === 0 && isOver() ? resolve() : reject(new Error("the connection ended in the middle of an answer")),
		);
		socket.write(requestOfNext());
	});

await Promise.all(Array.from({ length: run.connections }, readOnOneConnection));
const result: SegmentRunResult = { requests, bytes, seconds: (performance.now() - startedAt) / 1000 };
console.log(JSON.stringify(result));
