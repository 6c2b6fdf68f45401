import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { expect, it } from "vitest";
import { createReceiver } from "./support/open-engine.ts";

it("shows an example in the README that opens an engine as it stands", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./readme-example.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
	const { openEngine } = await import("./readme-example.ts");
	const { url, close } = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
	const directory = await mkdtemp(join(tmpdir(), "reelmill-readme-"));
	const engine = await openEngine(url, directory, {
		masterKey: new Uint8Array(32),
		logger: createRecordingLogger(),
		webhookTransport: createReceiver(),
	});
	const { api_key } = await engine.domains.create({ slug: "mine" });
	expect((await engine.keys.authenticate(`Bearer ${api_key}`)).kind).toBe("domain");
	await engine.stop();
	await close();
	await rm(directory, { recursive: true, force: true });
});
