import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { createEngine, type Engine, systemRandom } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { createImportSource } from "@reelmill/outbound";
import { createPgliteDatabase } from "@reelmill/postgres/pglite";
import { createMemoryObjectStorage } from "../storage/memory-object-storage.ts";
import { createMemoryUploadStore } from "../storage/memory-upload-store.ts";
import { createTestClock } from "./clock.ts";
import { createDeliveries } from "./deliveries.ts";
import type { HandledAnswer, HandledRequest, Operations, Started, ThreadOptions } from "./messages.ts";
import { noteSecrets } from "./note-secrets.ts";
import { createTestTransport, handlerUrl, ownNetwork } from "./webhook-transport.ts";
import { createWorkerPart } from "./worker-part.ts";

export type TestService = Omit<Operations, "start"> & { readonly started: Started };

/** Background work comes with `advance`; until then it would only keep a test's processor busy. */
const sweepSeconds = 3600;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Assembles a whole service of one domain on an empty database. It listens on an address of its own. */
export async function openTestService(
	pglite: PGlite,
	options: ThreadOptions,
	handle: (request: HandledRequest) => Promise<HandledAnswer>,
): Promise<TestService> {
	const database = createPgliteDatabase(pglite);
	const clock = createTestClock(options.startAt);
	const secrets = new Map<string, readonly string[]>();
	const transport = createTestTransport({
		handle: options.webhooks === true ? handle : null,
		secrets,
	});
	const importSource = createImportSource({ allow: ownNetwork });
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const engine = noteSecrets(
		createEngine({
			database,
			clock,
			random: { ...systemRandom, fraction: () => 0.5 },
			uploads: createMemoryUploadStore(),
			outputs: createMemoryObjectStorage(),
			webhookTransport: transport,
			importSource,
			windows: { sweep: sweepSeconds },
			masterKey: systemRandom.bytes(32),
			baseUrl,
			console: false,
			logger: silent,
		}),
		secrets,
	);
	const start = startOnce(engine);
	const adminKey = `admin-${systemRandom.uuid()}`;
	server.on("request", startingListener(createNodeListener(engine, { adminKey }), start));

	const { domain, api_key: apiKey } = await engine.domains.create({ slug: "test", limits: options.limits });
	const webhookSecret = options.config.webhook_secret ?? `whsec_${systemRandom.uuid().replaceAll("-", "")}`;
	const webhookUrl = options.webhooks === true ? handlerUrl : options.webhooks || null;
	await engine.domains.updateConfig(domain.id, {
		webhook_url: webhookUrl,
		...options.config,
		webhook_secret: webhookSecret,
	});

	const worker = createWorkerPart(engine, database);
	const deliveries = createDeliveries({ engine, database, clock });
	return {
		started: { baseUrl, apiKey, adminKey, webhookSecret, domainId: domain.id },
		async finish(id, media) {
			await start();
			const video = await worker.finish(id, media);
			await deliveries.settled();
			return video;
		},
		async fail(id, reason) {
			await start();
			const video = await worker.fail(id, reason);
			await deliveries.settled();
			return video;
		},
		advance: (seconds) => start().then(() => deliveries.advance(seconds)),
		settled: () => start().then(deliveries.settled),
		now: async () => clock.now(),
		async stop() {
			server.closeAllConnections();
			server.close();
			await engine.stop();
			await Promise.all([transport.close(), importSource.close()]);
			await pglite.close();
		},
	};
}

function startOnce(engine: Engine): () => Promise<void> {
	let started: Promise<void> | undefined;
	return () => (started ??= engine.start());
}

/**
 * Starts the engine's background work when the first request was answered: with it, that answer would take half a
 * second longer. A sandbox needs what the start prepares.
 */
function startingListener(listener: RequestListener, start: () => Promise<void>): RequestListener {
	return async (request, response) => {
		if (request.url?.startsWith("/v1/sandbox")) await start();
		response.once("close", () => void start().catch(() => undefined));
		listener(request, response);
	};
}
