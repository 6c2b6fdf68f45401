import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { type Behind, keepsTheGuidesPromises, startBehind } from "../../apps/server/test/support/behind-proxy.ts";
import { compressesPlaylists } from "../../apps/server/test/support/playlists-behind.ts";
import { version } from "./build.ts";
import { startTraefik } from "./start-traefik.ts";

let behind: Behind | undefined;
afterEach(() => behind?.close());

it("behind Traefik, as the guide configures it, an upload that is cut goes on where it was, and the operators' paths are closed to others", async () => {
	behind = await startBehind(startTraefik);
	await keepsTheGuidesPromises(behind, { refused: 404, protocol: "h2" });
});

compressesPlaylists("Traefik, as the guide configures it,", startTraefik);

it("is of the version that the guide names", async () => {
	const guide = await readFile(new URL("../../docs/guides/proxy-and-tls.md", import.meta.url), "utf8");
	expect(guide).toContain(`Traefik ${version.slice(1)}`);
});
