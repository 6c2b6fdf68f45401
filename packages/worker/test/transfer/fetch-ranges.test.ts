import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReelmillError } from "@reelmill/client";
import type { Job } from "@reelmill/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fetchRanges } from "../../src/transfer/fetch-ranges.ts";

const whole = Buffer.from("0123456789abcdefghij");
const job = { source: { file_size: whole.length } } as Job;
type Range = { readonly from: number; readonly end: number };
type Answer = (range: Range) => Response;
const part: Answer = ({ from, end }) => new Response(whole.subarray(from, end), { status: 206 });

let folder: string;
let path: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-ranges-"));
	path = join(folder, "source");
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens the file over a service whose answers are these, and then all that is asked for. */
async function open(...answers: Answer[]) {
	const asked: string[] = [];
	const sourceRange = async (_: Job, range: Range) => {
		asked.push(`${range.from}-${range.end}`);
		return (answers.shift() ?? part)(range);
	};
	const wait = async () => {};
	const { signal } = new AbortController();
	const ranges = await fetchRanges({ service: { sourceRange }, job, path, signal, wait, idleMilliseconds: 60_000 });
	return { ...ranges, asked };
}
const held = async () => (await readFile(path, "latin1")).replaceAll("\0", "-");

it("brings bytes to their place, each once, and leaves holes where nothing was needed", async () => {
	const { need, bytes, asked } = await open();
	await need({ offset: 0, length: 4 });
	await need({ offset: 10, length: 5 });
	await need({ offset: 11, length: 2 });
	await need({ offset: 18, length: 100 });
	await need({ offset: 20, length: 5 });
	expect(asked).toEqual(["0-4", "10-15", "18-20"]);
	expect(await held()).toBe("0123------abcde---ij");
	expect(bytes()).toBe(11);
});

it("frees each piece once it is written", async () => {
	const piece = new Uint8Array(whole.subarray(0, 4));
	const body = new ReadableStream({
		start(controller) {
			controller.enqueue(piece);
			controller.close();
		},
	});
	const { need } = await open(() => new Response(body, { status: 206 }));
	await need({ offset: 0, length: 4 });
	expect(piece.byteLength).toBe(0);
	expect(await held()).toMatch(/^0123-/);
});

it("goes on where the bytes broke off, and takes all of a server without ranges", async () => {
	const steps = [
		(controller: ReadableStreamDefaultController) => controller.enqueue(whole.subarray(10, 12)),
		(controller: ReadableStreamDefaultController) => controller.error(new TypeError("terminated")),
	];
	const breaking = new ReadableStream({ pull: (controller) => steps.shift()?.(controller) }, { highWaterMark: 0 });
	const { need, asked } = await open(
		() => new Response(breaking, { status: 206 }),
		() => new Response(whole.subarray(12, 13), { status: 206 }),
		() => new Response(whole),
	);
	await need({ offset: 10, length: 5 });
	expect(asked).toEqual(["10-15", "12-15", "13-15"]);
	expect((await held()).slice(10, 15)).toBe("abcde");
});

it("rejects at once with what stays, and after eight failures without a byte", async () => {
	const gone = () => {
		throw new ReelmillError("file_not_found");
	};
	const { need, asked } = await open(gone);
	await expect(need({ offset: 0, length: 1 })).rejects.toMatchObject({ code: "file_not_found" });
	expect(asked).toHaveLength(1);
	const short = await open(...Array.from({ length: 9 }, () => () => new Response("", { status: 206 })));
	await expect(short.need({ offset: 0, length: 1 })).rejects.toThrow("broke off after 0 of 1 bytes");
	expect(short.asked).toHaveLength(8);

	const headers = { "content-range": "bytes 0-4/21" };
	const replaced = await open(() => new Response("other", { status: 206, headers }));
	await expect(replaced.need({ offset: 0, length: 5 })).rejects.toThrow("has 21 bytes now, and the job says 20");
	expect(replaced.asked).toHaveLength(1);
});
