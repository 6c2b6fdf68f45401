import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openPrograms, type Programs } from "../../src/run/programs.ts";
import { tools } from "../support/sources.ts";

const run = promisify(execFile);

/** What the kernel says of ffmpeg while it reads this itself. */
const seenFrom = async (
	confinement: "preferred" | "off",
	file: string,
	as = (programs: Programs) => programs,
): Promise<string> => {
	const programs = as(await openPrograms({ ...tools, confinement }));
	const copy = [
		"-v",
		"error",
		"-f",
		"data",
		"-i",
		`/proc/self/${file}`,
		"-map",
		"0",
		"-c",
		"copy",
		"-f",
		"data",
		"pipe:1",
	];
	return String(
		(
			await programs.run("ffmpeg", copy, {
				limits: { cpuSeconds: 7, memoryBytes: 3 * 1024 ** 3, fileBytes: 1024 ** 2 },
			})
		).stdout,
	);
};

it("leaves it only root's rights to files if the confinement is off: SVT-AV1 would go ahead of all else", async () => {
	const [, effective = ""] = /^CapEff:\s+(\w+)$/m.exec(await seenFrom("off", "status")) ?? [];
	// CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
	expect(Number.parseInt(effective, 16) & ~0b110).toBe(0);

	const programs = await openPrograms({ ...tools, confinement: "off" });
	const encode = [
		"-v",
		"error",
		"-progress",
		"pipe:1",
		"-f",
		"lavfi",
		"-i",
		"testsrc2=size=320x180:duration=20",
		"-c:v",
		"libsvtav1",
		"-preset",
		"12",
		"-f",
		"null",
		"-",
	];
	const classes = new Set<string>();
	let looking = Promise.resolve();
	const look = async () => {
		const { stdout } = await run("ps", ["-eLo", "ppid,cls,args"]);
		for (const line of stdout.split("\n")) {
			const [parent, scheduling, ...args] = line.trim().split(/\s+/);
			if (Number(parent) === process.pid && args.includes("libsvtav1")) classes.add(scheduling as string);
		}
	};
	await programs.run("ffmpeg", encode, { onOutput: () => (looking = looking.then(look)) });
	await looking;
	expect([...classes]).toEqual(["TS"]);
});
