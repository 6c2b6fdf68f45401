import { createWorker } from "@reelmill/worker";

/** A worker in a process of its own, to be killed. */
const [apiUrl = "", secret = "", workDirectory = "", ffmpeg = "ffmpeg"] = process.argv.slice(2);
const nothing = () => undefined;
createWorker({
	...{ apiUrl, name: "worker", secret, workDirectory, claimWaitSeconds: 1, machine: `process ${process.pid}` },
	tools: { ffmpeg, ffprobe: "ffprobe", confinement: ffmpeg === "ffmpeg" ? "preferred" : "off" },
	logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
}).start();
