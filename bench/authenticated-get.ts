import autocannon from "autocannon";
import { median } from "./median.ts";
import { startServer } from "./server-process.ts";

type Target = {
	readonly url: string;
	readonly requests: { readonly path: string; readonly headers: Record<string, string> }[];
};

const connections = 64;
const seconds = 3;

/**
 * Measures an authenticated GET of a video against a bare node:http server that answers the same request with JSON of
 * the same shape. Prints requests per second, the two in turn, and the ratio of each pair. The target is a ratio of at
 * least 0.5.
 */
export async function authenticatedGet(rounds = 3): Promise<void> {
	await using servers = new AsyncDisposableStack();
	const serve = async (name: string): Promise<Target> => {
		const server = await startServer<Target>(name);
		servers.defer(server.stop);
		return server.ready;
	};
	const [bare, engine] = [await serve("bare"), await serve("engine")];
	for (const target of [bare, engine]) await measure(target, 1);
	const ratios: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const [reference, ours] = [await measure(bare, seconds), await measure(engine, seconds)];
		ratios.push(ours / reference);
		console.log(
			`authenticated GET  bare ${reference.toFixed(0)} /s  ours ${ours.toFixed(0)} /s `,
			`ratio ${(ours / reference).toFixed(2)}`,
		);
	}
	console.log(`authenticated GET  median ratio ${median(ratios).toFixed(2)} (wanted: at least 0.5)`);
}

async function measure({ url, requests }: Target, duration: number): Promise<number> {
	const { requests: answered, non2xx, errors } = await autocannon({ url, connections, duration, requests });
	if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} requests failed`);
	return answered.average;
}
