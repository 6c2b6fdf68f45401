import { hostname } from "node:os";
import { resolve } from "node:path";
import { limits } from "@reelmill/contracts";
import { defaultWindows } from "@reelmill/engine";
import { commandLineNames, describeSettings, readSettings, values } from "@reelmill/settings";

const prefix = "REELMILL_";
const day = 86_400;

const table = {
	BASE_URL: {
		description: "The address that users reach this server by.",
		value: values.address,
		shown: "http://127.0.0.1 and the port",
	},
	HOST: { description: "The address to listen on.", value: values.text, fallback: "127.0.0.1" },
	PORT: { description: "The port to listen on; 0 takes a free one.", value: values.integer(0, 65_535), fallback: 8787 },
	OPS_PORT: {
		description: "A port of its own for /ready and /metrics; 0 takes a free one. Don't let it be reached from outside.",
		value: values.integer(0, 65_535),
		shown: "not served",
	},
	OPS_HOST: {
		description: "The address that the operations port listens on.",
		value: values.text,
		fallback: "127.0.0.1",
	},
	DRAIN_SECONDS: {
		description: "How long running requests may take when the server is told to stop.",
		value: values.integer(0, 3600),
		fallback: 25,
	},
	DATABASE_URL: {
		description:
			"PostgreSQL 15 or later, as postgres://user:password@host:port/name; several hosts as host:port,host:port, of which the one that takes writes is used.",
		value: values.text,
		shown: "an embedded server in the data directory",
	},
	DATA_DIR: {
		description: "Where uploads, outputs, keys and the embedded database are kept.",
		value: values.text,
		fallback: "./.reelmill",
	},
	MASTER_KEY: {
		description: "At least 32 bytes in hexadecimal or base64; every token and sealed secret hangs on it.",
		value: values.secret(32),
		shown: "made once in the data directory",
	},
	MASTER_KEY_PREVIOUS: {
		description:
			"While the master key changes: the ones before it, or the next one, comma-separated; docs/guides/master-key.md has the steps.",
		value: values.secrets(32),
		fallback: [],
		shown: "none",
	},
	MASTER_KEY_LOST: {
		description:
			"The fingerprint of a master key that is lost for good, as the refusal of another one names it: what it sealed can't be read any more.",
		value: values.text,
		shown: "none",
	},
	ADMIN_KEY: {
		description:
			"The key of the admin plane, at least 32 characters, sent as Authorization: Bearer; without it that plane answers 401 to everyone.",
		value: values.password(32),
	},
	WEBHOOK_ALLOW_CIDRS: {
		description: "Private addresses that webhooks may be sent to, as CIDRs, comma-separated.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	STORAGE_LOCATIONS: {
		description:
			"A JSON file that lists the buckets which domains may choose as s3_platform; docs/guides/storage-profiles.md shows one.",
		value: values.text,
		shown: "none",
	},
	STORAGE_ALLOW_CIDRS: {
		description: "Private addresses that tenants' buckets may be at, as CIDRs, comma-separated.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	STORAGE_SILENCE_SECONDS: {
		description:
			"How long a bucket may take no bytes of an upload or an output and say nothing. Raise it where the way to a bucket is slower than 2 MB/s.",
		value: values.integer(2, 300),
		fallback: 6,
	},
	DELIVERY_MEMORY_BYTES: {
		description: "Memory for outputs that are asked for again and again; 0 for none.",
		value: values.integer(0, Number.MAX_SAFE_INTEGER),
		shown: "128 MiB",
	},
	SENDFILE: {
		description:
			"off: outputs on the disk are always read and written, also where the kernel could send them itself. For network disks.",
		value: values.oneOf("on", "off"),
		fallback: "on",
	},
	TRUSTED_PROXIES: {
		description: "Proxies in front of this server, as CIDRs, comma-separated: their X-Forwarded-For is believed.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	WORKER_CIDRS: {
		description:
			"Networks of one's own transcoders, as CIDRs, comma-separated: their requests for tokens are counted by the account, not by the address.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	WAITING_CONNECTIONS: {
		description:
			"How many connections may wait for a request, new ones and kept ones; then the one that has waited longest is closed. Of what ulimit -n allows.",
		value: values.integer(16, 1_000_000),
		fallback: 512,
	},
	WAITING_CONNECTIONS_PER_ADDRESS: {
		description: "The same for new ones of one client's address, which trusted proxies are not bound by.",
		value: values.integer(4, 1_000_000),
		fallback: 64,
	},
	EMBEDDED_WORKERS: {
		description: "Videos that this process transcodes at once; 0 leaves the work to transcoders.",
		value: values.integer(0, 64),
		fallback: 1,
	},
	CHUNK_WORKERS: {
		description:
			"Workers on different machines, the embedded ones among them, that one video may be spread over, this one included; 1 for none.",
		value: values.integer(1, 64),
		fallback: 8,
	},
	SPEED: {
		description:
			"Of AV1: balanced for fewer bits, fast for less than half of the time, auto for fast while the queue is long.",
		value: values.oneOf("auto", "balanced", "fast"),
		fallback: "auto",
	},
	PLAYABLE_FIRST: {
		description: "on: H.264 is encoded ahead of AV1 and played as soon as it is done, before the video is available.",
		value: values.oneOf("on", "off"),
		fallback: "off",
	},
	FFMPEG: { description: "The ffmpeg program for embedded workers.", value: values.text, fallback: "ffmpeg" },
	FFPROBE: { description: "The ffprobe program for embedded workers.", value: values.text, fallback: "ffprobe" },
	CONFINEMENT: {
		description:
			"Whether ffmpeg is kept from files, network and rights that it doesn't need: required refuses the start where that can't be done wholly, preferred does what can be done. Jobs of the sandbox require it, unless this is off.",
		value: values.oneOf("required", "preferred", "off"),
		fallback: "preferred",
	},
	WHISPER_MODEL: {
		description: "A Whisper model file in whisper.cpp's format, for transcripts by embedded workers.",
		value: values.text,
		shown: "no transcripts",
	},
	TRANSCRIBER: {
		description:
			"A program that makes transcripts by embedded workers, in place of a model: it is given a WAV file's path and prints WebVTT or JSON.",
		value: values.text,
		shown: "none",
	},
	MAX_FILE_BYTES: {
		description: "The largest upload on this installation, whatever a domain allows.",
		value: values.integer(1, limits.maxFileBytes),
		fallback: limits.maxFileBytes,
	},
	MAX_DURATION_SECONDS: {
		description: "The longest video on this installation, whatever a domain allows.",
		value: values.integer(1, limits.maxDurationSeconds),
		fallback: limits.maxDurationSeconds,
	},
	DAILY_UPLOAD_BYTES: {
		description: "Bytes that all domains together may upload in one UTC day.",
		value: values.integer(1, Number.MAX_SAFE_INTEGER),
		shown: "any number",
	},
	ARCHIVE_BYTES: {
		description: "The most that a worker's archive may hold once extracted.",
		value: values.integer(1, Number.MAX_SAFE_INTEGER),
		fallback: limits.archiveBytes,
	},
	PENDING_UPLOAD_SECONDS: {
		description: "An upload that isn't complete after this long expires.",
		value: values.integer(1, day),
		fallback: defaultWindows.pendingUpload,
	},
	LOCK_SECONDS: {
		description: "A worker that is silent for this long loses its job.",
		value: values.integer(1, day),
		fallback: defaultWindows.lock,
	},
	PROCESSING_SECONDS: {
		description: "Processing that takes longer, over all attempts, fails.",
		value: values.integer(1, 7 * day),
		fallback: defaultWindows.processing,
	},
	QUEUE_SECONDS: {
		description: "A video that no worker took within this long times out.",
		value: values.integer(1, 30 * day),
		fallback: defaultWindows.queue,
	},
	WEBHOOK_SCHEDULE_SECONDS: {
		description: "The wait before each of a webhook's six attempts, comma-separated.",
		value: values.numbers(limits.webhookAttempts),
		fallback: defaultWindows.webhookSchedule,
	},
	WEBHOOK_LOG_DAYS: {
		description:
			"How many days a webhook delivery stays in the log, to be looked at and replayed, after its last attempt; a pending one stays.",
		value: values.integer(1, 3650),
		fallback: defaultWindows.webhookLog / day,
	},
	KEEP_DELETED_DAYS: {
		description:
			"How many days after its deletion the row of a video stays, and that of a sandbox session's video after the session.",
		value: values.integer(1, 3650),
		fallback: defaultWindows.keepDeleted / day,
	},
	KEEP_ENDED_DAYS: {
		description: "How many days an expired or cancelled video can still be asked for.",
		value: values.integer(1, 3650),
		fallback: defaultWindows.keepEnded / day,
	},
	KEEP_USAGE_DAYS: {
		description: "How many days it is known what a domain used on a day.",
		value: values.integer(2, 3650),
		fallback: defaultWindows.keepUsage / day,
	},
	ROTATION_GRACE_SECONDS: {
		description: "How long the key or secret before a rotation still works, where the rotation doesn't say.",
		value: values.integer(0, day),
		fallback: defaultWindows.rotationGrace,
	},
	SANDBOX: {
		description: "off: no sandbox sessions; keys of earlier ones end, their videos go when their time is over.",
		value: values.oneOf("on", "off"),
		fallback: "on",
	},
	SANDBOX_SECONDS: {
		description: "How long a sandbox session's key works, and how long its videos are kept.",
		value: values.integer(1, 30 * day),
		fallback: defaultWindows.sandbox,
	},
	CHECK_AGE_SECONDS: {
		description:
			"How long a row or an object must have been left alone before reelmill check says anything of it. Shorter ones are for tests.",
		value: values.integer(1, 30 * day),
		fallback: defaultWindows.untouched,
	},
	SWEEP_SECONDS: {
		description: "Time between two looks for what only time brings about.",
		value: values.integer(1, 3600),
		fallback: defaultWindows.sweep,
	},
	LOG_LEVEL: {
		description: "The least that is logged: debug, info, warn or error.",
		value: values.oneOf("debug", "info", "warn", "error"),
		fallback: "warn",
	},
} as const;

/** Everything that the environment decides. Throws a SettingsError. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env) {
	const settings = readSettings(table, environment, prefix, { ignored: commandLineNames });
	const { REELMILL_URL: commandLineUrl } = environment;
	return { ...settings, commandLineUrl, DATA_DIR: resolve(settings.DATA_DIR), workerName: hostname() };
}
export type Config = ReturnType<typeof readConfig>;

export const help = `Reelmill's reference server: the API, uploads, delivery and, by default, one transcoder.

Usage: reelmill-server [--help]

Settings, from the environment:
${describeSettings(table, prefix)}
`;
