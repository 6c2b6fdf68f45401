import { setTimeout as sleep } from "node:timers/promises";
import { type Clips, contentOf } from "../../../processes/content.ts";
import type { Origin, Version } from "../../origin.ts";
import type { Tenant } from "../tenants.ts";
import type { Context } from "./context.ts";

const lookMilliseconds = 3000;
const mostTries = 8;
const shareOfCancelled = 1 / 10;
const ends = ["done", "failed", "cancelled"];
type Import = {
	readonly id: string;
	readonly status: string;
	readonly video_id: string | null;
	readonly file_size: number | null;
};

/**
 * Creates a function by which a tenant imports a video and looks until it is there. From then on it counts as an upload
 * of the file's bytes that was acknowledged whole.
 */
export function createImports(
	{ history, random, ask, isOpen }: Context,
	{ origin, clips }: { origin: Origin; clips: Clips },
) {
	let count = 0;
	const versionOf = (seed: number, size: number): Version => ({ ...contentOf(clips, seed, size), seed });
	const json = { "content-type": "application/json" };
	return async (tenant: Tenant): Promise<void> => {
		const number = ++count;
		const seed = random.integer(0, 2 ** 30);
		// Two seeds of the same clip, in other sizes.
		const size = Math.max(clips.short.length, clips.long.length) + random.integer(1000, 300_000);
		const versions = [versionOf(seed, size), versionOf(seed + 5, size + 100)] as const;
		const url = origin.publish(number, versions);
		const body = { url, visibility: "public", title: "edit 1", values: { edit: "1" } };
		const asked = { method: "POST", path: "/v1/imports", headers: { ...json, "idempotency-key": `import-${number}` } };
		history.add({ kind: "imports", number });
		let id: string | null = null;
		for (let tries = 0; tries < mostTries && isOpen(); tries++) {
			const answer = await ask(tenant, "import", { ...asked, body: Buffer.from(JSON.stringify(body)) });
			if (answer?.status === 202) {
				({ id } = JSON.parse(answer.body.toString()) as Import);
				history.add({ kind: "importing", number, id });
				// A key that was used gives the same import, as after a lost answer.
				if (random.chance(0.7)) break;
			} else if (answer !== null && answer.status < 500 && answer.status !== 429) break;
			await sleep(random.integer(50, 1000));
		}
		if (id === null) return;
		const path = `/v1/imports/${id}`;
		if (random.chance(shareOfCancelled)) {
			await sleep(random.integer(0, 5000));
			history.add({ kind: "cancels-import", number, id });
			await ask(tenant, "cancel import", { method: "DELETE", path });
		}
		for (let isLast = false; !isLast; ) {
			await sleep(lookMilliseconds);
			isLast = !isOpen();
			const askedAt = Date.now();
			const answer = await ask(tenant, "read import", { method: "GET", path });
			if (answer?.status !== 200) continue;
			const { status, video_id: video, file_size } = JSON.parse(answer.body.toString()) as Import;
			if (!ends.includes(status)) continue;
			const version = versions.find(({ bytes }) => bytes.length === file_size);
			if (status !== "done" || video === null) return;
			const { sha256, seed: of, bytes } = version ?? { sha256: "of another size", seed: -1, bytes: Buffer.of() };
			history.add({
				...{ kind: "initiated", video, domain: tenant.domain, size: bytes.length, sha256, seed: of, intent: "import" },
			});
			history.add({ kind: "acknowledged", video, offset: bytes.length, by: "head", askedAt });
			history.add({ kind: "finished", video });
			// Title and values came with the import.
			history.add({ kind: "edited", video, of: "metadata", number: 1 });
			return;
		}
	};
}
