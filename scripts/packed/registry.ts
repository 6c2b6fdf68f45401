import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { listPackages } from "../packages/list.ts";
import { pack, published, tarballOf } from "../packages/pack.ts";
import { run } from "../setup/spawn.mjs";

/**
 * Packs every package into the folder `tarballs`, and serves them on this machine as npm's registry does, which it sends
 * npm on to for all that isn't this repository's.
 *
 * @throws {Error} when a package can't be packed; the message is what was printed.
 */
export async function serveRegistry(tarballs: string): Promise<{ readonly address: string; close(): void }> {
	await pack(published(), tarballs);
	const others = (await run("npm", ["config", "get", "registry"], tarballs)).trim();
	const answers = new Map<string, string | Buffer>();
	const server = createServer((request, response) => {
		const answer = answers.get(decodeURIComponent((request.url ?? "").slice(1)));
		if (answer === undefined) response.writeHead(302, { location: new URL(`.${request.url}`, others).href }).end();
		else response.end(answer);
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	const { port } = server.address() as AddressInfo;
	const address = `http://127.0.0.1:${port}/`;
	for (const each of listPackages()) {
		const { name, version } = each.manifest;
		const file = tarballOf(each);
		const tarball = readFileSync(join(tarballs, file));
		const packed = JSON.parse(await run("tar", ["-xOf", file, "package/package.json"], tarballs));
		const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
		const versions = { [version]: { ...packed, dist: { tarball: `${address}${name}.tgz`, integrity } } };
		answers.set(name, JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
		answers.set(`${name}.tgz`, tarball);
	}
	return {
		address,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
