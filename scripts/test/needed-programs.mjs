import { postgresql } from "../setup/postgresql.mjs";
import {
	bubblewrap,
	caddy,
	chromium,
	diskFaults,
	ffmpeg,
	ffprobe,
	firefox,
	haproxy,
	iproute,
	nftables,
	njs,
	pgbouncer,
	promtool,
	reverseProxy,
	rsync,
	s3Server,
	speech,
	systemd,
	varnish,
	wrk,
	wrongClock,
} from "../setup/programs.mjs";
import { sourcesOf } from "./sources.mjs";

/** @typedef {import("../setup/programs.mjs").Program} Program */

const sandbox = process.platform === "linux" ? [bubblewrap] : [];

/**
 * A source file that has such a name between quotes starts the program, or looks for it.
 * @type {readonly (readonly [name: RegExp, programs: readonly Program[]])[]}
 */
const starters = [
	[/"ff(?:mpeg|probe)"/, [ffmpeg, ffprobe, ...sandbox]],
	[/"bwrap"/, sandbox],
	[/"chromium"/, [chromium]],
	[/"firefox-esr"/, [firefox]],
	[/\bfindPostgresqlFolder\(/, [postgresql]],
	[/\bpgbouncer\.find\(/, [pgbouncer]],
	[/"nginx"/, reverseProxy],
	[/ngx_http_js_module/, [njs]],
	[/"varnishd"/, [varnish]],
	[/\bwrongClock\.find\(/, [wrongClock]],
	[/"wrk"/, [wrk]],
	[/"caddy"/, caddy],
	[/"haproxy"/, [haproxy]],
	[/"promtool"/, [promtool]],
	[/"netns"/, [iproute]],
	[/"radosgw"/, s3Server],
	[/"(?:pocketsphinx_continuous"|\/usr\/share\/pocketsphinx)/, speech],
	[/"systemd-analyze"/, [systemd]],
	[/"nft"/, [nftables]],
	[/reelmill-backup"/, [rsync]],
	[/"(?:cc|mkfs\.ext4)"/, diskFaults],
];

/**
 * Finds the programs that test files need: those that the files name, and all source files that they import or start.
 * @param {readonly string[]} files paths from the root
 * @param {NodeJS.ProcessEnv} environment names the S3 server of the tests, if it is not the machine's own
 * @returns {Program[]}
 */
export function programsFor(files, environment) {
	/** @type {Set<Program>} */
	const needed = new Set();
	for (const source of sourcesOf(files)) for (const program of programsOf(source)) needed.add(program);
	if (!environment.REELMILL_TEST_S3_ENDPOINT && files.some((file) => file.endsWith(".s3.test.ts")))
		for (const program of s3Server) needed.add(program);
	return [...needed];
}

/** What was found already. @type {WeakMap<import("./sources.mjs").Source, Program[]>} */
const found = new WeakMap();

/** @param {import("./sources.mjs").Source} source */
function programsOf(source) {
	const programs =
		found.get(source) ?? starters.flatMap(([name, programs]) => (name.test(source.text) ? programs : []));
	found.set(source, programs);
	return programs;
}
