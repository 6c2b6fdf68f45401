import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { median } from "./median.ts";
import type { BareOutputs } from "./servers/bare-outputs.ts";
import type { DeliveryServer } from "./servers/delivery.ts";

type Asked = { readonly url: string; readonly authorization: string };
type GetServer = { url: string; requests: [{ path: string; headers: { authorization: string } }] };

const askedOfGet = ({ url, requests: [first] }: GetServer): Asked => ({
	url: url + first.path,
	authorization: first.headers.authorization,
});
const servers: Readonly<Record<string, readonly [file: string, asked: (ready: never) => Asked]>> = {
	"authenticated GET, bare": ["bare", askedOfGet],
	"authenticated GET, ours": ["engine", askedOfGet],
	"playlist, bare": [
		"bare-outputs",
		({ playlist }: BareOutputs) => ({ url: playlist, authorization: `Bearer ${"x".repeat(300)}` }),
	],
	"playlist, ours": [
		"delivery",
		({ counted, privatePlaylist, authorization }: DeliveryServer) => ({
			url: counted + privatePlaylist,
			authorization,
		}),
	],
};
const connections = 8;
/** Until then the compiler still works on what runs often. */
const warmUp = 20_000;
const counted = 1000;

/**
 * Counts the instructions of a request outside the kernel, by Valgrind's callgrind: of an authenticated GET and of a
 * keyed playlist of 1.5 kB, each beside a bare Node server. Other work on the machine hardly changes the counts, apart
 * from collections of the whole heap, so the median of the rounds counts. It needs Debian's valgrind.
 */
export async function instructions(rounds = 3): Promise<void> {
	for (const [name, [file, asked]] of Object.entries(servers)) {
		const counts: number[] = [];
		for (let round = 0; round < rounds; round++) counts.push(await countRequests(file, asked));
		console.log(`${name}  ${counts.map((count) => (count / 1000).toFixed(1)).join(", ")} thousand instructions each`);
		console.log(`${name}  median ${(median(counts) / 1000).toFixed(1)}`);
	}
}

async function countRequests(file: string, asked: (ready: never) => Asked): Promise<number> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-callgrind-"));
	const program = fileURLToPath(new URL(`./servers/${file}.ts`, import.meta.url));
	const options = ["--tool=callgrind", "--instr-atstart=no", `--callgrind-out-file=${join(directory, "counts")}`];
	const child = spawn("valgrind", [...options, process.execPath, program], {
		env: { ...process.env, BENCH_SLOW_CLOCK: "on" },
		stdio: ["ignore", "pipe", "ignore"],
	});
	const ended = once(child, "exit");
	const control = (...order: string[]) =>
		execFileSync("callgrind_control", [...order, String(child.pid)], { stdio: "pipe" });
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	try {
		const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
		const target = asked(JSON.parse(line) as never);
		await ask(target, agent, warmUp);
		control("-i", "on");
		await ask(target, agent, 200);
		control("-z");
		await ask(target, agent, counted);
		control("-d");
		let all = 0;
		for (const name of await readdir(directory)) {
			const text = await readFile(join(directory, name), "utf8");
			all += Number(/^(?:totals|summary): (\d+)/m.exec(text)?.[1] ?? 0);
		}
		return all / counted;
	} finally {
		agent.destroy();
		child.kill("SIGTERM");
		await ended;
		await rm(directory, { recursive: true, force: true });
	}
}

/** Sends so many requests, one after the other on each connection. */
async function ask({ url, authorization }: Asked, agent: Agent, requests: number): Promise<void> {
	let left = requests;
	const askOne = () =>
		new Promise<void>((resolve, reject) => {
			get(url, { agent, headers: { authorization } }, (response) => {
				if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
				response.on("end", resolve).resume();
			}).on("error", reject);
		});
	const askOnOneConnection = async () => {
		while (left-- > 0) await askOne();
	};
	await Promise.all(Array.from({ length: connections }, askOnOneConnection));
}
