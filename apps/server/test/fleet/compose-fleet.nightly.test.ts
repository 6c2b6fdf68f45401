import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSource } from "../../../../packages/worker/test/support/make-source.ts";
import { help } from "../../src/config.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { startOn } from "./processes.ts";
import type { Visit } from "./visit.ts";

const commandLine = fileURLToPath(new URL("../../../../packages/cli/src/main.ts", import.meta.url));
const visitor = fileURLToPath(new URL("visit.ts", import.meta.url));
let fleet: Fleet;

/** Returns the guide's block of commands that holds these words. */
async function blockOf(words: string): Promise<string> {
	const guide = await readFile(new URL("../../../../docs/guides/many-machines.md", import.meta.url), "utf8");
	const blocks = Array.from(guide.matchAll(/^```sh\n(.*?)^```$/gms), ([, text = ""]) => text);
	const found = blocks.find((text) => text.includes(words));
	if (found === undefined) throw new Error(`no block of the guide has ${words}`);
	return found;
}

beforeAll(async () => {
	fleet = await startFleet({ server: 3, transcoder: 4 });
});
afterAll(() => fleet?.close());

describe("three servers and four transcoders of compose.yaml", () => {
	it("take an upload through the proxy although one server is killed on the way, encode it, and play it by key", async () => {
		const { server = [], transcoder = [] } = fleet.running;
		const addresses = server.map(({ host }) => host.addresses.edge ?? "");
		const { REELMILL_DOMAIN, REELMILL_ADMIN_KEY = "" } = fleet.secrets;
		const visiting = startOn(fleet.visitor, {
			program: process.execPath,
			args: [visitor, `https://${REELMILL_DOMAIN}`, REELMILL_ADMIN_KEY, ...addresses],
			environment: { NODE_EXTRA_CA_CERTS: fleet.certificate },
		});
		try {
			await visiting.says("uploading on ");
			const [, busy] = /uploading on (\S+)/.exec(visiting.said()) ?? [];
			const killed = server.find(({ host }) => host.addresses.edge === busy);
			expect(killed).toBeDefined();
			await killed?.stop("SIGKILL");
			await visiting.says("saw ");
			await visiting.stop();
		} finally {
			await visiting.stop("SIGKILL");
		}
		const visit = JSON.parse(/^saw (.*)$/m.exec(visiting.said())?.[1] ?? "") as Visit;
		expect(visit.closed).toEqual([404, 404]);
		expect(visit.firstBackend).toBe(help.includes("REELMILL_STORAGE_DEFAULT") ? "s3_platform" : "local");
		expect(visit.keptBytes).toBeGreaterThanOrEqual(visit.acknowledgedBytes);
		expect(visit.keptBytes).toBeLessThan(visit.sentBytes);
		expect([visit.state, visit.withoutKey]).toEqual(["available", 401]);
		expect(visit.master).toContain("#EXT-X-STREAM-INF");
		expect(visit.played.length).toBeGreaterThanOrEqual(3);
		for (const [path, status, bytes] of visit.played) expect([path, status, bytes > 0]).toEqual([path, 200, true]);
		// Each transcoder is seen by a name of its own, although all have one account.
		expect([...visit.workers].sort()).toEqual(transcoder.map(({ host }) => `transcoders/${host.name}`));
		// Nothing of a video is on the disk of the machine that took it.
		const kept = await readdir(fleet.dataOf("server"), { recursive: true });
		expect(kept.filter((path) => join("/", path).includes(".mp4"))).toEqual([]);
	});

	it("take a clip by the guide's commands", async () => {
		const commands = await blockOf("npx reelmill upload");
		const directory = join(fleet.dataOf("server"), "visitor");
		await mkdir(directory);
		await writeFile(join(directory, "clip.mp4"), await makeSource(1));
		/** What Docker and npx do here: a container's file is one of this machine, the command line is the tree's. */
		const shims = `docker() {
	for last; do :; done
	case "$2" in cp) cp "$CERTIFICATE" "$last" ;; exec) cat "$DATA/$(basename "$last")" ;; esac
}
npx() { shift; "$NODE" "$CLI" "$@"; }
`;
		const visiting = startOn(fleet.visitor, {
			program: "sh",
			args: [
				"-euc",
				`cd "$HOME"\n${shims}${commands.replaceAll("https://localhost", `https://${fleet.secrets.REELMILL_DOMAIN}`)}`,
			],
			environment: {
				HOME: directory,
				NODE: process.execPath,
				CLI: commandLine,
				DATA: fleet.dataOf("server"),
				CERTIFICATE: fleet.certificate,
			},
		});
		await visiting.ended;
		expect([visiting.child.exitCode, visiting.said()]).toEqual([0, expect.stringContaining("available")]);
	});
});
