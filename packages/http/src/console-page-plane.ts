import { ReelmillError } from "@reelmill/contracts";
import { consolePolicy } from "./console-page/policy.ts";
import { respond } from "./node/respond.ts";
import { hashed, readBuiltPage } from "./pages/built-page.ts";
import type { Plane } from "./plane.ts";

const root = "/console/";

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
	const { files, index } = readBuiltPage(directory, consolePolicy(baseUrl));

	return async (exchange) => {
		const { path, request } = exchange;
		const { method, headers } = request;
		if (method !== "GET" && method !== "HEAD") throw new ReelmillError("not_found");
		if (path === "/console") return respond(exchange, { status: 308, headers: { location: root } });
		const name = path.slice(root.length);
		const page = files.get(name) ?? (name.startsWith(hashed) ? undefined : index);
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
