import { setTimeout as sleep } from "node:timers/promises";
import type { EditOf } from "../../../history/entries.ts";
import type { History } from "../../../history/history.ts";
import type { Random } from "../../../plan/random.ts";
import type { Clips } from "../../../processes/content.ts";
import type { AskServer } from "../../../processes/told-requests.ts";
import type { Origin } from "../../origin.ts";
import type { Tenant } from "../tenants.ts";
import { createClips } from "./clips.ts";
import type { Context, Edited } from "./context.ts";
import { createEdits } from "./edits.ts";
import { createImports } from "./imports.ts";

/** What each video has: those that the workers without ffmpeg made are nothing to look at. */
const ofAll = ["captions", "chapters", "metadata"] as const satisfies EditOf[];
const share = 1 / 3;
const shareOfImports = 1 / 5;
const mostReads = 90;
/** How long videos are that the workers without ffmpeg made. */
const unrealSeconds = 1;

/**
 * Creates tenants who edit some finished videos: captions, chapters, title and poster, all at once. They cut clips out
 * of them, and import others.
 */
export function createEditor({
	history,
	random,
	askServer,
	serverCount,
	tenants,
	origin,
	clips,
	pictures,
	isOfOneRelease,
}: {
	history: History;
	random: Random;
	askServer: AskServer;
	serverCount: number;
	tenants: readonly Tenant[];
	origin: Origin;
	clips: Clips;
	pictures: Context["pictures"];
	/** Whether all servers know clips and posters; otherwise nobody asks for any. */
	isOfOneRelease: boolean;
}) {
	let isOpen = true;
	const ask: Context["ask"] = ({ apiKey }, what, { headers, ...question }) =>
		askServer(what, random.integer(0, serverCount - 1), {
			...question,
			headers: { ...headers, authorization: `Bearer ${apiKey}` },
		}).catch(() => null);
	const context: Context = {
		...{ history, random, pictures, ask },
		isOpen: () => isOpen,
		async read(tenant, what, path) {
			for (let tries = 1; ; tries++) {
				const answer = await ask(tenant, what, { method: "GET", path });
				if (answer?.status !== 429 || tries === mostReads) return answer;
				await sleep(1000);
			}
		},
	};
	const edits = createEdits(context);
	const cuts = createClips(context);
	const startImport = createImports(context, { origin, clips });
	const edited = new Map<string, Edited>();
	const running = new Set<Promise<void>>();
	const run = (work: Promise<void>): void => {
		const ran: Promise<void> = work.finally(() => running.delete(ran));
		running.add(ran);
	};

	const domains = new Map<string, { tenant: Tenant; isImported: boolean }>();
	const ready = new Map<string, number>();
	const begin = (video: string): void => {
		const [owned, seconds] = [domains.get(video), ready.get(video)];
		if (owned === undefined || seconds === undefined || edited.has(video)) return;
		const one: Edited = { tenant: owned.tenant, video, seconds, sent: {} };
		edited.set(video, one);
		if (!isOpen) return;
		const isReal = seconds !== unrealSeconds;
		if (isReal && isOfOneRelease) {
			run(edits.edit(one, "poster", random.integer(1, 3)));
			for (let clips = random.integer(1, 3); clips > 0; clips--) run(cuts.cut(one, `clip-${clips}-of-${video}`));
		}
		// The first title of an imported video came with the import.
		if (!random.chance(share) && !owned.isImported) return;
		for (const of of ofAll) run(edits.edit(one, of, of === "metadata" && owned.isImported ? 2 : 1));
	};
	history.onEntry((entry) => {
		if (entry.kind === "initiated") {
			const tenant = tenants.find(({ domain }) => domain === entry.domain);
			if (tenant === undefined) return;
			const isImported = entry.intent === "import";
			domains.set(entry.video, { tenant, isImported });
			if (!isImported && isOpen && random.chance(shareOfImports)) run(startImport(tenant));
			begin(entry.video);
		}
		if (entry.kind !== "received" || entry.type !== "video.ready") return;
		ready.set(entry.video, entry.seconds ?? unrealSeconds);
		begin(entry.video);
	});
	return {
		/** Begins nothing more; resolves when no request is left. */
		async close() {
			isOpen = false;
			await Promise.all(running);
		},
		/** Reads everything that was edited, and records which edit it has, and the clips. */
		async readAll() {
			for (const one of edited.values()) {
				const parts = new Set<EditOf>(Object.keys(one.sent) as EditOf[]);
				if (domains.get(one.video)?.isImported) parts.add("metadata");
				for (const of of parts) await edits.readBack(one, of);
			}
			await cuts.readBack((video) => edited.get(video));
		},
	};
}
export type Editor = ReturnType<typeof createEditor>;
