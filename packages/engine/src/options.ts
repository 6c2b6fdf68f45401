import type { SpeedSetting } from "./jobs/index.ts";
import type {
	BucketOpener,
	Clock,
	Database,
	Logger,
	ObjectStorage,
	Random,
	RateLimiter,
	StorageMark,
	UploadStore,
	WebhookTransport,
} from "./ports/index.ts";
import type { PlatformLocation } from "./storage/index.ts";

/** How long things may take, in seconds. */
export type Windows = {
	/** An upload that isn't complete after this long expires. */
	readonly pendingUpload: number;
	/** A worker that doesn't renew its lock for this long loses it. */
	readonly lock: number;
	/** Processing, over all attempts. */
	readonly processing: number;
	/** Waiting for a worker. */
	readonly queue: number;
	/** How long the key or secret before a rotation still works. */
	readonly rotationGrace: number;
	/** How long a sandbox session's key works, and how long its videos are kept. */
	readonly sandbox: number;
	/** Between two sweeps for all that only time brings about. */
	readonly sweep: number;
	/** The wait before each webhook attempt; its length is the number of attempts. */
	readonly webhookSchedule: readonly number[];
	/** How long a delivery stays in the log after its last attempt; a pending one stays. */
	readonly webhookLog: number;
	/**
	 * How long the row of a deleted video stays after its deletion, that of a sandbox session's video after the session's
	 * end, and an unused place of storage. A day at least.
	 */
	readonly keepDeleted: number;
	/**
	 * How long an expired or cancelled video can still be asked for. A day at least, for the throttle counts expired
	 * ones.
	 */
	readonly keepEnded: number;
	/** How long it is known what a domain used on a day. */
	readonly keepUsage: number;
	/** How long a row or an object must have been left alone before the check says anything of it. */
	readonly untouched: number;
};

export const defaultWindows: Windows = {
	pendingUpload: 3600,
	lock: 90,
	processing: 14_400,
	queue: 86_400,
	rotationGrace: 3600,
	sandbox: 86_400,
	sweep: 5,
	webhookSchedule: [0, 30, 120, 600, 3600, 21_600],
	webhookLog: 30 * 86_400,
	keepDeleted: 30 * 86_400,
	keepEnded: 90 * 86_400,
	keepUsage: 400 * 86_400,
	untouched: 3600,
};

export type EngineOptions = {
	readonly database: Database;
	/** Raw uploads of domains that store on the local disk. */
	readonly uploads: UploadStore;
	/** Finished outputs of the same. */
	readonly outputs: ObjectStorage;
	/**
	 * What tells the storage of `uploads` and `outputs` from every other (default: nothing does). With it, an engine
	 * refuses to start over another storage than the one that its database's files lie in, and uses none but that one.
	 */
	readonly storageMark?: StorageMark;
	/** Opens buckets; without it, domains store on the local disk alone. */
	readonly buckets?: BucketOpener;
	/** Buckets of the platform's own that domains may choose; none unless told. */
	readonly storageLocations?: readonly PlatformLocation[];
	readonly webhookTransport: WebhookTransport;
	/**
	 * Counts requests towards the rate limits (default: in this process's memory, which is right for an installation of
	 * one process alone).
	 */
	readonly rateLimiter?: RateLimiter;
	readonly logger: Logger;
	/**
	 * 32 secret bytes or more, the same on every server of an installation. Every token and sealed secret hangs on it.
	 */
	readonly masterKey: Uint8Array;
	/**
	 * Further keys of the same form, for a change of the master key (default: none). What they signed stays good until it
	 * ends, what they sealed can be read and is sealed anew under `masterKey` in the background. A key that is about to
	 * become the master key stands here on all servers first: docs/guides/master-key.md.
	 */
	readonly previousMasterKeys?: readonly Uint8Array[];
	/**
	 * The fingerprint of a master key that is lost for good, as the refusal of another key names it (default: none):
	 * `masterKey` takes its place, and what the lost one sealed can't be read any more.
	 */
	readonly lostMasterKey?: string;
	/** Where users reach the HTTP planes, without a slash at its end; the URLs that the API answers start with it. */
	readonly baseUrl: string;
	/**
	 * What all of the engine goes by (default: the database's clock, measured once a second from `start` on, so that all
	 * servers of an installation have the same time and none goes by its machine's). One that is given here is followed
	 * without a look at the database's; then whoever gives it makes sure that all servers agree. Buckets, which hold what
	 * they are sent against the time outside, are only given the database's.
	 */
	readonly clock?: Clock;
	readonly random?: Random;
	readonly windows?: Partial<Windows>;
	/** Ceilings of this installation, over what domains set. */
	readonly maxFileBytes?: number;
	readonly maxDurationSeconds?: number;
	/** Bytes that all domains together may upload in one UTC day; any number unless told. */
	readonly dailyUploadBytes?: number;
	/** Memory for outputs that are asked for again and again, in bytes (default 128 MiB; 0 for none). */
	readonly servingCacheBytes?: number;
	/**
	 * Whether AV1 is encoded for fewer bits (`balanced`), for less time (`fast`), or, as unless told, for less time while
	 * the queue is long (`auto`).
	 */
	readonly speed?: SpeedSetting;
	/**
	 * Whether what can be played of a video is served while AV1 is still being encoded (default: not before the video is
	 * available). Its state, its `outputs` and its webhook stay what they are.
	 */
	readonly playableFirst?: boolean;
	/**
	 * Whether visitors may try the service in sandbox sessions (default: true). False also ends the keys of earlier
	 * sessions; their videos go when their time is over.
	 */
	readonly sandbox?: boolean;
	/**
	 * The version of the program that runs the engine (default: 0.0.0). It stands in the User-Agent of webhooks, in
	 * `GET /v1/health`, and in the database beside the schema.
	 */
	readonly version?: string;
};
