import { existsSync, statSync } from "node:fs";
import { findProgram } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";
import { capture } from "./spawn.mjs";
import { addToStamp, readStamp } from "./stamp.mjs";

/**
 * A program that comes from the system and not from npm.
 * @typedef {{ name: string, find: () => string | undefined, debian: string, brew?: string, setting?: string, needs?: {
 * encoders: string[], filters: string[] } }} Program
 */

/**
 * A program that Debian has in a package, maybe where only root looks.
 * @param {string} name
 * @param {string} [debian]
 * @param {string} [brew]
 * @returns {Program}
 */
const program = (name, debian = name, brew = undefined) => ({
	name,
	find: () => findProgram(name) ?? findProgram(`/usr/sbin/${name}`),
	debian,
	...(brew && { brew }),
});

/** A file that Debian has in a package. @type {(name: string, path: string, debian: string) => Program} */
const file = (name, path, debian) => ({ name, find: () => (existsSync(path) ? path : undefined), debian });

/** @type {Program} */
export const ffmpeg = {
	...program("ffmpeg", "ffmpeg", "ffmpeg-full"),
	find: () => findProgram(process.env.REELMILL_FFMPEG || "ffmpeg"),
	setting: "REELMILL_FFMPEG",
	needs: { encoders: ["libx264", "libsvtav1"], filters: ["zscale"] },
};
/** @type {Program} */
export const ffprobe = {
	...program("ffprobe", "ffmpeg", "ffmpeg-full"),
	find: () => findProgram(process.env.REELMILL_FFPROBE || "ffprobe"),
	setting: "REELMILL_FFPROBE",
};
/** Keeps ffmpeg in a sandbox; there is none for macOS. */
export const bubblewrap = program("bwrap", "bubblewrap");
export const chromium = program("chromium");
/** @type {Program} */
export const firefox = {
	...program("firefox-esr"),
	find: () => findProgram("firefox-esr") ?? findProgram("firefox"),
};
/** Ceph's gateway, the S3 server of the tests, with the daemons and the command that it needs. */
export const s3Server = [program("radosgw"), program("ceph-mon"), program("ceph-osd"), program("ceph", "ceph-common")];
/** A reverse proxy in front of the server, and what makes its certificate. */
export const reverseProxy = [program("nginx", "nginx", "nginx"), program("openssl", "openssl", "openssl")];
/** The module by which nginx decides as an edge. */
export const njs = file("nginx's njs", "/usr/lib/nginx/modules/ngx_http_js_module.so", "libnginx-mod-http-js");
/** A cache that is an edge. */
export const varnish = program("varnishd", "varnish", "varnish");
/** What makes the clock of a program wrong. */
export const wrongClock = file(
	"libfaketime",
	`/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`,
	"libfaketime",
);
/** Another reverse proxy. */
export const haproxy = program("haproxy", "haproxy", "haproxy");
/** What tries the alert rules. */
export const promtool = program("promtool", "prometheus", "prometheus");
/** Networks of namespaces, as the tests of a fleet need them; Linux alone has them. */
export const iproute = program("ip", "iproute2");
/** The proxy of compose.yaml, and what its health check asks with. */
export const caddy = [program("caddy", "caddy", "caddy"), program("wget", "wget", "wget")];
/** The pooler that the database tests run behind. */
export const pgbouncer = program("pgbouncer", "pgbouncer", "pgbouncer");
/** What delivery is measured by. */
export const wrk = program("wrk", "wrk", "wrk");
/**
 * What breaks a disk under a program: a compiler for the library that it loads, and a file system of its own. Linux
 * alone has them.
 */
export const diskFaults =
	process.platform === "linux"
		? [
				program("cc", "gcc"),
				file("the C library's headers", "/usr/include/stdio.h", "libc6-dev"),
				program("mkfs.ext4", "e2fsprogs"),
			]
		: [];
/** What builds an image without a container engine, and makes the Debian that it stands on. */
export const imageBuilders = [program("buildah"), program("debootstrap")];
/** Copies storage each night. */
export const rsync = program("rsync");
/** Judges the files of the firewall. */
export const nftables = program("nft", "nftables");
/** Judges the units of systemd. */
export const systemd = program("systemd-analyze", "systemd");
const speechFolder = "/usr/share/pocketsphinx";
/** Recorded speech and what understands it, for the tests of transcripts. */
export const speech = [
	program("pocketsphinx_continuous", "pocketsphinx"),
	file("pocketsphinx's English model", `${speechFolder}/model/en-us`, "pocketsphinx-en-us"),
	file("pocketsphinx's recorded speech", `${speechFolder}/test/data/goforward.raw`, "pocketsphinx-testdata"),
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
