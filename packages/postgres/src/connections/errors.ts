import { DatabaseError } from "@reelmill/engine/ports";

/** What postgres.js rejects with. Only errors of the server have a `severity`. */
type Failure = {
	code?: string;
	constraint_name?: string;
	severity?: string;
	severity_local?: string;
	message?: string;
};

const sqlState = /^[0-9A-Z]{5}$/;
/** The connection was never made, so nothing was sent. */
const neverConnected = new Set([
	"ECONNREFUSED",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"ENOSERVER",
	"ENOTFOUND",
	"EAI_AGAIN",
	"ENOENT",
	"EACCES",
	"CONNECT_TIMEOUT",
	"CONNECTION_ENDED",
	"SASL_SIGNATURE_MISMATCH",
]);
/** The server, or all of several servers, couldn't be reached. */
const unreachable = new Set([
	"CONNECT_TIMEOUT",
	"ECONNREFUSED",
	"ENOTFOUND",
	"EAI_AGAIN",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"ENOSERVER",
]);
/**
 * The server ended the connection, perhaps while a statement ran: administrator's shutdown, crash, or dropped database.
 */
const endedByServer = new Set(["57P01", "57P02", "57P04"]);

/**
 * The server's state is the reason: no connection (08); no disk space, memory or connections left (53); shutting down,
 * starting, or cancelled for its time (57); its files fail (58); read-only, as a demoted server is; or a lock that
 * wasn't free in time.
 */
const stateOfTheServer = /^(08...|53...|57014|57P0.|58...|25006|55P03)$/;

const failureOf = (error: unknown): Failure => (typeof error === "object" && error !== null ? (error as Failure) : {});
const fromServer = (failure: Failure): boolean =>
	failure.severity !== undefined || failure.severity_local !== undefined;

/** Whether the connection is gone or was never made. Whatever shares it can't be trusted any more. */
export function isConnectionFailure(error: unknown): boolean {
	const failure = failureOf(error);
	// PgBouncer sends only the field that may be in another language.
	if (fromServer(failure)) return /^(FATAL|PANIC)$/.test(failure.severity ?? failure.severity_local ?? "");
	return (
		typeof failure.code === "string" && /^(E[A-Z_]+|CONNECT_TIMEOUT|CONNECTION_[A-Z]+|SASL_[A-Z_]+)$/.test(failure.code)
	);
}

/** Whether no connection could be made. */
export const isUnreachable = (error: unknown): boolean => unreachable.has(failureOf(error).code ?? "");

/** Whether all of several servers were asked and none is suitable. */
export const isNobody = (error: unknown): boolean => failureOf(error).code === "ENOSERVER";

/**
 * Whether the server takes no writes: it is a standby, was demoted, or is read-only by its settings. The statement had
 * no effect.
 */
export function isReadOnly(error: unknown): boolean {
	const failure = failureOf(error);
	return fromServer(failure) && failure.code === "25006";
}

/**
 * Whether the server chose the statement as the victim of a deadlock or a serialization failure. It had no effect and
 * may be run again.
 */
export function isVictim(error: unknown): boolean {
	const failure = failureOf(error);
	return fromServer(failure) && (failure.code === "40P01" || failure.code === "40001");
}

/** Makes the port's error from any error below it. */
export function toDatabaseError(error: unknown): DatabaseError {
	if (error instanceof DatabaseError) return error;
	const failure = failureOf(error);
	const code =
		failure.code !== undefined && fromServer(failure) && sqlState.test(failure.code) ? failure.code : undefined;
	const lost = isConnectionFailure(error);
	const outcomeUnknown =
		lost && (code === undefined ? !neverConnected.has(failure.code ?? "") : endedByServer.has(code));
	const message = failure.message || failure.code || String(error);
	return new DatabaseError(lost ? `The connection to the database failed: ${message}` : message, {
		code,
		constraint: failure.constraint_name,
		outcomeUnknown,
		unavailable: lost || (code !== undefined && stateOfTheServer.test(code)),
		cause: error,
	});
}
