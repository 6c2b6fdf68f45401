import { chmod, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;

beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** Makes a job whose tracks of H.264 with such a name are changed near their end as soon as ffmpeg has written them. */
const makeDamaged = async (name: string, chunks: number) => {
	const [directory, ffmpeg] = [folder.outputs(), folder.path(`damaging-${name.replaceAll("*", "")}`)];
	const change = "printf '\\245\\245\\245\\245' | dd of=$file bs=1 seek=$(($(stat -c %s $file) - 300)) conv=notrunc";
	const script = [
		"#!/bin/sh",
		"PATH=/usr/local/bin:/usr/bin:/bin",
		'ffmpeg "$@"; code=$?',
		`case "$*" in *libx264*) for file in $(find ${directory} -name '${name}'); do ${change} 2>/dev/null; done;; esac`,
		"exit $code",
	];
	await writeFile(ffmpeg, script.join("\n"));
	await chmod(ffmpeg, 0o755);
	const source = await folder.source("four.mp4", { seconds: 4, sound: false });
	const damaging = { ...tools, ffmpeg, confinement: "off" as const };
	return processVideo({ source, directory, tools: damaging, job: job(), chunks });
};

it("lets a job fail whose track was changed on the disk", async () => {
	await expect(makeDamaged("h264*.mp4", 1)).rejects.toThrow("does not hold what the encoder gave");
});

it("makes a job encode a source as one whose chunk was changed on the disk", async () => {
	const { report } = await makeDamaged("h264*.from-50", 2);
	const because = expect.stringContaining("does not hold what the encoder gave");
	expect(report.decisions).toContainEqual({ about: "encoding", decision: "as one", because });
});
