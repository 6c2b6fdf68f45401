import { hostname } from "node:os";
import { checkTools } from "@reelmill/media";
import { createWorker } from "@reelmill/worker";

const { BASE_URL = "http://127.0.0.1:8787", WORKER_SECRET, GRACE_SECONDS = "10", PATH } = process.env;
if (!WORKER_SECRET) throw new Error("Set WORKER_SECRET, to the same text as in the server's process.");

const worker = createWorker({
	apiUrl: BASE_URL,
	name: "worker",
	worker: hostname(),
	secret: WORKER_SECRET,
	workDirectory: "./work",
	tools: await checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }, PATH),
	graceSeconds: Number(GRACE_SECONDS),
	logger: console,
});
worker.start();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void worker.stop());
