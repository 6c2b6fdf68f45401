import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../support/reelmill.ts";

let directory = "";
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-completion-"));
	const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
	await writeFile(join(directory, "reelmill"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
	await chmod(join(directory, "reelmill"), 0o755);
});
afterAll(() => rm(directory, { recursive: true }));

const words = async (...typed: string[]) =>
	(await inProcess({}, "completion", "words", "--", ...typed)).stdout
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => line.split("\t")[0]);

describe("the words at the cursor", () => {
	it("are commands, options and the values of both", async () => {
		expect(await words("vid")).toEqual(["videos"]);
		expect(await words("videos", "")).toEqual(expect.arrayContaining(["list", "show", "visibility"]));
		expect(await words("videos", "list", "--st")).toEqual(["--state"]);
		expect(await words("videos", "list", "--state", "pend")).toEqual(["pending_upload"]);
		expect(await words("videos", "list", "--state=fai")).toEqual(["--state=failed"]);
		expect(await words("videos", "visibility", "some-id", "pu")).toEqual(["public"]);
		expect(await words("--url", "http://x", "webhooks", "trigger", "video.r")).toEqual(["video.ready"]);
		expect(await words("--pro")).toEqual(["--profile"]);
	});

	it("are none where a file is meant, and the hidden command is not offered", async () => {
		expect(await words("upload", "")).toEqual([]);
		expect(await words("completion", "")).toEqual(["bash", "zsh", "fish", "help"]);
	});
});

describe("the scripts", () => {
	it("complete in a real bash", async () => {
		const complete = (line: string) =>
			`COMP_LINE='${line}'; COMP_WORDS=(${line.replace(/ $/, ' ""').replace("=", " = ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _reelmill; echo "\${COMPREPLY[*]}"`;
		const script = [
			'eval "$(reelmill completion bash)"',
			complete("reelmill vid"),
			complete("reelmill videos visib"),
			complete("reelmill videos list --state=fai"),
			complete("reelmill webhooks trigger video.r"),
			complete("reelmill upload "),
		].join("\n");
		const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], {
			env: { ...process.env, PATH: `${directory}:${process.env.PATH}` },
		});
		expect({ stderr, lines: stdout.split("\n") }).toEqual({
			stderr: "",
			lines: ["videos", "visibility", "failed", "video.ready", "", ""],
		});
	});

	it.each(["bash", "zsh", "fish"])("are printed for %s, and ask this program", async (shell) => {
		const { code, stdout } = await inProcess({}, "completion", shell);
		expect(code).toBe(0);
		expect(stdout).toContain("completion words --");
	});
});
