import { chmod, cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";

/** The guide names it, too. */
export const version = "v3.6.12";
const lego = "github.com/go-acme/lego/v4";
const folder = join(root, "node_modules/.reelmill/traefik", version);

/** In place of the SDKs of a hundred providers of DNS: the guide's files use none, and some can't be had. */
const noProviders = `package dns

import (
	"fmt"

	"${lego}/challenge"
)

// NewDNSChallengeProviderByName knows no provider: their SDKs are left out of this build.
func NewDNSChallengeProviderByName(name string) (challenge.Provider, error) {
	return nil, fmt.Errorf("this build has no DNS provider: %s", name)
}
`;

/**
 * Builds Traefik from the Go module proxy, once, without the providers of ACME's DNS challenge and without a dashboard.
 * Returns the program's path. `go install` refuses the module, because it replaces others.
 *
 * @throws {Error} when Go is missing, or when a module can't be had.
 */
export async function buildTraefik(): Promise<string> {
	const program = join(folder, "traefik");
	if (findProgram(program) !== undefined) return program;
	const go = findProgram("go");
	if (go === undefined) throw new Error("Traefik is built with Go: install Go 1.26 or later.");
	console.log(`Building Traefik ${version}, which takes some minutes and 3 GB the first time.`);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const source = await copyModule(go, `github.com/traefik/traefik/v3@${version}`, "source");
	const within = (...args: string[]): Promise<string> => run(go, ["-C", source, ...args]);
	const { Version } = JSON.parse(await within("list", "-m", "-json", lego)) as { Version: string };
	const copy = await copyModule(go, `${lego}@${Version}`, "lego");
	await writeFile(join(copy, "providers/dns/zz_gen_dns_providers.go"), noProviders);
	await within("mod", "edit", "-replace", `${lego}=${copy}`);
	await within("build", "-o", program, "./cmd/traefik");
	await Promise.all([source, copy].map((path) => rm(path, { recursive: true })));
	return program;
}

/** Copies a module, whose own files are read-only, to a folder in which they can be changed. */
async function copyModule(go: string, module: string, name: string): Promise<string> {
	const { Dir } = JSON.parse(await run(go, ["mod", "download", "-json", module])) as { Dir: string };
	const copy = join(folder, name);
	await cp(Dir, copy, { recursive: true });
	await chmod(copy, 0o755);
	for (const entry of await readdir(copy, { recursive: true, withFileTypes: true }))
		await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
	return copy;
}
