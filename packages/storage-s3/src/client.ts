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
import { createSigningTime, type SigningTime } from "./signing-time.ts";
import { createSilence, timedOut } from "./silence.ts";

export type ClientOptions = {
	/** The addresses that may be connected to. */
	readonly rules: AddressRules;
	/** How names become addresses. */
	readonly lookup?: Lookup | undefined;
	readonly maxSockets?: number | undefined;
	readonly connectTimeoutMilliseconds?: number | undefined;
	readonly idleTimeoutMilliseconds?: number | undefined;
	readonly attempts?: number | undefined;
	readonly answerTimeoutMilliseconds?: number | undefined;
	readonly progressTimeoutMilliseconds?: number | undefined;
	/** What requests and URLs are signed by (default: the machine's clock, and what the server says of its own). */
	readonly clock?: Pick<Clock, "now"> | undefined;
};

export type Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
	Input,
	Output,
	S3ClientResolvedConfig,
	ServiceInputTypes,
	ServiceOutputTypes
>;
/** Requests to one bucket's server. */
export type BucketClient = {
	/** As given, with what its provider's preset fills in. */
	readonly bucket: Bucket;
	/**
	 * How long somebody who waits for bytes of an object, or for the answer to a request without a body, waits at most,
	 * in milliseconds.
	 */
	readonly answerMilliseconds: number;
	/** How long somebody who waits for bytes to be stored waits while nothing moves, in milliseconds. */
	readonly progressMilliseconds: number;
	/**
	 * The answer to `command`, tried again a few times where that can help, with growing, uneven pauses. One without a
	 * body has come within the client's `answerMilliseconds`, all tries together, or the server is unreachable; one with
	 * a body may take as long as bytes pass. Rejects with the signal's reason once `signal` aborts; otherwise as {@link
	 * S3Client}.send does: see `storageError`.
	 */
	send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
		command: Command<Input, Output>,
		signal?: AbortSignal,
	): Promise<Output>;
	/** A URL of the public endpoint that does what `command` says, for `seconds` (1 to 604800). Asks nobody. */
	presign<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
		command: Command<Input, Output>,
		seconds: number,
	): Promise<string>;
	/**
	 * What a GET of a URL that `presign` made answers, by the way of the client's own requests. See the port's
	 * `fetchPresigned`.
	 */
	fetchPresigned(url: string): Promise<Uint8Array>;
	/** Ends every connection; what runs by then rejects, and so does what comes after. Done twice is fine. */
	close(): void;
};

const weekSeconds = 604_800;
/**
 * For the question whether the bucket is there, after a write failed. Together with `progressMilliseconds` and the last
 * looks of uploads and puts this is less than the 10 s that whoever has bytes stored waits at most.
 */
const lastLookMilliseconds = 1000;

/**
 * Connects to nothing yet. A bucket that can't be addressed at all (a malformed endpoint, region or name) shows as a
 * StorageError of the first request.
 */
export function createBucketClient(given: Bucket, options: ClientOptions): BucketClient {
	const bucket = withPreset(given);
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
	// The agents' connector bounds the time to connect. A timeout of the handler's own would count the wait for a free
	// connection, too.
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
 * With a body its length decides; a multipart upload of many parts takes the server a while to put together, and so
 * does what it copies.
 */
const mayTakeLong = (input: object): boolean =>
	"MultipartUpload" in input ||
	"CopySource" in input ||
	("Body" in input && !(input.Body instanceof Uint8Array && input.Body.length === 0));

/**
 * What `ask` answers, within `milliseconds`. A connection that was lost without a word is found out half-way: the
 * second try takes a new one. Once there is an answer nothing is aborted any more, so that its body may come at its
 * reader's pace.
 */
async function answered<T>(
	ask: (signal: AbortSignal) => Promise<T>,
	milliseconds: number,
	stop: AbortSignal,
): Promise<T> {
	const until = performance.now() + milliseconds;
	for (const share of [0.5, 1]) {
		const late = createSilence(Math.max(0, until - milliseconds * (1 - share) - performance.now()));
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

/** The SDK reads the offset whenever it signs, and sets it whenever it was answered. */
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

/** Everything that the SDK would otherwise take from the environment or from `~/.aws` is said. */
function settings(bucket: Bucket, endpoint: string | null): S3ClientConfig {
	return {
		endpoint: endpointOf(bucket, endpoint),
		region: bucket.region,
		forcePathStyle: bucket.forcePathStyle,
		credentials: { accessKeyId: bucket.accessKeyId, secretAccessKey: bucket.secretAccessKey },
		retryMode: "standard",
		// CRC32 of each request, the SDK's default, is refused by R2 and others. What is sent is hashed into the signature
		// anyway.
		requestChecksumCalculation: "WHEN_REQUIRED",
		responseChecksumValidation: "WHEN_REQUIRED",
		// A proxy that doesn't pass on "100 Continue" would cost a second each time.
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
