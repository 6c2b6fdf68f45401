import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("is imported by bare Node, where there is no document, window or localStorage", async () => {
	const code =
		'const [all, upload, player] = await Promise.all(["", "/upload", "/player"].map((path) => import("@reelmill/browser" + path))); console.log(typeof document, Object.keys(all).sort().join(), typeof upload.createUpload, typeof player.createPlayer);';
	const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
		cwd: fileURLToPath(new URL("..", import.meta.url)),
	});
	expect(stdout.trim()).toBe(
		"undefined PlayerError,createPlaybackFetch,createPlayer,createUpload,createUploader,durationOf,fromBackEnd function function",
	);
	expect(stderr).toBe("");
});
