import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { tusServer } from "../../client/test/support/tus-server.ts";
import { publish } from "./readme-example.ts";
import { video, videoId } from "./support/video.ts";

it("shows an example in the README that runs as it stands", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./readme-example.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);

	await using tus = await tusServer();
	await using api = await scriptedServer(
		{ status: 201, body: { video: video(), upload: tus.ticket(videoId) } },
		{ status: 200, body: video({ state: "uploaded", uploaded_at: "2026-11-01T00:01:00.000Z" }) },
		{ status: 200, body: video({ state: "available", progress: 100 }) },
		{ status: 201, body: { playback_key: "key" } },
	);
	// Any file will do: nothing reads it.
	const path = fileURLToPath(new URL("./clip.mp4", import.meta.url));
	expect(await publish(api.baseUrl, "ek_key", path)).toEqual({ hls: undefined, playback_key: "key" });
	expect((await tus.bytes(videoId)).equals(await readFile(path))).toBe(true);
});
