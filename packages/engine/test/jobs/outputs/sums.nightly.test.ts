import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Job, outputSumsFile, renderOutputSums } from "@reelmill/contracts";
import { createLocalObjectStorage } from "@reelmill/storage-local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredOutputs } from "../../../src/videos/index.ts";
import {
	bytesOf,
	completion,
	contentOf,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../../support/open-engine.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const sums = renderOutputSums(outputFiles.map((path) => [path, sha256(contentOf(path))]));

let directory: string;
let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-sums-"));
	opened = await openEngine({ outputs: createLocalObjectStorage({ directory }) });
	tenant = await opened.tenant();
});
afterAll(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

async function claimed(): Promise<Job> {
	const { video } = await uploadVideo(opened, tenant.principal);
	return opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
}
const archive = (job: Job, more: Readonly<Record<string, string>> = {}) =>
	opened.engine.jobs.replaceOutputs(
		job.id,
		job.lock,
		(async function* () {
			for (const path of outputFiles) yield { path, bytes: bytesOf(contentOf(path)) };
			for (const [path, text] of Object.entries(more)) yield { path, bytes: bytesOf(text) };
		})(),
	);
/** Puts files one by one, as a worker does by presigned URLs. */
const put = async (job: Job, more: Readonly<Record<string, string>>) => {
	const folder = `${tenant.domain.id}/${job.id}/${job.lock}/`;
	for (const path of outputFiles) await opened.options.outputs.put(folder + path, bytesOf(contentOf(path)));
	for (const [path, text] of Object.entries(more)) await opened.options.outputs.put(folder + path, bytesOf(text));
};
const outputsOf = async ({ id }: Job): Promise<StoredOutputs> => {
	const text = "select outputs from reelmill.videos where id = $1";
	const [row] = await opened.database.query<{ outputs: StoredOutputs }>({ text, values: [id] });
	if (row === undefined) throw new Error("there is no such video");
	return row.outputs;
};

describe("the sums of outputs", () => {
	it("are the server's own of an archive, whatever the archive says, and sha256sum agrees with them", async () => {
		for (const said of [{}, { [outputSumsFile]: `${sha256("a lie")}  web.mp4\n` }, { [outputSumsFile]: "no sums" }]) {
			const job = await claimed();
			await archive(job, said);
			const done = completion(job);
			await opened.engine.jobs.complete(job.id, {
				...done,
				outputs: { ...done.outputs, files: [...outputFiles, ...Object.keys(said)] },
			});
			const outputs = await outputsOf(job);
			expect(outputs.sums).toEqual({ [outputSumsFile]: sha256(sums) });
			expect(Object.keys(outputs.files).sort()).toEqual(outputFiles);
			const checked = await promisify(execFile)("sha256sum", ["--check", "--strict", "--quiet", outputSumsFile], {
				cwd: join(directory, outputs.prefix),
			});
			expect(checked).toMatchObject({ stdout: "", stderr: "" });
		}
	});

	it("are a worker's of what it put by itself, and are not known if it gives none, or none that can be read", async () => {
		const kept = { [outputSumsFile]: sha256(sums) };
		const given = [
			[{ [outputSumsFile]: sums }, kept],
			[{}, undefined],
			[{ [outputSumsFile]: `${sums}web.mp4` }, undefined],
			[{ [outputSumsFile]: `${sums}${sums}` }, undefined],
		] as const;
		for (const [more, expected] of given) {
			const job = await claimed();
			await put(job, more);
			await opened.engine.jobs.complete(job.id, completion(job));
			expect((await outputsOf(job)).sums).toEqual(expected);
		}
	});

	it("are not kept of what is deleted when the job ends: what can be played early", async () => {
		const job = await claimed();
		const entries = (async function* () {
			yield { path: "web.mp4", bytes: bytesOf("early") };
		})();
		await opened.engine.jobs.replaceOutputs(job.id, job.lock, entries, "playable");
		const keys = await Array.fromAsync(opened.options.outputs.list(`${tenant.domain.id}/${job.id}/`), ({ key }) => key);
		expect(keys.map((key) => key.split("/").at(-1))).toEqual(["web.mp4"]);
	});
});
