import { ReelmillError } from "@reelmill/contracts";
import { getMimeType } from "hono/utils/mime";
import { readConsoleFiles } from "./console-page/files.ts";
import { consolePolicy } from "./console-page/policy.ts";
import { type CodedFile, createFilePage, type Page } from "./json/page.ts";
import { respond } from "./node/respond.ts";
import type { Plane } from "./plane.ts";

const root = "/console/";
/** The build names these files by a hash of what they hold. */
const hashed = "assets/";
const cached = "public, max-age=31536000, immutable";

/** Tells whether a path is one of the console's page, and not of the console plane. */
export const isConsolePage = (path: string): boolean =>
	(path === "/console" || path.startsWith(root)) && path !== "/console/v1" && !path.startsWith("/console/v1/");

/**
 * Creates the plane that serves the web console from a folder: files by their path under /console/, and index.html for
 * every other path there, which the page itself reads. The files are read once, now.
 *
 * @throws {Error} when the folder has no index.html.
 */
export function createConsolePagePlane(baseUrl: string, directory: string): Plane {
	const policy = consolePolicy(baseUrl);
	const pageOf = ([name, file]: [string, CodedFile]): [string, Page] => {
		const headers = {
			"content-type": getMimeType(name) ?? "application/octet-stream",
			"cache-control": name.startsWith(hashed) ? cached : "no-cache",
			"content-security-policy": policy,
			"cross-origin-opener-policy": "same-origin",
			"cross-origin-resource-policy": "same-origin",
			"referrer-policy": "no-referrer",
		};
		return [root + name, createFilePage(headers, file)];
	};
	const pages = new Map([...readConsoleFiles(directory)].map(pageOf));
	const index = pages.get(`${root}index.html`) as Page;

	return async (exchange) => {
		const { path, request } = exchange;
		const { method, headers } = request;
		if (method !== "GET" && method !== "HEAD") throw new ReelmillError("not_found");
		if (path === "/console") return respond(exchange, { status: 308, headers: { location: root } });
		const page = pages.get(path) ?? (path.startsWith(root + hashed) ? undefined : index);
		if (page === undefined) throw new ReelmillError("not_found");
		return respond(exchange, await page(headers["accept-encoding"]?.toString(), headers["if-none-match"]));
	};
}

/** Leads a browser that opens the server's bare address to the console. All other clients get 404. */
export const leadToConsole: Plane = async (exchange) => {
	const { method, headers } = exchange.request;
	const isBrowser = (method === "GET" || method === "HEAD") && /\btext\/html\b/i.test(headers.accept ?? "");
	if (!isBrowser) throw new ReelmillError("not_found");
	return respond(exchange, { status: 302, headers: { location: root, "cache-control": "no-store", vary: "Accept" } });
};
