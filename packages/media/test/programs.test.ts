import { expect, it } from "vitest";
import { findProgram, openPrograms, pasteable } from "../src/programs.ts";
import { clip, tools } from "./sources.ts";

const look = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", clip];

it("lets a program see only the files it was given", async () => {
	expect(await findProgram("bwrap"), "bubblewrap is missing; on Debian or Ubuntu: apt-get install bubblewrap").not.toBeNull();
	const programs = await openPrograms(tools);
	expect(String((await programs.run("ffprobe", look, { reads: [clip] })).stdout)).toBe("7.600000\n");
	await expect(programs.run("ffprobe", look)).rejects.toThrow("No such file or directory");
});

it("lets it see more where the sandbox is off", async () => {
	const programs = await openPrograms({ ...tools, sandbox: "off" });
	expect(String((await programs.run("ffprobe", look)).stdout)).toBe("7.600000\n");
});

it("tells the code and the last words of a program that failed", async () => {
	const programs = await openPrograms(tools);
	const failed = programs.run("ffmpeg", ["-v", "error", "-f", "nonsense"]);
	await expect(failed).rejects.toMatchObject({ name: "ProgramError", code: 1, killedBy: null, message: expect.stringContaining("ffmpeg ended with code 1") });
});

it("writes a command so that it can be pasted", () => {
	expect(pasteable(["ffmpeg", "-i", "it's here.mp4", "-vf", "scale=2:2,null"])).toBe(`ffmpeg -i 'it'\\''s here.mp4' -vf scale=2:2,null`);
});
