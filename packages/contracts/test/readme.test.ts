import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("runs the README's example as it stands", async () => {
	const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
	const example = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? "";
	const cwd = fileURLToPath(new URL("..", import.meta.url));
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["--input-type=module-typescript", "--eval", example],
		{ cwd },
	);
	expect(stdout.trim().split("\n")).toEqual([
		"GET /v1/videos/{id}",
		"404 video_not_found",
		"409 invalid_state is not listed",
		"3.1.0 getVideo",
	]);
});
