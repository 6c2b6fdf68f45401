import { expect, it } from "vitest";
import { tusServer } from "../../client/test/support/tus-server.ts";
import { createUploader, type Uploader } from "../src/upload.ts";

type Tus = Awaited<ReturnType<typeof tusServer>>;
const clip = (name: string) => new File([`the bytes of ${name}`], name);
const statuses = (uploader: Uploader) => uploader.state.get().items.map(({ state }) => state.status);

/** An uploader whose back end answers only when it is told to, file by file. */
function uploaderOf(tus: Tus, simultaneous: number) {
	const waiting = new Map<string, () => void>();
	const initiate = async (file: Blob) => {
		const id = (file as File).name;
		await new Promise<void>((resolve) => waiting.set(id, resolve));
		return { video: { id }, upload: tus.ticket(id) };
	};
	return { uploader: createUploader({ initiate, storage: null, simultaneous }), waiting };
}

it("sends so many at once, in the order they were added, and each when its turn comes", async () => {
	await using tus = await tusServer();
	const { uploader, waiting } = uploaderOf(tus, 2);
	expect(uploader.add([clip("one"), clip("two"), clip("three")])).toEqual(["1", "2", "3"]);
	expect(statuses(uploader)).toEqual(["preparing", "preparing", "waiting"]);
	await expect.poll(() => waiting.size).toBe(2);
	const [, , third] = uploader.state.get().items;
	waiting.get("one")?.();
	await expect.poll(() => statuses(uploader)).toEqual(["done", "preparing", "preparing"]);
	expect(uploader.state.get().items[2]).not.toBe(third);
	expect(uploader.state.get().isBusy).toBe(true);
	await expect.poll(() => waiting.size).toBe(3);
	for (const answer of waiting.values()) answer();
	await expect.poll(() => uploader.state.get().isBusy).toBe(false);
	const { items, bytesSent, bytesTotal } = uploader.state.get();
	expect(bytesSent).toBe(bytesTotal);
	expect(items.map(({ state }) => state.videoId)).toEqual(["one", "two", "three"]);
});

it("pauses what waits as well, and goes on with it when its turn comes again", async () => {
	await using tus = await tusServer();
	const { uploader, waiting } = uploaderOf(tus, 1);
	uploader.add([clip("one"), clip("two")]);
	uploader.pause();
	expect(statuses(uploader)).toEqual(["paused", "paused"]);
	expect(uploader.state.get().isBusy).toBe(false);
	uploader.resume("2");
	expect(statuses(uploader)).toEqual(["paused", "preparing"]);
	uploader.resume();
	expect(statuses(uploader)).toEqual(["waiting", "preparing"]);
	await expect.poll(() => waiting.size).toBe(1);
	waiting.get("two")?.();
	await expect.poll(() => waiting.size).toBe(2);
	waiting.get("one")?.();
	await expect.poll(() => statuses(uploader)).toEqual(["done", "done"]);
});

it("cancels one or all, counts none of them, and takes off the list what is over", async () => {
	await using tus = await tusServer();
	const { uploader, waiting } = uploaderOf(tus, 1);
	uploader.add([clip("one"), clip("two"), clip("three")]);
	await uploader.cancel("3");
	expect(statuses(uploader)).toEqual(["preparing", "waiting", "cancelled"]);
	uploader.remove();
	expect(uploader.state.get().items.map(({ id }) => id)).toEqual(["1", "2"]);
	await expect.poll(() => waiting.size).toBe(1);
	const cancelled = uploader.cancel();
	for (const answer of waiting.values()) answer();
	await cancelled;
	expect(uploader.state.get()).toMatchObject({ bytesSent: 0, bytesTotal: 0, isBusy: false });
	await uploader.cancel("unknown");
	uploader.remove();
	expect(uploader.state.get().items).toEqual([]);
});
