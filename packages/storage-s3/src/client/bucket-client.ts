import {
	type $Command,
	S3Client,
	type S3ClientConfig,
	type S3ClientResolvedConfig,
	type ServiceInputTypes,
	type ServiceOutputTypes,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type Bucket, type Clock, isStorageError, StorageError } from "@reelmill/engine/ports";
import { type AddressRules, createGuardedAgents, type Lookup } from "@reelmill/outbound";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { capAnswers } from "./capped-answers.ts";
import { storageError } from "./errors.ts";
import { fetchPresigned } from "./fetch-presigned.ts";
import { hintsAtMissingBucket, throwIfBucketIsGone } from "./missing-bucket.ts";
import { endpointOf, withPreset } from "./presets.ts";
import { readS3Bucket, type S3Bucket } from "./s3-bucket.ts";
import { createSigningTime, type SigningTime } from "./signing-time.ts";
import { createSilenceTimer, timedOut } from "./silence-timer.ts";

export type ClientOptions = {
	/** Says which addresses may be connected to. */
	readonly rules: AddressRules;
	/** Resolves host names to addresses. */
	readonly lookup?: Lookup | undefined;
	readonly maxSockets?: number | undefined;
	readonly connectTimeoutMilliseconds?: number | undefined;
	readonly idleTimeoutMilliseconds?: number | undefined;
	readonly attempts?: number | undefined;
	readonly answerTimeoutMilliseconds?: number | undefined;
	readonly progressTimeoutMilliseconds?: number | undefined;
	/**
	 * The time that requests and URLs are signed with (default: the machine's clock, corrected by what the server says of
	 * its own).
	 */
	readonly clock?: Pick<Clock, "now"> | undefined;
};

export type Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
	Input,
	Output,
	S3ClientResolvedConfig,
	ServiceInputTypes,
	ServiceOutputTypes
>;
/** Sends requests to one bucket's server. */
export type BucketClient = {
	/** The bucket as given, completed by its provider's preset. */
	readonly bucket: S3Bucket;
	/** How long a caller waits for bytes of an object, or for the answer to a request without a body, in milliseconds. */
	readonly answerMilliseconds: number;
	/** How long a caller that stores bytes waits while nothing moves, in milliseconds. */
	readonly progressMilliseconds: number;
	/**
	 * Sends `command` and returns the answer. Tries again a few times if that can help, with growing, uneven pauses. A
	 * request without a body is answered within `answerMilliseconds`, all attempts together, or fails as unreachable. A
	 * request with a body may take as long as bytes move.
	 *
	 * Rejects with the signal's reason once `signal` aborts, with a StorageError if the bucket turns out to be missing,
	 * and otherwise with the SDK's error: see `storageError`.
	 */
	send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
		command: Command<Input, Output>,
		signal?: AbortSignal,
	): Promise<Output>;
	/**
	 * Returns a URL of the public endpoint that does what `command` says, for `seconds` (1 to 604,800). Sends nothing.
	 */
	presign<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
		command: Command<Input, Output>,
		seconds: number,
	): Promise<string>;
	/** Fetches a URL that `presign` made, over the client's own connections. See the port's `fetchPresigned`. */
	fetchPresigned(url: string): Promise<Uint8Array>;
	/** Closes every connection. Requests that run, and later ones, reject. Calling it twice is harmless. */
	close(): void;
};

const weekSeconds = 604_800;
/**
 * How long to ask whether the bucket exists after a write failed. Together with `progressMilliseconds` and the last
 * looks of uploads and puts, this stays below the 10 s that a caller waits at most.
 */
const lastLookMilliseconds = 1000;

/**
 * Makes a client without connecting to anything. A bucket that can't be addressed (a malformed endpoint, region or
 * name) fails the first request with a StorageError.
 */
export function createBucketClient(given: Bucket, options: ClientOptions): BucketClient {
	const bucket = withPreset(readS3Bucket(given));
	const {
		rules,
		lookup,
		maxSockets = 256,
		connectTimeoutMilliseconds = 5000,
		idleTimeoutMilliseconds = 30_000,
		attempts = 5,
	} = options;
	const {
		answerTimeoutMilliseconds: answerMilliseconds = 5500,
		progressTimeoutMilliseconds: progressMilliseconds = 6000,
	} = options;
	const agents = createGuardedAgents({ rules, maxSockets, connectTimeoutMilliseconds, ...(lookup ? { lookup } : {}) });
	// The agents' connector bounds the time to connect. The handler's own timeout would also count the wait for a free
	// connection.
	const requestHandler = new NodeHttpHandler({
		httpAgent: agents.http,
		httpsAgent: agents.https,
		socketTimeout: idleTimeoutMilliseconds,
	});
	const closing = new AbortController();
	const closed = (): StorageError => new StorageError("unreachable", "The storage is closed");
	const time = options.clock && createSigningTime(options.clock);
	const open = once(() =>
		capAnswers(
			signingBy(time, new S3Client({ ...settings(bucket, bucket.endpoint), requestHandler, maxAttempts: attempts })),
		),
	);
	const openSigner = once(
		() => new S3Client({ ...settings(bucket, bucket.publicEndpoint ?? bucket.endpoint), requestHandler }),
	);

	const client: BucketClient = {
		bucket,
		answerMilliseconds,
		progressMilliseconds,
		async send(command, signal) {
			signal?.throwIfAborted();
			if (closing.signal.aborted) throw closed();
			const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
			try {
				if (mayTakeLong(command.input)) return await open().send(command, { abortSignal: stop });
				return await answered((abortSignal) => open().send(command, { abortSignal }), answerMilliseconds, stop);
			} catch (error) {
				signal?.throwIfAborted();
				if (closing.signal.aborted) throw closed();
				if (hintsAtMissingBucket(command, error))
					await throwIfBucketIsGone(client, AbortSignal.timeout(lastLookMilliseconds));
				throw error;
			}
		},
		async presign(command, seconds) {
			if (!Number.isInteger(seconds) || seconds < 1 || seconds > weekSeconds)
				throw new RangeError(`A URL is signed for 1 to ${weekSeconds} seconds`);
			try {
				const signableHeaders = new Set(["host", "content-length", "if-none-match"]);
				return await getSignedUrl(openSigner(), command, {
					expiresIn: seconds,
					signableHeaders,
					...(time && { signingDate: time.now() }),
				});
			} catch (error) {
				throw isStorageError(error) ? error : storageError(error);
			}
		},
		fetchPresigned: (url) => fetchPresigned(url, agents, answerMilliseconds, closing.signal),
		close() {
			closing.abort();
			agents.destroy();
		},
	};
	return client;
}

/**
 * Whether a request may take longer than `answerMilliseconds`: it sends bytes, completes a multipart upload, or copies.
 */
const mayTakeLong = (input: object): boolean =>
	"MultipartUpload" in input ||
	"CopySource" in input ||
	("Body" in input && !(input.Body instanceof Uint8Array && input.Body.length === 0));

/**
 * Returns what `ask` resolves with, within `milliseconds`. At half of that time `ask` is called again, so that a
 * connection that was lost silently is replaced by a new one. Once there is an answer, nothing aborts it: its body may
 * come at its reader's pace.
 */
async function answered<T>(
	ask: (signal: AbortSignal) => Promise<T>,
	milliseconds: number,
	stop: AbortSignal,
): Promise<T> {
	const until = performance.now() + milliseconds;
	for (const share of [0.5, 1]) {
		const late = createSilenceTimer(Math.max(0, until - milliseconds * (1 - share) - performance.now()));
		try {
			return await ask(AbortSignal.any([stop, late.signal]));
		} catch (error) {
			if (stop.aborted || !late.signal.aborted) throw error;
		} finally {
			late.end();
		}
	}
	throw timedOut();
}

/** The SDK reads the offset whenever it signs, and sets it after each answer. */
function signingBy(time: SigningTime | undefined, client: S3Client): S3Client {
	if (time === undefined) return client;
	const property = {
		enumerable: true,
		configurable: true,
		get: () => time.systemClockOffset,
		set: (offset: number) => Object.assign(time, { systemClockOffset: offset }),
	};
	Object.defineProperty(client.config, "systemClockOffset", property);
	return client;
}

/** Sets everything that the SDK would otherwise take from the environment or from `~/.aws`. */
function settings(bucket: S3Bucket, endpoint: string | null): S3ClientConfig {
	return {
		endpoint: endpointOf(bucket, endpoint),
		region: bucket.region,
		forcePathStyle: bucket.forcePathStyle,
		credentials: { accessKeyId: bucket.accessKeyId, secretAccessKey: bucket.secretAccessKey },
		retryMode: "standard",
		// R2 and others refuse the SDK's default, a CRC32 of each request. The signature covers a hash of the body anyway.
		requestChecksumCalculation: "WHEN_REQUIRED",
		responseChecksumValidation: "WHEN_REQUIRED",
		// A proxy that doesn't pass on "100 Continue" would cost a second per request.
		expectContinueHeader: false,
		followRegionRedirects: false,
		useArnRegion: false,
		disableMultiregionAccessPoints: true,
		disableS3ExpressSessionAuth: true,
		useFipsEndpoint: false,
		useDualstackEndpoint: false,
		authSchemePreference: ["sigv4"],
		sigv4aSigningRegionSet: [],
		userAgentAppId: "reelmill",
		defaultsMode: "standard",
	};
}

function once<T>(make: () => T): () => T {
	let made: { readonly value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}
