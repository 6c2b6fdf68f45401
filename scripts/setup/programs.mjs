import { existsSync, statSync } from "node:fs";
import { capture } from "../spawn.mjs";
import { findProgram } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";
import { addToStamp, readStamp } from "./stamp.mjs";

/**
 * A program that comes from the system and not from npm.
 * @typedef {{ name: string, find: () => string | undefined, debian: string, brew?: string, setting?: string, needs?: {
 * encoders: string[], filters: string[] } }} Program
 */

/** @type {Program} */
export const ffmpeg = {
	name: "ffmpeg",
	find: () => findProgram(process.env.REELMILL_FFMPEG || "ffmpeg"),
	debian: "ffmpeg",
	brew: "ffmpeg-full",
	setting: "REELMILL_FFMPEG",
	needs: { encoders: ["libx264", "libsvtav1"], filters: ["zscale"] },
};
/** @type {Program} */
export const ffprobe = {
	name: "ffprobe",
	find: () => findProgram(process.env.REELMILL_FFPROBE || "ffprobe"),
	debian: "ffmpeg",
	brew: "ffmpeg-full",
	setting: "REELMILL_FFPROBE",
};
/** Keeps ffmpeg in a sandbox; there is none for macOS. @type {Program} */
export const bubblewrap = { name: "bwrap", find: () => findProgram("bwrap"), debian: "bubblewrap" };
/** @type {Program} */
export const chromium = { name: "chromium", find: () => findProgram("chromium"), debian: "chromium" };
/** @type {Program} */
export const firefox = {
	name: "firefox-esr",
	find: () => findProgram("firefox-esr") ?? findProgram("firefox"),
	debian: "firefox-esr",
};
/** Ceph's gateway, the S3 server of the tests, with the daemons and the command that it needs. @type {Program[]} */
export const s3Server = [
	{ name: "radosgw", find: () => findProgram("radosgw"), debian: "radosgw" },
	{ name: "ceph-mon", find: () => findProgram("ceph-mon"), debian: "ceph-mon" },
	{ name: "ceph-osd", find: () => findProgram("ceph-osd"), debian: "ceph-osd" },
	{ name: "ceph", find: () => findProgram("ceph"), debian: "ceph-common" },
];
/** Debian has it where only root looks. */
const findNginx = () => findProgram("nginx") ?? findProgram("/usr/sbin/nginx");
/** A reverse proxy in front of the server, and what makes its certificate. @type {Program[]} */
export const reverseProxy = [
	{ name: "nginx", find: findNginx, debian: "nginx", brew: "nginx" },
	{ name: "openssl", find: () => findProgram("openssl"), debian: "openssl", brew: "openssl" },
];
/** Networks of namespaces, as the tests of a fleet need them; Linux alone has them. @type {Program} */
export const iproute = {
	name: "ip",
	find: () => findProgram("ip") ?? findProgram("/usr/sbin/ip"),
	debian: "iproute2",
};
/** The proxy of compose.yaml, and what its health check asks with. @type {Program[]} */
export const caddy = [
	{ name: "caddy", find: () => findProgram("caddy"), debian: "caddy", brew: "caddy" },
	{ name: "wget", find: () => findProgram("wget"), debian: "wget", brew: "wget" },
];
/** What delivery is measured against, and by. @type {Program[]} */
export const webServer = [
	{ name: "nginx", find: () => findProgram("nginx"), debian: "nginx", brew: "nginx" },
	{ name: "wrk", find: () => findProgram("wrk"), debian: "wrk", brew: "wrk" },
];
/**
 * What breaks a disk under a program: a compiler for the library that it loads, and a file system of its own. Linux
 * alone has them. @type {Program[]}
 */
export const diskFaults =
	process.platform === "linux"
		? [
				{ name: "cc", find: () => findProgram("cc"), debian: "gcc" },
				{
					name: "the C library's headers",
					find: () => (existsSync("/usr/include/stdio.h") ? "/usr/include/stdio.h" : undefined),
					debian: "libc6-dev",
				},
				{
					name: "mkfs.ext4",
					find: () => findProgram("mkfs.ext4") ?? findProgram("/usr/sbin/mkfs.ext4"),
					debian: "e2fsprogs",
				},
			]
		: [];
/** What builds an image without a container engine, and makes the Debian that it stands on. @type {Program[]} */
export const imageBuilders = [
	{ name: "buildah", find: () => findProgram("buildah"), debian: "buildah" },
	{
		name: "debootstrap",
		find: () => findProgram("debootstrap") ?? findProgram("/usr/sbin/debootstrap"),
		debian: "debootstrap",
	},
];
/** Copies storage each night. @type {Program} */
export const rsync = { name: "rsync", find: () => findProgram("rsync"), debian: "rsync" };
/** Judges the files of the firewall. @type {Program} */
export const nftables = {
	name: "nft",
	find: () => findProgram("nft") ?? findProgram("/usr/sbin/nft"),
	debian: "nftables",
};
/** Judges the units of systemd. @type {Program} */
export const systemd = { name: "systemd-analyze", find: () => findProgram("systemd-analyze"), debian: "systemd" };
const speechFolder = "/usr/share/pocketsphinx";
/** @param {string} path */
const speechFile = (path) => (existsSync(`${speechFolder}/${path}`) ? `${speechFolder}/${path}` : undefined);
/** Recorded speech and what understands it, for the tests of transcripts. @type {Program[]} */
export const speech = [
	{ name: "pocketsphinx_continuous", find: () => findProgram("pocketsphinx_continuous"), debian: "pocketsphinx" },
	{ name: "pocketsphinx's English model", find: () => speechFile("model/en-us"), debian: "pocketsphinx-en-us" },
	{
		name: "pocketsphinx's recorded speech",
		find: () => speechFile("test/data/goforward.raw"),
		debian: "pocketsphinx-testdata",
	},
];

/**
 * Sees to it that each program is there: as root on Debian or Ubuntu by installing it.
 * @param {Program[]} programs
 * @throws {SetupError} with one sentence that says what to install
 */
export async function preparePrograms(programs) {
	const missing = programs.filter((program) => !program.find());
	for (const { setting } of missing) {
		if (setting && process.env[setting])
			throw new SetupError(
				`${setting} names ${process.env[setting]}, where there is no program: correct it, or leave it out.`,
			);
	}
	if (missing.length > 0) await installOrExplain(missing);
	for (const program of programs) await proveAbilities(program);
}

/** @param {Program[]} missing */
async function installOrExplain(missing) {
	const names = missing.map((program) => program.name).join(", ");
	const packages = [...new Set(missing.map((program) => program.debian))];
	const command = `apt-get install ${packages.join(" ")}`;
	const aptGet = findProgram("apt-get");
	if (!aptGet || process.getuid?.() !== 0) throw new SetupError(`Missing: ${names}. ${howToInstall(missing, command)}`);
	const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	process.stderr.write(`Installing ${packages.join(", ")} with apt-get...\n`);
	// Another apt-get may be at work, such as the nightly upgrade of Debian: this one waits for its lock.
	const patient = ["-o", "DPkg::Lock::Timeout=300"];
	for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...packages]]) {
		const { code, output } = await capture(aptGet, [...patient, ...args], { environment });
		if (code !== 0)
			throw new SetupError(
				`${output.trim()}\n\nMissing: ${names}. apt-get ${args[0]} failed, see above; install ${packages.join(", ")} by hand.`,
			);
	}
	const still = missing.filter((program) => !program.find());
	if (still.length > 0)
		throw new SetupError(`Missing: ${still.map((program) => program.name).join(", ")}, also after ${command}.`);
}

/**
 * @param {Program[]} missing
 * @param {string} debian
 */
function howToInstall(missing, debian) {
	if (process.platform === "darwin") {
		const formulas = [...new Set(missing.map((program) => program.brew).filter(Boolean))];
		if (formulas.length > 0) return `Install with: brew install ${formulas.join(" ")}`;
	}
	return `Install with (Debian, Ubuntu): sudo ${debian}`;
}

/** @param {Program} program */
async function proveAbilities({ name, find, needs, setting }) {
	const path = find();
	if (!needs || !path) return;
	const { mtimeMs, size } = statSync(path);
	const seen = `${path} ${mtimeMs} ${size} ${JSON.stringify(needs)}`;
	if (readStamp()[name] === seen) return;
	for (const [kind, wanted] of Object.entries(needs)) {
		const { output } = await capture(path, ["-hide_banner", `-${kind}`]);
		const absent = wanted.filter((one) => !output.includes(` ${one} `));
		if (absent.length > 0) {
			throw new SetupError(
				`The ffmpeg at ${path} lacks ${absent.join(" and ")}: install one that has ${wanted.join(" and ")} (Debian 12, Ubuntu 22.04 or newer: apt-get install ffmpeg; macOS: brew install ffmpeg-full), or name one in ${setting}.`,
			);
		}
	}
	addToStamp({ [name]: seen });
}
