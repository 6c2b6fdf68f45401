import { setTimeout as sleep } from "node:timers/promises";
import type { EditOf } from "../../history/entries.ts";
import type { History } from "../../history/history.ts";
import type { Random } from "../../plan/random.ts";
import type { AskServer } from "../../processes/told-requests.ts";
import type { Tenant } from "./tenants.ts";

/** Where each is edited and read, and how a number is said in it. */
const parts: Readonly<Record<EditOf, { path: string; type: string; say(number: number): string }>> = {
	captions: {
		path: "captions/de",
		type: "text/vtt",
		say: (number) => `WEBVTT\n\n00:00.000 --> 00:00.900\nedit ${number}\n`,
	},
	chapters: {
		path: "chapters",
		type: "application/json",
		say: (number) => JSON.stringify({ chapters: [{ start_seconds: 0, title: `edit ${number}` }] }),
	},
};
const kinds = Object.keys(parts) as EditOf[];
const share = 1 / 3;
const mostEdits = 4;
const mostReads = 90;

/** Creates tenants who edit the captions and the chapters of some finished videos, both at once. */
export function createEditor({
	history,
	random,
	askServer,
	serverCount,
	tenants,
}: {
	history: History;
	random: Random;
	askServer: AskServer;
	serverCount: number;
	tenants: readonly Tenant[];
}) {
	let isOpen = true;
	const edited = new Map<string, Tenant>();
	const running = new Set<Promise<void>>();

	const ask = (tenant: Tenant, video: string, of: EditOf, number: number | null) =>
		askServer(number === null ? `read ${of}` : `edit ${of}`, random.integer(0, serverCount - 1), {
			method: number === null ? "GET" : "PUT",
			path: `/v1/videos/${video}/${parts[of].path}`,
			headers: {
				authorization: `Bearer ${tenant.apiKey}`,
				...(number !== null && { "content-type": parts[of].type }),
			},
			body: number === null ? undefined : Buffer.from(parts[of].say(number)),
		}).catch(() => null);
	const edit = async (tenant: Tenant, video: string, of: EditOf): Promise<void> => {
		const edits = random.integer(1, mostEdits);
		for (let number = 1; number <= edits && isOpen; number++) {
			await sleep(random.integer(0, 1500));
			history.add({ kind: "edits", video, of, number });
			const answer = await ask(tenant, video, of, number);
			if (answer?.status === 200) history.add({ kind: "edited", video, of, number });
		}
	};
	const domains = new Map<string, Tenant>();
	history.onEntry((entry) => {
		if (entry.kind === "initiated") {
			const tenant = tenants.find(({ domain }) => domain === entry.domain);
			if (tenant !== undefined && random.chance(share)) domains.set(entry.video, tenant);
		}
		if (entry.kind !== "received" || entry.type !== "video.ready" || !isOpen) return;
		const tenant = domains.get(entry.video);
		if (tenant === undefined || edited.has(entry.video)) return;
		edited.set(entry.video, tenant);
		for (const of of kinds) {
			const editing: Promise<void> = edit(tenant, entry.video, of).finally(() => running.delete(editing));
			running.add(editing);
		}
	});
	return {
		/** Edits no more; resolves when no request is left. */
		async close() {
			isOpen = false;
			await Promise.all(running);
		},
		/** Reads everything that was edited, and records which edit it has. A tenant has 200 requests a minute. */
		async readAll() {
			for (const [video, tenant] of edited)
				for (const of of kinds) {
					let answer = await ask(tenant, video, of, null);
					for (let tries = 1; answer?.status === 429 && tries < mostReads; tries++) {
						await sleep(1000);
						answer = await ask(tenant, video, of, null);
					}
					const said = /edit (\d+)/.exec(answer?.body.toString() ?? "")?.[1];
					history.add({ kind: "read-edit", video, of, number: said === undefined ? null : Number(said) });
				}
		},
	};
}
export type Editor = ReturnType<typeof createEditor>;
