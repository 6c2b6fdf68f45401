import { readFile } from "node:fs/promises";
import type { ProxyPlace, RunningProxy } from "./support/behind-proxy.ts";
import { startCaddy } from "./support/caddy.ts";
import { guideBlock } from "./support/guide-block.ts";
import { startNginx } from "./support/nginx.ts";
import { compressesPlaylists } from "./support/playlists-behind.ts";

/** The Caddyfile of compose.yaml, with one server behind. */
async function ofCompose({ behind }: ProxyPlace): Promise<string> {
	const file = await readFile(new URL("../../../deploy/compose/Caddyfile", import.meta.url), "utf8");
	const site = file.slice(file.indexOf("{$SITE_ADDRESS} {")).replace("{$SITE_ADDRESS}", "video.example.com");
	const [host, port] = behind.split(":");
	return site.replace("{$ADMIN_NETWORKS}", "127.0.0.1").replace("dynamic a server 8787", `dynamic a ${host} ${port}`);
}

const proxies: Readonly<Record<string, (place: ProxyPlace) => Promise<RunningProxy>>> = {
	"nginx, as the guide configures it,": async (place) => startNginx(place, await guideBlock("nginx")),
	"Caddy, as the guide configures it,": async (place) => startCaddy(place, await guideBlock("caddyfile")),
	"Caddy of compose.yaml": async (place) => startCaddy(place, await ofCompose(place)),
};

for (const [name, start] of Object.entries(proxies)) compressesPlaylists(name, start);
