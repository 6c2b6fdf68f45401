import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { run, runToEnd } from "../setup/spawn.mjs";

/** Where the images and their building lie. */
export const imageFolder: string = join(root, "dist/image");

/** Images of this script's own, so that nothing of the machine's is touched. */
const storage = [
	...["--root", join(imageFolder, "storage")],
	...["--runroot", join(imageFolder, "run")],
	...["--storage-driver", "vfs"],
];

/** The certificates that this machine trusts, which a proxy between it and the registry may need. */
const certificates = "/etc/ssl/certs/ca-certificates.crt";

/**
 * Runs buildah and returns what it printed.
 *
 * @throws {Error} with what it printed if it fails.
 */
export async function buildah(...args: string[]): Promise<string> {
	return (await run("buildah", [...storage, ...args])).trim();
}

/** Makes a Debian as slim as the image `debian:bookworm-slim`, unless an earlier run has made it; returns its name. */
export async function makeBase(): Promise<string> {
	const name = "localhost/reelmill-base";
	if ((await buildah("images", "--quiet", "--filter", `reference=${name}`)) !== "") return name;
	const context = join(imageFolder, "base");
	mkdirSync(context, { recursive: true });
	const system = join(context, "system");
	if (!existsSync(join(system, "etc/debian_version")))
		await show("debootstrap", "--variant=minbase", "bookworm", system);
	const unneeded = ["var/cache", "var/lib/apt/lists", "var/log", "usr/share/doc", "usr/share/man", "usr/share/locale"];
	await run("find", [...unneeded.map((path) => join(system, path)), "-type", "f", "-delete"]);
	await run("tar", ["-C", system, "--sort=name", "--mtime=@0", "-cf", join(context, "base.tar"), "."]);
	writeFileSync(join(context, "Containerfile"), "FROM scratch\nADD base.tar /\n");
	await buildah("build", "--isolation", "chroot", "--timestamp", "0", "--tag", name, context);
	return name;
}

/**
 * Builds the Containerfile as `reelmill`, with all times set to `epoch`; returns the digests of its layers. The image's
 * id says less: Debian's buildah writes the random name of its working container beside them.
 */
export async function buildImage(base: string, epoch: string): Promise<string> {
	const given = ["--build-arg", `BASE=${base}`];
	if (existsSync(certificates))
		given.push("--build-arg", "CERTIFICATES=/run/trusted.crt", "--volume", `${certificates}:/run/trusted.crt:ro`);
	const how = ["--format", "docker", "--isolation", "chroot", "--network", "host", "--layers=false", "--no-cache"];
	const file = ["--file", join(root, "Containerfile"), root];
	await show("buildah", ...storage, "build", ...how, "--timestamp", epoch, ...given, "--tag", "reelmill", ...file);
	const digests = "{{range .OCIv1.RootFS.DiffIDs}}{{.}} {{end}}";
	return buildah("inspect", "--type", "image", "--format", digests, "localhost/reelmill");
}

/** Runs a program with its output shown; rejects if it fails. */
async function show(program: string, ...args: string[]): Promise<void> {
	const code = await runToEnd(program, args);
	if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}.`);
}
