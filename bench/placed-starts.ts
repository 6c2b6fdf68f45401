import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createReelmill, createReelmillAdmin } from "@reelmill/node";
import { ffmpeg } from "./media/measure.ts";
import { median } from "./median.ts";
import { startReferenceServer } from "./reference-server.ts";
import { wanted } from "./wanted.ts";

const main = fileURLToPath(new URL("../apps/transcoder/src/main.ts", import.meta.url));
const adminKey = "the-admin-key-of-a-benchmark-of-placed-workers";
const account = { name: "placed", secret: "the-secret-of-placed-workers-in-32-characters" };
/** So many run at once, and each domain has so many videos: one credential may make 200 requests a minute. */
const [atOnce, videosOfDomain] = [2, 25];

/**
 * Returns the CPU seconds that a process has used, and the programs that it ran and that have ended. The program's name
 * may contain spaces and brackets, so the fields begin after the last bracket.
 */
function spentBy(pid: number): [own: number, programs: number] {
	const text = readFileSync(`/proc/${pid}/stat`, "utf8");
	const [user, system, userOfPrograms, systemOfPrograms] = text
		.slice(text.lastIndexOf(")") + 2)
		.split(" ")
		.slice(11, 15)
		.map((ticks) => Number(ticks) / 100) as [number, number, number, number];
	return [user + system, userOfPrograms + systemOfPrograms];
}

/**
 * Places one process of the transcoder (`--once`) for each of so many short videos, two at once. Prints the CPU from
 * exec to the claim, that of the programs which the start runs included, and holds that each video was claimed by one
 * process and became available.
 */
export async function placedStarts(jobs = 100): Promise<void> {
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-placed-"));
	const server = await startReferenceServer({
		REELMILL_DATA_DIR: join(directory.path, "data"),
		REELMILL_ADMIN_KEY: adminKey,
		REELMILL_EMBEDDED_WORKERS: "0",
		REELMILL_SERVICE_NAME: account.name,
		REELMILL_SERVICE_SECRET: account.secret,
		REELMILL_WORKER_CIDRS: "127.0.0.0/8",
	});
	try {
		const clip = join(directory.path, "clip.mp4");
		const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=1"];
		await ffmpeg(...picture, "-c:v", "libx264", "-preset", "ultrafast", clip);
		const admin = createReelmillAdmin({ baseUrl: server.url, adminKey });
		const uploaded: { readonly id: string; readonly tenant: ReturnType<typeof createReelmill> }[] = [];
		while (uploaded.length < jobs) {
			const { api_key: apiKey } = await admin.domains.create({ slug: `placed-${uploaded.length}` });
			const tenant = createReelmill({ baseUrl: server.url, apiKey });
			await tenant.domain.updateConfig({ renditions: ["h264_720"] });
			for (let left = Math.min(videosOfDomain, jobs - uploaded.length); left > 0; left--)
				uploaded.push({ id: (await tenant.videos.upload(clip)).id, tenant });
		}
		const environment = {
			PATH: process.env.PATH,
			NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
			REELMILL_API_URL: server.url,
			REELMILL_SERVICE_NAME: account.name,
			REELMILL_SERVICE_SECRET: account.secret,
			REELMILL_CONFINEMENT: "off",
		};
		const claimed: string[] = [];
		const own: number[] = [];
		const cpu: number[] = [];
		const wall: number[] = [];
		let placed = 0;
		const place = async (): Promise<void> => {
			const workDirectory = join(directory.path, `machine-${placed++}`);
			await mkdir(workDirectory);
			const startedAt = performance.now();
			const child = spawn(process.execPath, [main, "--once"], {
				env: { ...environment, REELMILL_WORKDIR: workDirectory },
				stdio: ["ignore", "ignore", "pipe"],
			});
			let said = "";
			child.stderr.on("data", (text: Buffer) => {
				const before = said;
				said += text;
				if (before.includes('"job claimed"') || !said.includes('"job claimed"')) return;
				const [ownSeconds, programSeconds] = spentBy(child.pid as number);
				own.push(ownSeconds);
				cpu.push(ownSeconds + programSeconds);
				wall.push((performance.now() - startedAt) / 1000);
			});
			const [code] = await once(child, "close");
			if (code !== 0) throw new Error(`a transcoder ended with ${code}: ${said}`);
			const line = said.split("\n").find((text) => text.includes('"job claimed"'));
			if (line !== undefined) claimed.push((JSON.parse(line) as { readonly job: string }).job);
		};
		const begun = performance.now();
		const lane = async (): Promise<void> => {
			while (claimed.length < jobs && placed < jobs * 2) await place();
		};
		await Promise.all(Array.from({ length: atOnce }, lane));
		const states: string[] = [];
		for (const { id, tenant } of uploaded) states.push((await tenant.videos.get(id)).state);
		const available = states.filter((state) => state === "available").length;
		const sorted = cpu.sort((one, other) => one - other);
		console.log(
			`placed-starts  exec to claim: ${median(cpu).toFixed(2)} s of CPU in the median, ${(sorted[Math.floor(cpu.length * 0.95)] ?? 0).toFixed(2)} s in 19 of 20, ${median(own).toFixed(2)} s of them Node's`,
			`(wanted: ${wanted.placedStart}), ${median(wall).toFixed(2)} s on the clock`,
		);
		console.log(
			`placed-starts  ${jobs} videos, ${placed} processes: ${available} available, ${jobs - new Set(claimed).size} lost, ${claimed.length - new Set(claimed).size} twice,`,
			`in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
		);
	} finally {
		await server.stop();
	}
}
