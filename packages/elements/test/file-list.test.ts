import { createUploader } from "@reelmill/browser/upload";
import { expect, it, vi } from "vitest";
import { createFileList, isTaken } from "../src/uploader/file-list.ts";

it("starts a file again that is chosen again after it failed or was let go, and refuses one that is on its way", async () => {
	const initiate = vi.fn(() => new Promise<never>(() => {}));
	initiate.mockRejectedValueOnce(new Error("no"));
	const uploader = createUploader({ initiate, storage: null });
	const list = createFileList(uploader, () => ({ manual: false }));
	const statuses = () => list.state.get().map(({ status }) => status);
	const chosen = () => new File(["the bytes of a video"], "clip.mp4", { type: "video/mp4", lastModified: 1 });
	const [first] = list.add([chosen()]);
	await vi.waitUntil(() => statuses()[0] === "failed");
	expect(list.add([chosen()])).toEqual([first]);
	expect(statuses()).toEqual(["preparing"]);
	uploader.close();
	expect(list.add([chosen()])).toEqual([first]);
	expect(statuses()).toEqual(["preparing"]);
	list.add([chosen()]);
	expect(statuses()).toEqual(["preparing", "refused"]);
	uploader.close();
	list.close();
});

it("gives the place of a video that failed to the next file", () => {
	const done = { status: "done", video: null } as const;
	const processed = (video: object) => isTaken({ ...done, video: { id: "video-1", outputs: null, ...video } });
	expect(isTaken(done)).toBe(true);
	expect([processed({ state: "encoding" }), processed({ state: "failed" })]).toEqual([true, false]);
	expect((["failed", "ready", "expired", "refused"] as const).map((status) => isTaken({ ...done, status }))).toEqual([
		true,
		true,
		false,
		false,
	]);
});
