import { createFakeClock, type FakeClock } from "@reelmill/engine/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { createOpenedObjects, type OpenedObjects } from "../../src/serving/opened-objects.ts";
import { bytesOfOpened } from "../../src/serving/served-bytes.ts";

let clock: FakeClock;
let objects: OpenedObjects;
let log: string[];
beforeEach(() => {
	clock = createFakeClock();
	objects = createOpenedObjects({ clock, max: 2 });
	log = [];
});

const content = Buffer.from("0123456789");
const opening = (key: string) => async () => {
	log.push(`open ${key}`);
	return {
		size: content.length,
		read: async (target: Uint8Array, position: number) => content.copy(target, 0, position),
		async close() {
			log.push(`close ${key}`);
		},
	};
};
async function take(key: string) {
	const taken = await objects.take(key, opening(key));
	if (taken === null) throw new Error(`there is no ${key}`);
	return taken;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("opened objects", () => {
	it("are opened once for all who read them, also at once, and stay open afterwards", async () => {
		const all = await Promise.all(Array.from({ length: 20 }, () => take("a")));
		for (const { release } of all) release();
		(await take("a")).release();
		await settled();
		expect(log).toEqual(["open a"]);
	});

	it("beyond the most that may be open are closed, those read longest ago first, each once its readers are done", async () => {
		const first = await take("a");
		for (const key of ["b", "c"]) (await take(key)).release();
		await settled();
		expect(log).toEqual(["open a", "open b", "open c"]);
		first.release();
		first.release();
		await settled();
		(await take("d")).release();
		await settled();
		expect(log.slice(3)).toEqual(["close a", "open d", "close b"]);
	});

	it("are closed when nobody has read them for 5 seconds", async () => {
		const read = await take("a");
		(await take("b")).release();
		await clock.advance(5000);
		objects.closeIdle();
		await settled();
		expect(log).toEqual(["open a", "open b", "close b"]);
		read.release();
		objects.closeIdle();
		await settled();
		expect(log).toHaveLength(3);
		await clock.advance(5000);
		objects.closeIdle();
		await settled();
		expect(log.slice(3)).toEqual(["close a"]);
	});

	it("that are forgotten by how their keys begin are opened anew", async () => {
		for (const key of ["video-1 a", "video-2 a"]) (await take(key)).release();
		objects.forget("video-1 ");
		await settled();
		for (const key of ["video-1 a", "video-2 a"]) (await take(key)).release();
		await settled();
		expect(log).toEqual(["open video-1 a", "open video-2 a", "close video-1 a", "open video-1 a"]);
	});

	it("that are missing, or can't be opened, are asked for again", async () => {
		const failing = async () => {
			throw new Error("the disk is gone");
		};
		await expect(Promise.all([objects.take("a", failing), objects.take("a", failing)])).rejects.toThrow(
			"the disk is gone",
		);
		expect(await objects.take("a", async () => null)).toBeNull();
		(await take("a")).release();
		expect(log).toEqual(["open a"]);
	});
});

describe("the bytes of an opened object", () => {
	const read = async (start: number, length: number) => {
		const parts: Uint8Array[] = [];
		for await (const part of bytesOfOpened(() => take("a"), start, length)) parts.push(part);
		return Buffer.concat(parts).toString();
	};

	it("are those of the range, and hold the object until the last is read, or the reader leaves", async () => {
		expect([await read(0, 10), await read(3, 4), await read(9, 1)]).toEqual(["0123456789", "3456", "9"]);
		for await (const _ of bytesOfOpened(() => take("a"), 0, 10)) break;
		objects.forget("");
		await settled();
		expect(log).toEqual(["open a", "close a"]);
	});

	it("go on behind what was transferred from the file, and say how many are left", async () => {
		const handed: number[][] = [];
		const taken = { object: { ...(await opening("a")()), descriptor: 7 }, release: () => log.push("released") };
		const { reader } = bytesOfOpened(async () => taken, 2, 6, true);
		const counts = [2, 3];
		const hand = (...asked: number[]) => {
			handed.push(asked);
			return counts.shift() ?? 0;
		};
		expect(await reader?.transfer?.(hand)).toBe(2);
		const target = Buffer.alloc(1);
		expect(await reader?.read(target)).toBe(1);
		expect([target.toString(), reader?.left]).toEqual(["4", 3]);
		expect(await reader?.transfer?.(hand)).toBe(3);
		expect(reader?.left).toBe(0);
		reader?.close();
		expect(handed).toEqual([
			[7, 2, 6],
			[7, 5, 3],
		]);
		expect(log).toEqual(["open a", "released"]);
	});

	it("can't be transferred where there is no descriptor", async () => {
		expect(bytesOfOpened(() => take("a"), 0, 10).reader?.transfer).toBeUndefined();
	});

	it("hold nothing where nobody reads them", async () => {
		bytesOfOpened(() => take("a"), 0, 10);
		await settled();
		expect(log).toEqual([]);
	});

	it("throw where the object ends before its size", async () => {
		await expect(read(5, 10)).rejects.toThrow("ended before its size");
		objects.forget("");
		await settled();
		expect(log).toEqual(["open a", "close a"]);
	});
});
