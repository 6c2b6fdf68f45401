import { type VideoReport, type WarningCode, warnings } from "@reelmill/contracts";

const isKnown = (code: unknown): code is WarningCode => typeof code === "string" && Object.hasOwn(warnings, code);

/**
 * Returns what a report warns of, each code once and with its sentence. Codes that this version doesn't know, of a
 * newer worker, are left out. A report without warnings, of an older worker, has none.
 */
export function warningsOf(report: VideoReport["report"]): VideoReport["warnings"] {
	const codes = Array.isArray(report?.warnings) ? report.warnings : [];
	return [...new Set(codes.filter(isKnown))].map((code) => ({ code, message: warnings[code] }));
}
