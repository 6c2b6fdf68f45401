import type { PowerCuts } from "./campaign.ts";

/** Returns the result of power cuts as lines of text. */
export function powerCutText({ cuts, broken, uploads, queued, bytes, losses, wrong }: PowerCuts): string {
	const missing = losses.reduce((sum, { told, found }) => sum + told - found, 0);
	const kinds = Object.entries(broken).map(([kind, count]) => `${kind} ${count}`);
	return [
		`cuts       ${cuts}: ${kinds.sort().join(", ")}`,
		`uploads    ${uploads} looked at, ${queued} of them queued; ${Math.round(bytes / 1e6)} MB acknowledged`,
		`missing    ${missing} acknowledged bytes of ${losses.length} uploads, ${losses.filter(({ isQueued }) => isQueued).length} of them queued`,
		...losses
			.slice(0, 20)
			.map(({ id, told, found, isQueued }) => `           ${id}: ${found} of ${told}${isQueued ? ", queued" : ""}`),
		...wrong.map((text) => `wrong      ${text}`),
	].join("\n");
}
