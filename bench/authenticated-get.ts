import autocannon from "autocannon";
import { median } from "./median.ts";
import { startServer } from "./server-process.ts";
import { wanted } from "./wanted.ts";

type Request = { readonly path: string; readonly headers: Record<string, string> };
type Target = { readonly url: string; readonly requests: Request[]; readonly page: Request[] };

const connections = 64;
const seconds = 3;

/**
 * Measures an authenticated GET of 200 available videos in turn, and of a page of 100, against a bare node:http server
 * that answers the same requests with JSON of the same shape. Prints requests per second, the two in turn, and the ratio
 * of each pair.
 */
export async function authenticatedGet(rounds = 3): Promise<void> {
	await using servers = new AsyncDisposableStack();
	const serve = async (name: string): Promise<Target> => {
		const server = await startServer<Target>(name);
		servers.defer(server.stop);
		return server.ready;
	};
	const [bare, engine] = [await serve("bare"), await serve("engine")];
	for (const [what, kind] of [
		["authenticated GET", "requests"],
		["page of 100", "page"],
	] as const) {
		for (const target of [bare, engine]) await measure(target, kind, 1);
		const ratios: number[] = [];
		for (let round = 0; round < rounds; round++) {
			const [reference, ours] = [await measure(bare, kind, seconds), await measure(engine, kind, seconds)];
			ratios.push(ours / reference);
			console.log(
				`${what}  bare ${reference.toFixed(0)} /s  ours ${ours.toFixed(0)} /s  ratio ${(ours / reference).toFixed(2)}`,
			);
		}
		console.log(`${what}  median ratio ${median(ratios).toFixed(2)} (wanted: ${wanted[what]})`);
	}
}

/** Each connection begins at another request, so that few ask for the same at the same time. */
async function measure({ url, ...target }: Target, kind: "requests" | "page", duration: number): Promise<number> {
	const requests = target[kind];
	let begun = 0;
	const setupClient = (client: autocannon.Client) => {
		const first = Math.floor((requests.length * begun++) / connections);
		client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
	};
	const { requests: answered, non2xx, errors } = await autocannon({ url, connections, duration, setupClient });
	if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} requests failed`);
	return answered.average;
}
