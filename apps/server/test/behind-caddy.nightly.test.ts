import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { type Behind, keepsTheGuidesPromises, startBehind } from "./support/behind-proxy.ts";
import { startCaddy } from "./support/caddy.ts";
import { guideBlock } from "./support/guide-block.ts";

let behind: Behind | undefined;
afterEach(() => behind?.close());

it("behind Caddy, as the guide configures it, an upload that is cut goes on where it was, and the operators' paths are closed to others", async () => {
	const configuration = await guideBlock("caddyfile");
	behind = await startBehind((place) => startCaddy(place, configuration));
	await keepsTheGuidesPromises(behind, { refused: 404, protocol: "h2" });
});

it("the same holds behind the Caddyfile of compose.yaml", async () => {
	const file = await readFile(new URL("../../../deploy/compose/Caddyfile", import.meta.url), "utf8");
	const site = file
		.slice(file.indexOf("{$SITE_ADDRESS} {"))
		.replace("{$SITE_ADDRESS}", "video.example.com")
		.replace("{$ADMIN_NETWORKS}", "127.0.0.1");
	behind = await startBehind((place) => {
		const [host, port] = place.behind.split(":");
		const own = site.replace("dynamic a server 8787", `dynamic a ${host} ${port}`);
		expect(own).toContain(`dynamic a ${host} ${port}`);
		return startCaddy(place, own);
	});
	await keepsTheGuidesPromises(behind, { refused: 404, protocol: "h2" });
});
