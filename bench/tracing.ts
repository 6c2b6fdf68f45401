import autocannon from "autocannon";
import { median } from "./median.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

type Target = {
	readonly url: string;
	readonly requests: { readonly path: string; readonly headers: Record<string, string> }[];
};
type Measured = { readonly perSecond: number; readonly milliseconds: number };

const connections = 16;
const seconds = 5;

/**
 * Measures what tracing costs: an authenticated GET of a video by a server that traces nothing, by one that records
 * each request, and by one that records one of a hundred. Prints requests per second and milliseconds of CPU a request,
 * of the server's process alone, the three in turn, and the ratios to the first. The collector runs on the same
 * machine, and takes its share.
 */
export async function tracing(rounds = 3): Promise<void> {
	const opened: { stop(): Promise<void> }[] = [];
	const start = async <Ready>(...all: [string, ...string[]]): Promise<ServerProcess<Ready>> => {
		const server = await startServer<Ready>(...all);
		opened.push(server);
		return server;
	};
	try {
		const collector = await start<{ url: string }>("collector");
		const servers: Readonly<Record<string, ServerProcess<Target>>> = {
			off: await start("engine"),
			all: await start("engine", collector.ready.url, "1"),
			"1 %": await start("engine", collector.ready.url, "0.01"),
		};
		const measured: Record<string, Measured[]> = { off: [], all: [], "1 %": [] };
		for (const server of Object.values(servers)) await measure(server, 2);
		for (let round = 0; round < rounds; round++)
			for (const [name, server] of Object.entries(servers)) {
				const one = await measure(server, seconds);
				measured[name]?.push(one);
				console.log(
					`tracing  ${name.padEnd(4)} ${one.perSecond.toFixed(0).padStart(6)} /s ${one.milliseconds.toFixed(3)} ms of CPU`,
				);
			}
		const ratio = (name: string, key: keyof Measured): string =>
			median(
				(measured[name] ?? []).map((one, round) => one[key] / (measured.off?.[round]?.[key] ?? Number.NaN)),
			).toFixed(2);
		const off = median(measured.off?.map(({ milliseconds }) => milliseconds) ?? []);
		for (const name of ["all", "1 %"]) {
			const more = median(measured[name]?.map(({ milliseconds }) => milliseconds) ?? []) - off;
			console.log(
				`tracing  ${name}: ${ratio(name, "perSecond")} of the requests a second, ${ratio(name, "milliseconds")} of the CPU`,
				`a request, which is ${more.toFixed(3)} ms more`,
			);
		}
	} finally {
		for (const server of opened.reverse()) await server.stop();
	}
}

async function measure(server: ServerProcess<Target>, duration: number): Promise<Measured> {
	const before = server.ownCpuSeconds();
	const { url, requests } = server.ready;
	const answered = await autocannon({ url, connections, duration, requests });
	if (answered.non2xx > 0 || answered.errors > 0)
		throw new Error(`${answered.non2xx} answers were not 2xx, ${answered.errors} requests failed`);
	const spent = server.ownCpuSeconds() - before;
	return { perSecond: answered.requests.average, milliseconds: (spent * 1000) / answered.requests.total };
}
