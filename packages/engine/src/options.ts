import type { PlaybackKeyAlgorithm } from "@reelmill/contracts";
import type { SpeedSetting } from "./jobs/index.ts";
import type {
	BucketOpener,
	Clock,
	Database,
	ImportSource,
	Logger,
	ObjectStorage,
	Observer,
	Random,
	RateLimiter,
	StorageMark,
	Tracer,
	UploadStore,
	WebhookTransport,
} from "./ports/index.ts";
import type { PlatformLocation } from "./storage/index.ts";
import type { Windows } from "./windows.ts";

/** What an engine stands on: adapters of its ports, secrets, and how it is set up. */
export type EngineOptions = {
	readonly database: Database;
	/** Holds the raw uploads of domains that have no bucket of their own. */
	readonly uploads: UploadStore;
	/** Holds the finished outputs of the same domains. */
	readonly outputs: ObjectStorage;
	/**
	 * A mark in the storage of `uploads` and `outputs` that identifies it (default: none). With a mark, the engine uses
	 * only the storage in which its database's files lie, and refuses to start over another one.
	 */
	readonly storageMark?: StorageMark;
	/** Opens the buckets that domains choose (default: none; all domains store in `uploads` and `outputs`). */
	readonly buckets?: BucketOpener;
	/** Buckets of the platform that domains may choose (default: none). */
	readonly storageLocations?: readonly PlatformLocation[];
	/**
	 * The id of the location in which new domains store until they choose (default: none; they store in `uploads` and
	 * `outputs`). Domains that exist already stay where they are.
	 */
	readonly storageDefault?: string;
	/** Sends webhooks. */
	readonly webhookTransport: WebhookTransport;
	/** Fetches videos from addresses (default: none; then `imports.create` is `imports_unavailable`). */
	readonly importSource?: ImportSource;
	/** How many imports this process fetches at once (default: 4). With 0 others fetch them. */
	readonly importsAtOnce?: number;
	/**
	 * Counts requests towards the rate limits (default: in this process's memory, which suits an installation of one
	 * process).
	 */
	readonly rateLimiter?: RateLimiter;
	readonly logger: Logger;
	/** Is told how long claims and webhooks took, for histograms (default: nobody). */
	readonly observer?: Observer;
	/**
	 * Records requests, their statements and what follows of them as traces (default: nothing is traced). A video keeps
	 * the trace of the request that made it: its worker and its webhooks continue it.
	 */
	readonly tracer?: Tracer;
	/**
	 * At least 32 secret bytes, the same on every server of an installation. All tokens and sealed secrets depend on it.
	 */
	readonly masterKey: Uint8Array;
	/**
	 * Further keys of the same form, for a change of the master key (default: none). Tokens that they signed stay valid
	 * until they end. Secrets that they sealed can be read, and are sealed anew under `masterKey` in the background. A
	 * key that will become the master key must first stand here on all servers: see docs/guides/master-key.md.
	 */
	readonly previousMasterKeys?: readonly Uint8Array[];
	/**
	 * The fingerprint of a master key that is lost (default: none). The error that refuses another key names it. With it,
	 * `masterKey` takes the lost key's place; secrets that the lost key sealed can no longer be read.
	 */
	readonly lostMasterKey?: string;
	/**
	 * How playback keys are signed (default: HS256, which only the service can verify). Keys of `EdDSA` and of `ES256` can
	 * be verified by an edge, too: `playback.keySet` has the public keys. Keys that were signed otherwise stay good until
	 * they end. Servers of an earlier version refuse keys of `EdDSA` and `ES256`, so change it when none is left.
	 */
	readonly playbackKeyAlgorithm?: PlaybackKeyAlgorithm;
	/** The URL at which users reach the HTTP planes, without a slash at its end. All URLs of the API begin with it. */
	readonly baseUrl: string;
	/**
	 * The clock of the whole engine (default: the database's, measured once a second from `start` on, so that all servers
	 * of an installation have the same time). If a clock is given, its giver ensures that all servers agree. Buckets
	 * compare requests with the real time; a given clock is therefore not passed on to them.
	 */
	readonly clock?: Clock;
	/** The source of ids and secrets (default: the system's). */
	readonly random?: Random;
	readonly windows?: Partial<Windows>;
	/** The largest upload in bytes, whatever a domain allows (default: the contract's limit). */
	readonly maxFileBytes?: number;
	/** The longest video in seconds, whatever a domain allows (default: the contract's limit). */
	readonly maxDurationSeconds?: number;
	/** How many bytes all domains together may upload in one UTC day (default: unlimited). */
	readonly dailyUploadBytes?: number;
	/** Memory for outputs that are asked for again and again, in bytes (default: 128 MiB; 0 keeps none). */
	readonly servingCacheBytes?: number;
	/**
	 * How videos are encoded: into fewer bits (`balanced`), in less time (`fast`), or in less time while the queue is
	 * long (`auto`) (default: `auto`).
	 */
	readonly speed?: SpeedSetting;
	/**
	 * Whether what can be played is served while the rest is still being encoded (default: false): the first 30 s of a
	 * long video, then the smallest rendition. The video's state, `outputs` and webhook don't change by it.
	 */
	readonly playableFirst?: boolean;
	/**
	 * Whether visitors may try the service in sandbox sessions (default: true). False also disables the keys of earlier
	 * sessions; their videos are deleted when their time is over.
	 */
	readonly sandbox?: boolean;
	/** Whether the installation has a web console (default: true). */
	readonly console?: boolean;
	/**
	 * Signs in to the console as admin (default: none; only accounts of an identity provider can sign in). Have at least
	 * 32 characters. A change ends the sessions that were opened by it.
	 */
	readonly consoleSecret?: string;
	/**
	 * E-mail addresses whose accounts are admins of the console, if the identity provider vouches for them (default:
	 * none).
	 */
	readonly consoleAdmins?: readonly string[];
	/**
	 * The version of the program that runs the engine (default: 0.0.0). It stands in the User-Agent of webhooks, in
	 * `GET /v1/health`, and in the database beside the schema.
	 */
	readonly version?: string;
};
