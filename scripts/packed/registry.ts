import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listPackages } from "../packages/list.ts";
import { pack, published } from "../packages/pack.ts";
import { run } from "../setup/spawn.mjs";

/** A registry that has this repository's packages, as if they were published. */
export type Registry = {
	/** What npm needs in its environment to ask there. It sends npm on for all that isn't this repository's. */
	readonly environment: Readonly<Record<string, string>>;
	close(): void;
};

/**
 * Packs every package into the folder `tarballs`, and serves them on this machine as npm's registry does.
 *
 * @throws {Error} when a package can't be packed; the message is what was printed.
 */
export async function serveRegistry(tarballs: string): Promise<Registry> {
	await pack(published(), tarballs);
	const packages = new Map<string, { readonly document: (address: string) => object; readonly tarball: Buffer }>();
	for (const { manifest } of listPackages()) {
		const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
		const tarball = readFileSync(`${tarballs}/${file}`);
		const packed = JSON.parse(await run("tar", ["-xOf", file, "package/package.json"], tarballs));
		const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
		const document = (address: string) => ({
			name: manifest.name,
			"dist-tags": { latest: manifest.version },
			versions: {
				[manifest.version]: { ...packed, dist: { tarball: `${address}/${manifest.name}.tgz`, integrity } },
			},
		});
		packages.set(manifest.name, { document, tarball });
	}
	const others = (await run("npm", ["config", "get", "registry"], tarballs)).trim();
	const server = createServer((request, response) => {
		const path = decodeURIComponent((request.url ?? "").slice(1));
		const found = packages.get(path.replace(/\.tgz$/, ""));
		if (found === undefined) response.writeHead(302, { location: new URL(`.${request.url}`, others).href }).end();
		else if (path.endsWith(".tgz")) response.end(found.tarball);
		else response.end(JSON.stringify(found.document(`http://${request.headers.host}`)));
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	const { port } = server.address() as AddressInfo;
	const address = `http://127.0.0.1:${port}/`;
	return {
		environment: { npm_config_registry: address },
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
