import { randomBytes } from "node:crypto";
import { request } from "node:http";

/** Sends `bytes` random bytes as the body of one request, as fast as the server takes them. */
export type UploadRun = {
	readonly url: string;
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly bytes: number;
};
export type UploadRunResult = { readonly status: number; readonly seconds: number };

const run = JSON.parse(process.argv[2] ?? "") as UploadRun;
const block = randomBytes(1024 * 1024);
const sent = request(run.url, { method: run.method, headers: { ...run.headers, "content-length": String(run.bytes) } });
const answered = new Promise<number>((resolve, reject) => {
	sent.on("response", (response) => {
		response.resume();
		resolve(response.statusCode ?? 0);
	});
	sent.on("error", reject);
});
const startedAt = performance.now();
for (let left = run.bytes; left > 0; left -= block.length) {
	if (!sent.write(block.subarray(0, left))) await new Promise((resolve) => sent.once("drain", resolve));
}
sent.end();
const status = await answered;
const result: UploadRunResult = { status, seconds: (performance.now() - startedAt) / 1000 };
console.log(JSON.stringify(result));
process.exit();
