import { afterAll, beforeAll, describe, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { expectKeyFramePlaylists } from "../support/key-frame-playlists.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("of each variant there is a playlist of its key frames", () => {
	it.each([
		["one picture", { args: ["-frames:v", "1"], sound: false }, 1],
		["a clip that is shorter than a segment, without sound", { seconds: 0.7, sound: false }, 1],
	])("whose every range decodes to the very picture: %s", async (name, kind, pictures) => {
		const directory = folder.outputs();
		const { files } = await processVideo({
			source: await folder.source(`${name.replaceAll(/\W/g, "-")}.mp4`, kind),
			directory,
			tools,
			job: job(["h264_720", "av1_720"]),
		});
		await expectKeyFramePlaylists({ directory, files }, pictures, folder.path("alone.mp4"));
	});
});
