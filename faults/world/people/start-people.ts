import type { History } from "../../history/history.ts";
import type { Random } from "../../plan/random.ts";
import type { Clips } from "../../processes/content.ts";
import { createAskServer } from "../../processes/told-requests.ts";
import type { UploaderSetup } from "../../processes/uploader.ts";
import type { Closing } from "../closing.ts";
import type { SmallDisk } from "../disks/small-disk.ts";
import type { Origin } from "../origin.ts";
import type { Pictures } from "../pictures.ts";
import type { Server } from "../processes/servers.ts";
import type { Supervised } from "../processes/supervised.ts";
import type { Scale } from "../scale.ts";
import { createEditor, type Editor } from "./editor/editor.ts";
import { createLyingWorker, type LyingWorker } from "./lying-worker.ts";
import type { Tenants } from "./tenants.ts";
import { startUploaders, type Uploaders } from "./uploaders.ts";
import { createViewer, type Viewer } from "./viewer.ts";
import { startTranscoder, startWorker } from "./workers.ts";

/** Those who use the service. */
export type People = {
	readonly workers: readonly Supervised[];
	/** Those of the workers that a scheduler places, each for one job. */
	readonly placed: readonly Supervised[];
	readonly viewer: Viewer;
	readonly editor: Editor;
	readonly lyingWorker: LyingWorker;
	readonly uploaders: Uploaders;
};

export type PeopleOptions = {
	readonly servers: readonly Server[];
	readonly tenants: Tenants;
	readonly clips: UploaderSetup["clips"];
	/** What is in the clips, and what they show. */
	readonly contents: Clips;
	readonly pictures: Readonly<Record<keyof Clips, Pictures>>;
	readonly origin: Origin;
	/** The program of another release that stands in for servers; undefined if none does. */
	readonly otherRelease?: string | undefined;
	readonly scale: Scale;
	readonly patience: number;
	readonly random: Random;
	readonly history: History;
	/** The folder for clocks. */
	readonly directory: string;
	readonly cacheDirectory: string;
	readonly workerDisk: SmallDisk;
	readonly log: (text: string) => void;
	readonly closing: Closing;
};

export function startPeople(options: PeopleOptions): People {
	const { servers, scale, patience, random, history, closing } = options;
	const { account, tenants } = options.tenants;
	const { workers, placed } = startWorkers(options);
	closing.add(() => Promise.all(workers.map((worker) => worker.stop())));
	const serverCount = servers.length;
	const clientRelays = servers.map((server) => server.clients.url);
	const viewer = createViewer({
		history,
		random: random.named("reader"),
		askServer: createAskServer({ relays: clientRelays, patience, who: "viewer", way: "clients", tell: history.add }),
		serverCount,
	});
	const editor = createEditor({
		history,
		random: random.named("editor"),
		askServer: createAskServer({ relays: clientRelays, patience, who: "editor", way: "clients", tell: history.add }),
		serverCount,
		tenants,
		clips: options.contents,
		pictures: options.pictures,
		origin: options.origin,
		// Workers are upgraded after the servers: an older one knows no jobs of posters, and no files of clips.
		isOfOneRelease: options.otherRelease === undefined,
	});
	const workerRelays = servers.map((server) => server.workers.url);
	const lyingWorker = createLyingWorker({
		askServer: createAskServer({ relays: workerRelays, patience, who: "liar", way: "workers", tell: history.add }),
		token: account.token,
		history,
		serverCount,
	});
	const underWay = countUnderWay(history);
	const uploaders = startUploaders(scale.uploaders, {
		...options,
		tenants,
		random: random.named("uploads"),
		room: () => underWay() < scale.workers * 2 + scale.uploaders,
	});
	closing.add(() => uploaders.stop());
	closing.add(() => Promise.all([viewer.close(), editor.close()]));
	return { workers, placed, viewer, editor, lyingWorker, uploaders };
}

const isPlaced = (index: number): boolean => index % 2 === 1;

function startWorkers({
	tenants,
	scale,
	random,
	workerDisk,
	...options
}: PeopleOptions): Pick<People, "workers" | "placed"> {
	const { account } = tenants;
	const workers = Array.from({ length: scale.workers }, (_, index) =>
		startWorker(index, { ...options, account, random: random.named(`worker ${index}`) }),
	);
	const transcoders = Array.from({ length: scale.transcoders }, (_, index) =>
		startTranscoder(index, {
			...options,
			account,
			random: random.named(`transcoder ${index}`),
			disk: workerDisk,
			isPlaced: isPlaced(index),
		}),
	);
	return { workers: [...workers, ...transcoders], placed: transcoders.filter((_, index) => isPlaced(index)) };
}

/** Returns a function that counts uploads that are complete and whose webhook has not come yet. */
function countUnderWay(history: History): () => number {
	const complete = new Set<string>();
	const told = new Set<string>();
	history.onEntry((entry) => {
		if (entry.kind === "finished") complete.add(entry.video);
		if (entry.kind === "received") told.add(entry.video);
	});
	return () => [...complete].filter((video) => !told.has(video)).length;
}
