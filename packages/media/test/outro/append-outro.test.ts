import { readdir } from "node:fs/promises";
import { appendOutro } from "@reelmill/media";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openOutros, packets } from "../support/outros.ts";
import { type Folder, openFolder, streamsOf, tools } from "../support/sources.ts";

const small = { size: "160x90", rate: "15" };
let folder: Folder;
let outros: ReturnType<typeof openOutros>;
beforeAll(async () => {
	folder = await openFolder();
	outros = openOutros(folder);
});
afterAll(() => folder.close());

describe("an outro at the end of web.mp4", () => {
	it("leaves the video's packets, picture and sound, as they are, and goes on without a gap", async () => {
		const { web, plain } = await outros.expectJoined(small, { size: "90x160", rate: "24000/1001", seconds: 1 });
		const [sound, old] = [await packets(web, "a"), await packets(plain, "a")];
		expect(sound.slice(0, old.length)).toEqual(old);
		expect((await streamsOf(web))[0]).toMatchObject({ width: 160, height: 90, r_frame_rate: "15/1" });
	});

	it("leaves web.mp4 as it was when it can't be appended, or is aborted", async () => {
		const { directory, web, plain } = await outros.video(small);
		await expect(appendOutro({ directory, outro: folder.path("missing"), tools })).rejects.toThrow();
		await expect(
			appendOutro({
				directory,
				outro: await outros.mezzanine({ size: "90x160", rate: "24000/1001", seconds: 1 }),
				tools,
				signal: AbortSignal.abort(new Error("stop")),
			}),
		).rejects.toThrow("stop");
		expect(await packets(web, "v")).toEqual(await packets(plain, "v"));
		expect(await readdir(directory)).not.toContain(".outro");
	});
});
