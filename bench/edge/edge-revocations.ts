import { setTimeout as sleep } from "node:timers/promises";
import { startNginxEdge } from "../../packages/edge/test/support/nginx-edge.ts";
import { wanted } from "../wanted.ts";
import { openClient } from "./ask.ts";
import { openOrigin } from "./origin.ts";

const viewersAtOnce = 100;
const betweenMilliseconds = 100;
/** A viewer who is not stopped by then counts as one who isn't stopped at all. */
const mostSeconds = 15;

/**
 * Revokes so many viewers, and shows how long each of them still gets a private file from an edge of nginx: from the
 * service's answer to the revocation until the last answer with the file. A hundred viewers at once ask every 100 ms,
 * and are revoked at moments that are spread over two seconds.
 */
export async function edgeRevocations(tries = 1000): Promise<void> {
	const origin = await openOrigin(1, 100_000);
	const edge = await startNginxEdge(origin);
	const client = openClient();
	try {
		await origin.settled();
		const file = `${edge.url}/videos/${origin.videos[0]}/hls/master.m3u8`;
		const stopsAfter = async (viewer: string): Promise<number> => {
			const key = await origin.mint(viewer);
			let revokedAt = Number.POSITIVE_INFINITY;
			const revokeSoon = async () => {
				await sleep(1000 + Math.random() * 2000);
				await origin.revoke(viewer);
				revokedAt = performance.now();
			};
			for (let lastAt = Number.NaN; ; await sleep(betweenMilliseconds)) {
				const { status } = await client.ask(file, { key });
				const now = performance.now();
				if (status === 200) {
					if (Number.isNaN(lastAt)) void revokeSoon();
					lastAt = now;
				}
				if (status === 401 && !Number.isNaN(lastAt)) return Math.max(0, lastAt - revokedAt) / 1000;
				if (status !== 200 && status < 500) throw new Error(`${file} answered ${status}`);
				if (now - revokedAt > mostSeconds * 1000) return mostSeconds;
			}
		};
		const seconds: number[] = [];
		while (seconds.length < tries) {
			const count = Math.min(viewersAtOnce, tries - seconds.length);
			const viewers = Array.from({ length: count }, (_, index) => `viewer ${seconds.length + index}`);
			seconds.push(...(await Promise.all(viewers.map(stopsAfter))));
		}
		const sorted = seconds.toSorted((one, other) => one - other);
		const quantile = (share: number) => (sorted[Math.ceil(share * tries) - 1] as number).toFixed(2);
		console.log(
			`${tries} viewers stopped after ${quantile(0.5)} s in the median, 99 of 100 after ${quantile(0.99)} s, all after ${quantile(1)} s (wanted: ${wanted["edge-revocations"]})`,
		);
	} finally {
		client.close();
		await edge.stop();
		await origin.stop();
	}
}
