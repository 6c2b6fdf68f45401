import { type VideoReport, type WarningCode, warnings } from "@reelmill/contracts";

const isKnown = (code: unknown): code is WarningCode => typeof code === "string" && Object.hasOwn(warnings, code);

/** The most characters of what a worker says of a warning. */
const longestDetail = 500;

/** Reads what a worker says of a code beside its sentence; `undefined` for nothing. */
function detailOf(details: unknown, code: WarningCode): string | undefined {
	const isListed = typeof details === "object" && details !== null && Object.hasOwn(details, code);
	const detail: unknown = isListed ? (details as Record<string, unknown>)[code] : undefined;
	return typeof detail === "string" && detail !== "" ? detail.slice(0, longestDetail) : undefined;
}

/**
 * Returns what a report warns of, each code once and with its sentence, and with what the worker found if it says so.
 * Codes that this version doesn't know, of a newer worker, are left out. A report without warnings, of an older worker,
 * has none.
 */
export function warningsOf(report: VideoReport["report"]): VideoReport["warnings"] {
	const codes = Array.isArray(report?.warnings) ? report.warnings : [];
	return [...new Set(codes.filter(isKnown))].map((code) => {
		const detail = detailOf(report?.warning_details, code);
		return { code, message: warnings[code], ...(detail === undefined ? {} : { detail }) };
	});
}
