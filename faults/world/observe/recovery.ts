import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Way } from "../../history/entries.ts";
import type { History } from "../../history/history.ts";
import type { Fault, FaultKind } from "../../plan/catalogue.ts";
import { type Answer, ask } from "../../processes/ask.ts";
import type { Tenant } from "../people/tenants.ts";
import type { World } from "../world.ts";

const waitsMilliseconds = 30_000;
const requestMilliseconds = 10_000;
const pauseMilliseconds = 40;
/** Kinds of faults by what must work again after them, if that is not a server. */
const ofBucket: readonly FaultKind[] = ["kill-gateway", "fail-storage"];
const ofWorkers: readonly FaultKind[] = ["kill-worker", "kill-all-workers"];
const ofClients: readonly FaultKind[] = ["kill-client", "kill-all-clients"];
const ofWebhooks: readonly FaultKind[] = ["drip-answers", "fail-names", "silence-names"];

/**
 * Measures after each fault how soon each server that it concerned does everything again: initiate, mint a key, take
 * bytes, end an upload, play. Only one measurement of each kind runs at a time. A process that ended counts from when
 * it reports that it is ready.
 */
export function watchRecovery(world: World, history: History, patience: number) {
	const running = new Map<FaultKind, Promise<void>>();
	const taken = new Set<string>();
	let lastServed: string | undefined;
	let turn = 0;
	history.onEntry((entry) => {
		if (entry.kind === "received" && entry.answer === "takes it") taken.add(entry.video);
		if (entry.kind === "served") lastServed = entry.video;
	});

	const probe = async (fault: Fault, server: number): Promise<void> => {
		const { process, clients, workers } = world.servers[server] as World["servers"][number];
		const broken = ofWorkers.includes(fault.kind)
			? world.workers
			: ofClients.includes(fault.kind)
				? world.uploaders.processes
				: [process];
		const url = "way" in fault && fault.way === ("workers" satisfies Way) ? workers.url : clients.url;
		const deadline = Date.now() + waitsMilliseconds * patience;
		while (!broken.every((each) => each.isUp() && !each.isFrozen()) && Date.now() < deadline - waitsMilliseconds / 2)
			await sleep(10);
		const since = Date.now();
		const inBucket = ofBucket.includes(fault.kind);
		const withWebhook = ofWebhooks.includes(fault.kind);
		const tenants = inBucket ? world.probes.bucket : world.probes.disk;
		/**
		 * Asks again and again, for one tenant after the other, and returns the first answer with one of these statuses.
		 */
		const insist = async (
			statuses: readonly number[],
			question: (tenant: Tenant) => Parameters<typeof ask>[0],
		): Promise<{ answer: Answer; tenant: Tenant } | null> => {
			while (Date.now() < deadline) {
				const tenant = tenants[turn++ % tenants.length] ?? tenants[0];
				const answer = await ask({ patienceMilliseconds: requestMilliseconds * patience, ...question(tenant) }).catch(
					() => null,
				);
				if (answer !== null && statuses.includes(answer.status)) return { answer, tenant };
				await sleep(pauseMilliseconds);
			}
			return null;
		};
		const isTold = async (video: string): Promise<boolean> => {
			while (!taken.has(video) && Date.now() < deadline) await sleep(pauseMilliseconds);
			return taken.has(video);
		};
		const isWhole = await servesAll(url, insist, () => lastServed, withWebhook ? isTold : undefined);
		const milliseconds = isWhole ? Date.now() - since : waitsMilliseconds * patience;
		history.add({ kind: "recovered", fault: fault.kind, server, since, milliseconds, inBucket, withWebhook });
	};

	return {
		/** Call it when a fault is over. Resolves when the service works again, or has not done so for half a minute. */
		async watch(fault: Fault): Promise<void> {
			const present = running.get(fault.kind);
			if (present) return present;
			const servers = "server" in fault ? [fault.server] : [...world.servers.keys()];
			const looking = Promise.all(servers.map((server) => probe(fault, server))).then(
				() => void running.delete(fault.kind),
			);
			running.set(fault.kind, looking);
			await looking;
		},
	};
}

type Insist = (
	statuses: readonly number[],
	question: (tenant: Tenant) => Parameters<typeof ask>[0],
) => Promise<{ answer: Answer; tenant: Tenant } | null>;
const bytes = randomBytes(2000);
const tus = { "tus-resumable": "1.0.0" };
const json = { "content-type": "application/json" };

/**
 * Does each part of the service once; returns false if one failed in the time. The video that is played may have been
 * deleted since.
 */
async function servesAll(
	url: string,
	insist: Insist,
	playable: () => string | undefined,
	told?: (video: string) => Promise<boolean>,
): Promise<boolean> {
	const initiated = await insist([201], ({ apiKey }) => ({
		url: `${url}/v1/videos`,
		method: "POST",
		headers: { ...json, authorization: `Bearer ${apiKey}` },
		body: Buffer.from(JSON.stringify({ content_type: "video/mp4", file_size: bytes.length, visibility: "public" })),
	}));
	if (!initiated) return false;
	const { video, upload } = JSON.parse(initiated.answer.body.toString()) as {
		video: { id: string };
		upload: { token: string };
	};
	const own = { ...tus, authorization: `Bearer ${upload.token}` };
	const path = `${url}/uploads/${video.id}`;
	const minted = await insist([201], () => ({
		url: `${url}/v1/playback-keys`,
		method: "POST",
		headers: { ...json, authorization: `Bearer ${initiated.tenant.apiKey}` },
		body: Buffer.from(JSON.stringify({ viewer_ref: "probe", video_ids: [video.id] })),
	}));
	const metadata = `video_id ${Buffer.from(video.id).toString("base64")}`;
	const created = await insist([201], () => ({
		url: `${url}/uploads`,
		method: "POST",
		headers: { ...own, "upload-length": String(bytes.length), "upload-metadata": metadata },
	}));
	const half = { ...own, "content-type": "application/offset+octet-stream", "upload-offset": "0" };
	// If an answer was lost, the offset is already further than the next attempt expects.
	const written = await insist([204, 409], () => ({
		url: path,
		method: "PATCH",
		headers: half,
		body: bytes.subarray(0, bytes.length / 2),
	}));
	const ended = await insist([204, 404, 409, 410], () => ({ url: path, method: "DELETE", headers: own }));
	const plays = playable();
	const played =
		plays === undefined ||
		(await insist([200, 401, 404], () => ({ url: `${url}/videos/${plays}/web.mp4`, method: "GET" })));
	return Boolean(minted && created && written && ended && played) && (told === undefined || told(video.id));
}
