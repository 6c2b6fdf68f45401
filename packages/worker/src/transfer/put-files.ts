import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { OutputTarget } from "../service-client/files.ts";
import { streamOf } from "./stream-of.ts";

export type PutOptions = {
	/** The files' paths are below it. */
	readonly directory: string;
	readonly signal: AbortSignal;
	/** A put that moves no byte for so many milliseconds is given up. */
	readonly idleMilliseconds: number;
};

export type PutResult = {
	/** The paths of the files that are stored. */
	readonly done: ReadonlySet<string>;
	readonly failure: { readonly path: string; readonly error: unknown } | undefined;
};

/** How many puts run at the same time. Each reads its file as fast as the bucket takes it. */
const concurrentPuts = 4;

/** Puts the files into the bucket. Starts no further put after the first one that fails. Never rejects. */
export async function putFiles(targets: readonly OutputTarget[], options: PutOptions): Promise<PutResult> {
	const waiting = [...targets];
	const done = new Set<string>();
	const failures: NonNullable<PutResult["failure"]>[] = [];
	const run = async () => {
		for (let target = waiting.shift(); target && failures.length === 0; target = waiting.shift()) {
			const { path } = target;
			try {
				await putFile(target, options);
				done.add(path);
			} catch (error) {
				failures.push({ path, error });
			}
		}
	};
	await Promise.all(Array.from({ length: concurrentPuts }, run));
	return { done, failure: failures[0] };
}

async function putFile(target: OutputTarget, { directory, signal, idleMilliseconds }: PutOptions): Promise<void> {
	const idle = new AbortController();
	const timer = setTimeout(() => idle.abort(new Error("The bucket takes nothing more.")), idleMilliseconds);
	const file = createReadStream(join(directory, target.path));
	const bytes = async function* () {
		for await (const chunk of file) {
			timer.refresh();
			yield chunk as Uint8Array;
		}
		timer.refresh();
	};
	try {
		await target.put(streamOf(bytes()), AbortSignal.any([signal, idle.signal]));
	} finally {
		clearTimeout(timer);
		file.destroy();
	}
}
