import { isStorageError, StorageError, type StorageFault } from "@reelmill/engine/ports";

type Meaning = readonly [fault: StorageFault, sentence: string];

const refused = (sentence: string): Meaning => ["credentials", sentence];
const keyUnknown = refused("The server doesn't know this access key");
const notAllowed = refused("The access key isn't allowed to do this");

/**
 * The known error codes of S3, of compatible servers, and of connections. Unknown codes aren't shown: they would be
 * words of the answer.
 */
const byCode: Readonly<Record<string, Meaning>> = {
	NoSuchBucket: ["bucket", "There is no bucket of this name"],
	InvalidBucketName: ["bucket", "The server takes no bucket of this name"],
	PermanentRedirect: ["bucket", "The bucket is in another region, or at another endpoint"],
	AuthorizationHeaderMalformed: refused("The server refused the signature: the region isn't the bucket's"),
	SignatureDoesNotMatch: refused(
		"The server refused the signature: the secret access key isn't the one of this access key, or the region isn't the bucket's",
	),
	InvalidAccessKeyId: keyUnknown,
	InvalidTokenId: keyUnknown,
	AccessDenied: notAllowed,
	AllAccessDisabled: notAllowed,
	AccountProblem: notAllowed,
	UserSuspended: refused("The access key's user is suspended"),
	ExpiredToken: refused("The access key has expired"),
	RequestTimeTooSkewed: refused("The clocks of the service and of the server are too far apart"),
	QuotaExceeded: ["failed", "The server's quota is used up"],
	SlowDown: ["failed", "The server has too many requests at the moment"],
	BadDigest: ["failed", "The bytes that arrived aren't those that were sent"],
	XAmzContentSHA256Mismatch: ["failed", "The bytes that arrived aren't those that were sent"],
	NoSuchUpload: ["failed", "The server lost the multipart upload"],
	NoSuchKey: ["failed", "The object isn't there any more"],
	PreconditionFailed: ["failed", "The object was replaced meanwhile"],
	UNREADABLE_ANSWER: ["failed", "The server's answer is longer than any of S3's, or isn't one"],

	BLOCKED_ADDRESS: ["unreachable", "The endpoint is, or leads to, an address that may not be reached"],
	ENOTFOUND: ["unreachable", "The endpoint's name has no address"],
	EAI_AGAIN: ["unreachable", "The endpoint's name couldn't be resolved"],
	ETIMEOUT: ["unreachable", "The endpoint's name couldn't be resolved in time"],
	ECONNREFUSED: ["unreachable", "Nothing listens at the endpoint"],
	ECONNRESET: ["unreachable", "The connection broke"],
	EPIPE: ["unreachable", "The connection broke"],
	UND_ERR_CONNECT_TIMEOUT: ["unreachable", "The endpoint took too long to connect to"],
	ETIMEDOUT: ["unreachable", "The endpoint didn't answer in time"],
	TimeoutError: ["unreachable", "The endpoint didn't answer in time"],
	EHOSTUNREACH: ["unreachable", "There is no way to the endpoint"],
	ENETUNREACH: ["unreachable", "There is no way to the endpoint"],
};
/** Matches the codes of OpenSSL and Node for a certificate that isn't accepted, or a server that doesn't speak TLS. */
const tls = /CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_SSL|EPROTO/;

/**
 * Makes a StorageError from an error of the SDK or of the connection, for the storage's owner. It contains no secret
 * and no word of the server's answer but S3's own name of the error, in `providerSaid`. It has no cause, because the
 * SDK's errors contain both.
 */
export function storageError(error: unknown): StorageError {
	if (isStorageError(error)) return error;
	const found = parts(error);
	const { code, name, status } = found;
	const options = { providerSaid: providerSaid(found) };
	const meaning = lookUp(code) ?? lookUp(name);
	if (meaning) return new StorageError(meaning[0], said(meaning[1], status), options);
	if (tls.test(code))
		return new StorageError("unreachable", "The endpoint's certificate isn't accepted, or it doesn't speak TLS");
	if (status === undefined) return new StorageError("unreachable", "The endpoint sent no answer of S3");
	if (status === 401 || status === 403) return new StorageError("credentials", said(notAllowed[1], status), options);
	if (status >= 300 && status <= 399)
		return new StorageError(
			"bucket",
			said("The server sends elsewhere: the endpoint or the region isn't the bucket's", status),
			options,
		);
	return new StorageError(
		"failed",
		said(status >= 500 ? "The server failed" : "The server refused the request", status),
		options,
	);
}

/** S3's other codes, which have no sentence of their own here. */
const otherCodes: ReadonlySet<string> = new Set(
	`AccessForbidden BucketNotFound ConditionalRequestConflict EntityTooLarge EntityTooSmall IllegalLocationConstraintException
	InternalError InvalidAccessPoint InvalidArgument InvalidDigest InvalidObjectState InvalidPart InvalidRange InvalidRequest InvalidToken
	KeyTooLongError MalformedXML MethodNotAllowed MissingContentLength NotImplemented NotSignedUp OperationAborted RequestTimeout
	ServiceUnavailable TemporaryRedirect UnauthorizedAccess XMinioStorageFull`.split(/\s+/),
);

/**
 * Returns the provider's error as S3 calls it, with the status of the answer: `AccessDenied (HTTP 403)`. Words that are
 * not S3's own aren't shown, since the endpoint may be a server whose words aren't the tenant's to read.
 */
function providerSaid({ code, name, status }: Parts): string | null {
	if (status === undefined) return null;
	const known = [code, name].find((text) => otherCodes.has(text) || lookUp(text) !== undefined);
	return known === undefined ? `HTTP ${status}` : said(known, status);
}

const lookUp = (code: string): Meaning | undefined => (Object.hasOwn(byCode, code) ? byCode[code] : undefined);
const said = (sentence: string, status: number | undefined): string =>
	status === undefined ? sentence : `${sentence} (HTTP ${status})`;

type Parts = { readonly code: string; readonly name: string; readonly status: number | undefined };
type SdkError = {
	readonly code?: unknown;
	readonly Code?: unknown;
	readonly name?: unknown;
	readonly $metadata?: { readonly httpStatusCode?: number };
	readonly $response?: { readonly statusCode?: number };
};

function parts(error: unknown): Parts {
	const { code, Code, name, $metadata, $response } = (error ?? {}) as SdkError;
	const text = (value: unknown): string => (typeof value === "string" ? value : "");
	return {
		code: text(code) || text(Code),
		name: text(name),
		status: $metadata?.httpStatusCode ?? $response?.statusCode,
	};
}

/** Returns the answer's HTTP status; undefined if there was no answer. */
export const statusOf = (error: unknown): number | undefined => parts(error).status;
/** Whether the server's error code is `code`, such as `NoSuchUpload`. */
export const hasCode = (error: unknown, code: string): boolean =>
	parts(error).code === code || parts(error).name === code;
