import type { ApiReference } from "@scalar/api-reference";
import { place } from "./place.ts";
import { shown } from "./shown.ts";

/** The documents to choose among, by their titles: the name of each file, beside the one of tenants. */
const documents = {
	Tenants: "openapi.json",
	Operators: "openapi.operators.json",
	Workers: "openapi.workers.json",
	Console: "openapi.console.json",
} as const;

const addressOf = (file: string): string => new URL(file, place.document).href;
const addresses: ReadonlySet<string> = new Set(Object.values(documents).map(addressOf));

/**
 * Fetches a document or what a reader tries. Nothing but what the page shows goes along: no cookie, so that a console
 * session never answers for a key that is missing or wrong.
 */
async function fetchAlone(input: RequestInfo | URL, options?: RequestInit): Promise<Response> {
	const request = new Request(input, { ...options, credentials: "omit", referrerPolicy: "no-referrer" });
	const answer = await fetch(request);
	return answer.ok && addresses.has(request.url) ? Response.json(shown(await answer.json())) : answer;
}

type Configurations = NonNullable<InstanceType<typeof ApiReference>["$props"]["configuration"]>;

/** Returns Scalar's settings, one a document, for a server at this address. */
export const configurationsFor = (address: string): Configurations =>
	Object.entries(documents).map(([title, file]) => ({
		title,
		slug: title.toLowerCase(),
		url: addressOf(file),
		customFetch: fetchAlone,
		...(place.isElsewhere && { servers: [{ url: address }] }),
		// A session of the console is a cookie, which no page can set.
		hideTestRequestButton: title === "Console",
		hideClientButton: true,
		showDeveloperTools: "never",
		telemetry: false,
		withDefaultFonts: false,
		agent: { disabled: true },
		mcp: { disabled: true },
		documentDownloadType: "direct",
		defaultOpenFirstTag: true,
		orderSchemaPropertiesBy: "preserve",
		modelsSectionLabel: "Schemas",
		persistAuth: false,
	}));
