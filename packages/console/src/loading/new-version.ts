import { reloadPage, whenFinished } from "../unfinished/unfinished.ts";

const name = "reelmill-reloaded-for";
const pattern = /<script[^>]+type="module"[^>]*\ssrc="([^"]+)"/;

/** The version that the server serves now, by the name of its first script; null if it does not answer with a page of its own. */
export async function versionOnServer(): Promise<string | null> {
	try {
		const answer = await fetch("/console/", { cache: "no-store", signal: AbortSignal.timeout(10_000) });
		return answer.ok ? (pattern.exec(await answer.text())?.[1] ?? null) : null;
	} catch {
		return null;
	}
}

/** Whether the page was loaded again for this version. Another load would bring the same. */
export const wasReloadedFor = (version: string): boolean => sessionStorage.getItem(name) === version;

/** Loads the page again for a version, as soon as nothing is unfinished. Returns what takes that back. */
export const reloadFor = (version: string): (() => void) =>
	whenFinished(() => {
		sessionStorage.setItem(name, version);
		reloadPage();
	});
