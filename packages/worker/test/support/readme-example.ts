import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTools } from "@reelmill/media";
import { createWorker } from "@reelmill/worker";

const worker = createWorker({
	apiUrl: "http://127.0.0.1:8787",
	name: "transcoder-1",
	secret: "the service account's secret",
	workDirectory: join(tmpdir(), "reelmill-worker-example"),
	tools: await checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }),
	logger: console,
});
worker.start();
process.once("SIGTERM", () => void worker.stop());
