/** The bounds that code and docs share. Sizes are in bytes, times in seconds. */
export const limits = {
	maxFileBytes: 209_715_200,
	maxDurationSeconds: 900,
	pageSize: { default: 20, max: 100 },
	cursorLength: 512,
	outrosPerDomain: 50,
	revocationsPerDomain: 1000,
	corsOrigins: 10,
	videoIdsPerPlaybackKey: 20,
	playbackKeySeconds: { min: 60, max: 86_400, default: 3600 },
	webhookAttempts: 6,
	webhookToleranceSeconds: 300,
	rotationGraceSeconds: 3600,
	/** How long an `Idempotency-Key` may be, and how long it stands for what it created. */
	idempotencyKey: { length: 255, seconds: 86_400 },
	jsonBodyBytes: 65_536,
	captionsBytes: 1_048_576,
	/** Of a picture that is sent: bytes, and width times height. */
	pictureBytes: 5_000_000,
	picturePixels: 50_000_000,
	/** A shorter clip is a picture rather than a video. */
	shortestClipSeconds: 0.5,
	archiveBytes: 2_147_483_648,
	incompleteUploadsPerDay: 3,
	/**
	 * Imports from addresses: how many of a domain may be under way, how long one may take, how often in a row it may fail
	 * without a byte, how many redirects are followed, and how long an address may be.
	 */
	imports: { underWay: 1000, seconds: 7 * 86_400, attempts: 12, redirects: 5, urlLength: 2048 },
	/** Pixels of a picture times pictures a second, of a source that is as long as its domain allows: 4K at 60. */
	decodedPixelsPerSecond: 3840 * 2160 * 60,
	/** `decodedPixelsPerSecond`: 1080p at 60. */
	sandbox: {
		videos: 5,
		maxFileBytes: 52_428_800,
		maxDurationSeconds: 60,
		sessionsPerDay: 3,
		decodedPixelsPerSecond: 1920 * 1080 * 60,
	},
} as const;

/** Limits of a new domain, where the operator sets none. */
export const domainLimitDefaults = {
	daily_upload_bytes: 10 * 1024 ** 3,
	storage_bytes_limit: 100 * 1024 ** 3,
	max_concurrent_processing: 4,
} as const;

/**
 * The specification's table of rate limits, and the limit on guesses: `limit` requests in `windowSeconds`, counted per
 * `per`.
 */
export const rateLimits = {
	api: { limit: 200, windowSeconds: 60, per: "credential" },
	initiate: { limit: 5, windowSeconds: 3600, per: "uploader_ref" },
	uploadChunk: { limit: 200, windowSeconds: 60, per: "video" },
	serviceToken: { limit: 10, windowSeconds: 600, per: "ip" },
	/** In place of `serviceToken`, in networks that the operator names as those of workers. */
	workerToken: { limit: 2000, windowSeconds: 600, per: "service account" },
	delivery: { limit: 2000, windowSeconds: 60, per: "ip" },
	sandboxSession: { limit: 3, windowSeconds: 86_400, per: "ip" },
	consoleSecret: { limit: 10, windowSeconds: 600, per: "ip" },
	consoleOauth: { limit: 60, windowSeconds: 600, per: "ip" },
	failedAuthentication: { limit: 30, windowSeconds: 60, per: "ip" },
} as const;
