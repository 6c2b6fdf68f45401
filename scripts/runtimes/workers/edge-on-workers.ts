import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, it } from "vitest";
import { casesWithout } from "../../../packages/edge/test/edge-cases.ts";
import { openOtherEdge, type Subject } from "../../../packages/edge/test/support/open-edge.ts";
import { root } from "../../setup/paths.mjs";

/** What is used of Miniflare, which is installed beside the other runtimes. */
type Miniflare = { ready: Promise<URL>; dispose(): Promise<void> };
const { Miniflare } = (await import(
	pathToFileURL(join(process.env.REELMILL_RUNTIMES ?? "", "miniflare/dist/src/index.js")).href
)) as { Miniflare: new (options: object) => Miniflare };

async function bundledWorker(options: object): Promise<string> {
	const { outputFiles } = await build({
		absWorkingDir: root,
		stdin: {
			contents: `import { createWorker } from "./packages/edge/src/workers.ts";\nexport default createWorker(${JSON.stringify(options)});`,
			resolveDir: root,
		},
		bundle: true,
		format: "esm",
		platform: "browser",
		target: "es2024",
		conditions: ["workerd", "worker", "browser"],
		write: false,
	});
	return outputFiles[0]?.text ?? "";
}

describe.each(["ES256", "EdDSA"] as const)("an edge on Workers, with keys of %s,", (algorithm) => {
	let subject: Subject;
	beforeAll(async () => {
		subject = await openOtherEdge(
			async (service) => {
				const script = await bundledWorker({ service: service.url, domains: service.domains.slice(0, 1) });
				const worker = new Miniflare({ modules: true, script, compatibilityDate: "2026-04-01", cache: true });
				return { url: (await worker.ready).href.replace(/\/$/, ""), stop: () => worker.dispose() };
			},
			{ algorithm },
		);
	});
	afterAll(() => subject.close());

	const cases = casesWithout({
		"raw-requests": "a worker gets a normal form of each address, and no empty header",
		"shared-work": "what one request began, another one must not await",
	});
	it.each(cases)("$name", ({ run }) => run(subject));
});
