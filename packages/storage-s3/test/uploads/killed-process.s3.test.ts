import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openFaultProxy } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { expect, inject, it } from "vitest";
import { patience } from "../support/patience.ts";
import { pattern } from "../support/pattern.ts";
import { chunks, sha256, sha256Of } from "../support/send-upload.ts";

const part = 5 * 1024 * 1024;
const length = 5 * part + 4321;
const program = fileURLToPath(new URL("../support/appending-process.ts", import.meta.url));

it.each([
	{ at: "its third part", part: "3", parts: 2 },
	{ at: "its first part, while others behind it are on their way", part: "1", parts: 0 },
	{ at: "its last part", part: "6", parts: 5 },
])(
	"goes on, on another server, with an upload whose process was killed at $at, from what the bucket alone tells",
	async ({ part: number, parts }) => {
		const bucket = await createTestBucket(inject("s3"));
		const proxy = await openFaultProxy({ target: bucket.bucket.endpoint ?? "" });
		const other = createBucketOpener({ allow: [], ...patience }).open(bucket.bucket);
		try {
			const id = randomUUID();
			await other.uploads.create(id);
			expect(await other.uploads.append(id, 0, chunks(pattern(0, 1000)), { limit: length })).toBe(1000);
			const held = proxy.use({
				when: { method: "PUT", query: { partNumber: number } },
				fault: { kind: "hold", direction: "request", afterBytes: 1000 },
			});
			const child = spawn(
				process.execPath,
				[program, JSON.stringify({ bucket: { ...bucket.bucket, endpoint: proxy.url }, id, length })],
				{ stdio: "inherit" },
			);
			const ended = once(child, "exit");
			await held.hit();
			child.kill("SIGKILL");
			await ended;
			const size = await other.uploads.size(id);
			expect(size).toBeGreaterThanOrEqual(1000);
			expect(size).toBeLessThanOrEqual(Math.max(1000, parts * part));
			const appendFrom = (from: number) =>
				other.uploads.append(id, from, chunks(pattern(from, length - from)), { limit: length });
			// What was being sent may have arrived after the size was asked for.
			const again = async () => appendFrom((await other.uploads.size(id)) ?? 0);
			expect(await appendFrom(size ?? 0).catch(again)).toBe(length);
			const found = await other.uploads.read(id);
			expect(found && (await sha256Of(found.bytes))).toBe(sha256(pattern(0, length)));
		} finally {
			await proxy.close();
			await other.close();
			await bucket.remove();
		}
	},
);
