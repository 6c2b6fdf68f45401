import { createWorker, type Worker, type WorkerOptions } from "../../src/index.ts";
import { recordingLogger } from "./fixtures.ts";

/** Starts a worker that gives its job up at once when it is stopped, with other options as they are given. */
export function startWorker(given: Pick<WorkerOptions, "apiUrl" | "workDirectory"> & Partial<WorkerOptions>): Worker {
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	const usual = { name: "test-worker", secret: "secret", tools, logger: recordingLogger(), graceSeconds: 0 };
	const worker = createWorker({ ...usual, ...given });
	worker.start();
	return worker;
}
