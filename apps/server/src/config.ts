import { hostname } from "node:os";
import { resolve } from "node:path";
import { limits, playbackKeyAlgorithms } from "@reelmill/contracts";
import { defaultWindows } from "@reelmill/engine";
import {
	commandLineNames,
	describeSettings,
	describeTracingSettings,
	logLevel,
	operationsSettings,
	readSettings,
	readTracingSettings,
	settingsInForce,
	storageAllowCidrs,
	values,
	workerSettings,
} from "@reelmill/settings";

export const prefix = "REELMILL_";
const day = 86_400;

export const table = {
	BASE_URL: {
		description: "The address by which users reach this server.",
		value: values.address,
		shown: "http://127.0.0.1 and the port",
	},
	HOST: { description: "The address to listen on.", value: values.text, fallback: "127.0.0.1" },
	PORT: { description: "The port to listen on; 0 takes a free one.", value: values.integer(0, 65_535), fallback: 8787 },
	PROCESSES: {
		description:
			"How many processes answer requests on the port; auto for one per core. More than one use the cores of a " +
			"machine; the rest of the server's work is still done once.",
		value: values.autoOr(1, 64),
		fallback: 1,
	},
	...operationsSettings,
	DRAIN_SECONDS: {
		description: "How long running requests may take once the server is told to stop, in seconds.",
		value: values.integer(0, 3600),
		fallback: 25,
	},
	DATABASE_URL: {
		description:
			"PostgreSQL 15 or later, as postgres://user:password@host:port/name. Of several hosts, written as " +
			"host:port,host:port, the server uses the one that takes writes.",
		value: values.text,
		secret: true,
		shown: "an embedded server in the data directory",
	},
	DATABASE_CONNECTIONS: {
		description:
			"How many connections to the database the server has at most, its processes together, besides the one for " +
			"changes of the schema at its start; docs/guides/failover.md counts them.",
		value: values.integer(2, 1000),
		shown: "10, or 5 for each of several processes",
	},
	DATABASE_MIGRATION_URL: {
		description:
			"The database's address for changes of the schema at the start; needed only behind a pooler that ends long statements.",
		value: values.text,
		secret: true,
		shown: "REELMILL_DATABASE_URL",
	},
	DATA_DIR: {
		description: "The directory for uploads, outputs, keys and the embedded database.",
		value: values.text,
		fallback: "./.reelmill",
	},
	MASTER_KEY: {
		description: "At least 32 bytes in hexadecimal or base64; every token and every sealed secret depends on it.",
		value: values.secret(32),
		shown: "made once in the data directory",
	},
	MASTER_KEY_PREVIOUS: {
		description:
			"While the master key changes: the earlier keys, or the next one, comma-separated; " +
			"docs/guides/master-key.md has the steps.",
		value: values.secrets(32),
		fallback: [],
		shown: "none",
	},
	MASTER_KEY_LOST: {
		description:
			"The fingerprint of a master key that is lost for good, as the refusal of another key names it. " +
			"What the lost key sealed can't be read any more.",
		value: values.text,
		shown: "none",
	},
	PLAYBACK_KEY_ALGORITHM: {
		description:
			"How playback keys are signed. HS256: only the service can verify them; EdDSA or ES256: an edge, too, such as a " +
			"CDN's worker. Keys that were signed otherwise stay good until they end.",
		value: values.oneOf(...playbackKeyAlgorithms),
		fallback: "HS256",
	},
	ADMIN_KEY: {
		description:
			"The key of the admin plane, at least 32 characters, sent as Authorization: Bearer. " +
			"Without it the admin plane answers 401 to everyone.",
		value: values.password(32),
	},
	CONSOLE: {
		description: "off: no web console, neither its page under /console/ nor its sessions.",
		value: values.oneOf("on", "off"),
		fallback: "on",
	},
	CONSOLE_SECRET: {
		description: "Signs in to the web console as admin, at least 32 characters.",
		value: values.password(32),
		shown: "with the embedded database, made once in the data directory; otherwise none",
	},
	CONSOLE_ADMINS: {
		description:
			"E-mail addresses of the console's admins, comma-separated, whose accounts sign in at the identity provider. " +
			"The provider must say that it verified the address.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	CONSOLE_IDLE_SECONDS: {
		description: "How long a console session lasts in which nothing is asked.",
		value: values.integer(60, 30 * day),
		fallback: defaultWindows.consoleIdle,
	},
	CONSOLE_SESSION_SECONDS: {
		description: "How long a console session lasts in all.",
		value: values.integer(60, 365 * day),
		fallback: defaultWindows.consoleSession,
	},
	OIDC_ISSUER: {
		description:
			"The issuer of an OpenID Connect provider whose accounts may sign in to the console; " +
			"docs/guides/console.md shows the set-up.",
		value: values.text,
		shown: "none",
	},
	OIDC_CLIENT_ID: {
		description: "This installation's client at the provider.",
		value: values.text,
		shown: "none",
	},
	OIDC_CLIENT_SECRET: {
		description: "The client's secret.",
		value: values.password(1),
		shown: "none, as of a public client",
	},
	WEBHOOK_ALLOW_CIDRS: {
		description: "Private addresses that webhooks may be sent to, as CIDRs, comma-separated.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	IMPORT_ALLOW_CIDRS: {
		description: "Private addresses that videos may be imported from, as CIDRs, comma-separated.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	IMPORTS_AT_ONCE: {
		description: "How many imports this server fetches at once; 0 leaves them to other servers.",
		value: values.integer(0, 256),
		fallback: 4,
	},
	STORAGE_LOCATIONS: {
		description:
			"A JSON file with the buckets that domains may choose as s3_platform; docs/guides/storage-profiles.md shows one.",
		value: values.text,
		shown: "none",
	},
	STORAGE_DEFAULT: {
		description:
			"The id of the location in which new domains store, the first one included, until they choose another storage.",
		value: values.text,
		shown: "the data directory",
	},
	STORAGE_ALLOW_CIDRS: storageAllowCidrs,
	STORAGE_SILENCE_SECONDS: {
		description:
			"How long a bucket may take no bytes of an upload or output and not answer, in seconds. " +
			"Raise it if the connection to a bucket is slower than 2 MiB/s.",
		value: values.integer(2, 300),
		fallback: 6,
	},
	DELIVERY_MEMORY_BYTES: {
		description: "Memory for outputs that viewers often ask for, shared out over the processes; 0 for none.",
		value: values.integer(0, Number.MAX_SAFE_INTEGER),
		fallback: 128 * 2 ** 20,
		shown: "128 MiB",
	},
	DELIVERY_BYTES_PER_SECOND: {
		description:
			"How many bytes of videos a process sends to one client's address in a second; ten seconds' worth at once. " +
			"Beyond it, answers are slowed. Name your proxies in REELMILL_TRUSTED_PROXIES first: without, all their viewers " +
			"are one address.",
		value: values.integer(65_536, Number.MAX_SAFE_INTEGER),
		shown: "no limit",
	},
	SENDFILE: {
		description:
			"on: the kernel sends large outputs on the disk itself, if it can. off: the server reads and writes them; " +
			"meant for network disks.",
		value: values.oneOf("on", "off"),
		fallback: "on",
	},
	TRUSTED_PROXIES: {
		description: "Proxies in front of this server, as CIDRs, comma-separated. Their X-Forwarded-For is believed.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	WORKER_CIDRS: {
		description:
			"Networks of your own transcoders, as CIDRs, comma-separated. Their requests for tokens are counted " +
			"by the account, not by the address, and their new connections have no limit per address.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	SERVICE_NAME: {
		description: "The service account of your transcoders, which the servers keep if they have its secret.",
		value: values.text,
		fallback: "transcoders",
	},
	SERVICE_SECRET: {
		description:
			"The secret of that account, at least 32 characters, the same on servers and transcoders. " +
			"A new one replaces it at the next start; the one before works for the rotation's grace period.",
		value: values.password(32),
		shown: "none: accounts are made by the admin plane alone",
	},
	WAITING_CONNECTIONS: {
		description:
			"How many connections of a process, new and kept ones together, may wait for a request. Beyond it, the " +
			"connection that has waited longest is closed. Keep it well below ulimit -n.",
		value: values.integer(16, 1_000_000),
		fallback: 512,
	},
	WAITING_CONNECTIONS_PER_ADDRESS: {
		description:
			"The same for new connections of one client's address. Trusted proxies and networks of workers have no such limit.",
		value: values.integer(4, 1_000_000),
		fallback: 64,
	},
	EMBEDDED_WORKERS: {
		description: "How many videos this server transcodes at once; 0 leaves the work to transcoders.",
		value: values.integer(0, 64),
		fallback: 1,
	},
	...workerSettings,
	SPEED: {
		description:
			"How videos are encoded: balanced for fewer bits, fast for less work, auto for fast if the queue is long.",
		value: values.oneOf("auto", "balanced", "fast"),
		fallback: "auto",
	},
	PLAYABLE_FIRST: {
		description:
			"on: the smallest H.264 is encoded first and can be played as soon as it is done, before the video is available; of a video of a minute or more the first 30 s come even earlier.",
		value: values.oneOf("on", "off"),
		fallback: "off",
	},
	MAX_FILE_BYTES: {
		description: "The largest upload on this installation, in bytes, whatever a domain allows.",
		value: values.integer(1, limits.maxFileBytes),
		fallback: limits.maxFileBytes,
	},
	MAX_DURATION_SECONDS: {
		description: "The longest video on this installation, in seconds, whatever a domain allows.",
		value: values.integer(1, limits.maxDurationSeconds),
		fallback: limits.maxDurationSeconds,
	},
	DAILY_UPLOAD_BYTES: {
		description: "How many bytes all domains together may upload in one UTC day.",
		value: values.integer(1, Number.MAX_SAFE_INTEGER),
		shown: "any number",
	},
	ARCHIVE_BYTES: {
		description: "How many bytes a worker's archive may hold once it is extracted.",
		value: values.integer(1, Number.MAX_SAFE_INTEGER),
		fallback: limits.archiveBytes,
	},
	PENDING_UPLOAD_SECONDS: {
		description: "An upload that is not complete after this time expires.",
		value: values.integer(1, day),
		fallback: defaultWindows.pendingUpload,
	},
	LOCK_SECONDS: {
		description: "A worker that is silent for this time loses its job.",
		value: values.integer(1, day),
		fallback: defaultWindows.lock,
	},
	PROCESSING_SECONDS: {
		description: "Processing that takes longer, all attempts together, fails.",
		value: values.integer(1, 7 * day),
		fallback: defaultWindows.processing,
	},
	QUEUE_SECONDS: {
		description: "A video that no worker takes within this time times out.",
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
			"How many days after its last attempt a webhook delivery stays in the log, where it can be replayed. " +
			"Pending deliveries always stay.",
		value: values.integer(1, 3650),
		fallback: defaultWindows.webhookLog / day,
	},
	KEEP_DELETED_DAYS: {
		description: "How many days the row of a video stays after its deletion, or after the end of its sandbox session.",
		value: values.integer(1, 3650),
		fallback: defaultWindows.keepDeleted / day,
	},
	KEEP_ENDED_DAYS: {
		description: "How many days an expired or cancelled video can still be read.",
		value: values.integer(1, 3650),
		fallback: defaultWindows.keepEnded / day,
	},
	KEEP_FAILED_DAYS: {
		description:
			"How many days the source of a failed video is kept, so that it can be processed anew. A source that can't be " +
			"processed is deleted at once.",
		value: values.integer(0, 3650),
		fallback: 7,
	},
	KEEP_USAGE_DAYS: {
		description: "How many days a domain's usage of a day is kept.",
		value: values.integer(2, 3650),
		fallback: defaultWindows.keepUsage / day,
	},
	KEEP_AUDIT_DAYS: {
		description: "How many days the audit log tells who changed what.",
		value: values.integer(1, 3650),
		fallback: defaultWindows.keepAudit / day,
	},
	ROTATION_GRACE_SECONDS: {
		description: "How long the key or secret before a rotation still works, unless the rotation says another time.",
		value: values.integer(0, day),
		fallback: defaultWindows.rotationGrace,
	},
	SANDBOX: {
		description:
			"off: no sandbox sessions. Keys of earlier ones end at once; their videos end when their time is over.",
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
			"How long a row or an object must have been left alone before reelmill check reports it. " +
			"Only tests need a shorter time.",
		value: values.integer(1, 30 * day),
		fallback: defaultWindows.untouched,
	},
	SWEEP_SECONDS: {
		description: "How often the server looks for what has expired.",
		value: values.integer(1, 3600),
		fallback: defaultWindows.sweep,
	},
	LOG_LEVEL: { ...logLevel, fallback: "warn" },
} as const;

/**
 * Reads all settings from the environment.
 *
 * @throws {SettingsError} when a setting is unknown, missing or wrong.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env) {
	const settings = readSettings(table, environment, prefix, { ignored: commandLineNames });
	const { REELMILL_URL: commandLineUrl } = environment;
	const tracing = readTracingSettings(environment);
	const inForce = settingsInForce(table, environment, prefix);
	return {
		...settings,
		commandLineUrl,
		DATA_DIR: resolve(settings.DATA_DIR),
		workerName: hostname(),
		inForce,
		tracing,
	};
}
export type Config = ReturnType<typeof readConfig>;

export const help = `Reelmill's reference server: the API, uploads, delivery and, by default, one transcoder.

Usage: reelmill-server [--help | --version]

Settings, from the environment:
${describeSettings(table, prefix)}

Traces, by the variables of OpenTelemetry:
${describeTracingSettings()}`;
