import autocannon from "autocannon";
import { median } from "./median.ts";
import { startServer } from "./server-process.ts";
import type { DeliveryServer } from "./servers/delivery.ts";

const connections = 16;
const seconds = 3;
/** As many clients as it takes to count them apart. */
const addresses = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`);

/**
 * Measures the serving of a small playlist with its requests counted in PostgreSQL, against the same without counting.
 * Prints requests per second, in turn, and the ratio of each pair.
 */
export async function rateLimits(rounds = 5): Promise<void> {
	const server = await startServer<DeliveryServer>("delivery");
	try {
		const { publicPlaylist: path, uncounted, counted } = server.ready;
		for (const url of [uncounted, counted]) await measure(url, path, 1);
		const ratios: number[] = [];
		for (let round = 0; round < rounds; round++) {
			const [reference, ours] = [await measure(uncounted, path, seconds), await measure(counted, path, seconds)];
			ratios.push(ours / reference);
			console.log(
				`rate limits  uncounted ${reference.toFixed(0)} /s  counted ${ours.toFixed(0)} /s `,
				`ratio ${(ours / reference).toFixed(2)}`,
			);
		}
		console.log(`rate limits  median ratio ${median(ratios).toFixed(2)}`);
	} finally {
		await server.stop();
	}
}

async function measure(url: string, path: string, duration: number): Promise<number> {
	const requests = addresses.map((address) => ({ path, headers: { "x-forwarded-for": address } }));
	const { requests: answered, non2xx, errors } = await autocannon({ url, connections, duration, requests });
	if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} requests failed`);
	return answered.average;
}
