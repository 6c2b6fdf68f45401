import { createFakeClock } from "@reelmill/engine/testing";
import { expect, it } from "vitest";
import { after, steady } from "../../src/imports/steady-bytes.ts";

/** Reads chunks of this size, each after so many seconds. */
async function read(size: number, seconds: number, silenceSeconds = 30): Promise<number> {
	const clock = createFakeClock();
	let left = 20;
	const bytes = (async function* () {
		while (left-- > 0) {
			await clock.sleep(seconds * 1000);
			yield Buffer.alloc(size);
		}
	})();
	let isOver = false;
	void (async () => {
		while (!isOver) await clock.advance(1000);
	})();
	try {
		let came = 0;
		for await (const chunk of steady(bytes, { clock, silenceSeconds })) came += chunk.length;
		return came;
	} finally {
		isOver = true;
	}
}

it("passes on what comes at 64 KiB a minute, and ends what is slower or silent", async () => {
	expect(await read(25_000, 20)).toBe(500_000);
	await expect(read(20_000, 20)).rejects.toMatchObject({
		code: "source_unavailable",
		message: expect.stringContaining("64 KiB"),
	});
	await expect(read(1_000_000, 31)).rejects.toMatchObject({
		code: "source_unavailable",
		message: expect.stringContaining("nothing for 30 s"),
	});
});

it("leaves out what is here already, wherever the chunks begin", async () => {
	const all = Buffer.from("0123456789");
	for (const size of [1, 3, 4, 10])
		for (let count = 0; count <= 10; count++) {
			const chunks = (async function* () {
				for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
			})();
			const got: Uint8Array[] = [];
			for await (const chunk of after(count, chunks)) got.push(chunk);
			expect(Buffer.concat(got).toString()).toBe(all.toString().slice(count));
		}
});
