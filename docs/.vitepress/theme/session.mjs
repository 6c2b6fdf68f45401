import { reactive, watch } from "vue";

const name = "reelmill-try-it";
const kept = typeof sessionStorage === "undefined" ? null : sessionStorage.getItem(name);

/**
 * The server that the reader gave, the sandbox session that it gave, and what its answers brought. The tab keeps it and
 * forgets it when it closes.
 * @type {{ address: string, key: string, expiresAt: string, found: import("./operation.ts").Found }}
 */
export const session = reactive(kept === null ? nothing() : JSON.parse(kept));

if (typeof sessionStorage !== "undefined")
	watch(session, () => sessionStorage.setItem(name, JSON.stringify(session)), { deep: true });

function nothing() {
	return { address: "http://127.0.0.1:8787", key: "", expiresAt: "", found: {} };
}

if (session.expiresAt !== "" && Date.parse(session.expiresAt) < Date.now()) forget();

/** Forgets the key and what it brought; the address stays. */
export function forget() {
	Object.assign(session, { ...nothing(), address: session.address });
}

/**
 * Asks the reader's server, and nobody else: no cookies, no referrer, and no redirect is followed.
 * @param {string} url
 * @param {RequestInit} [options]
 */
export const ask = (url, options = {}) =>
	fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "manual", cache: "no-store", ...options });

/**
 * Tells whether a GET of this URL brings an answer that the page may read.
 * @param {string} url
 */
export const probe = (url) =>
	ask(url, { signal: AbortSignal.timeout(5000) }).then(
		({ ok }) => ok,
		() => false,
	);
