/** A request for a path of the operators, as its bytes have it. */
export type Spelling = {
	readonly target: string;
	readonly headers: Readonly<Record<string, string>>;
	/** What the server refuses it with. */
	readonly error?: "not_found" | "bad_request" | "invalid_path";
};

/** Stands for the name that a server is asked by, in targets and headers. */
const authority = "other.example";
const row = (target: string, error?: Spelling["error"], headers: Spelling["headers"] = {}): Spelling => ({
	target,
	headers,
	...(error && { error }),
});

/** Are that path by RFC 9112, so a server answers them, and a proxy's rule must see them. */
export const otherForms: readonly Spelling[] = [
	"/admin/v1/stats?",
	`http://${authority}/admin/v1/stats`,
	`HTTP://${authority}/admin/v1/stats`,
	`https://${authority}/admin/v1/stats?&`,
].map((target) => row(target));

const targets = [
	// Escaped once, twice, too long, and as other programs write it.
	"/%61dmin/v1/stats",
	"/%61%64%6d%69%6e/v1/stats",
	"/%61%64%6D%69%6e/v1/stats",
	"/adm%69n/v1/stats",
	"/admi%6E/v1/stats",
	"/admin/%76%31/stats",
	"/admin/v1/%73tats",
	"/%2561dmin/v1/stats",
	"/%25%36%31dmin/v1/stats",
	"/%252561dmin/v1/stats",
	"/%c1%a1dmin/v1/stats",
	"/%e0%81%a1dmin/v1/stats",
	"/%u0061dmin/v1/stats",
	"/%ef%bd%81dmin/v1/stats",
	"/%/../admin/v1/stats",
	// The slashes.
	"/admin%2Fv1/stats",
	"/admin%2fv1%2fstats",
	"/admin%252Fv1/stats",
	"/admin%c0%afv1/stats",
	"/%2fadmin/v1/stats",
	"/%2Fadmin/v1/stats",
	"//admin/v1/stats",
	"///admin/v1/stats",
	"/admin//v1/stats",
	"/admin/v1/stats/",
	"/admin/v1/stats//",
	`//${authority}/admin/v1/stats`,
	// Segments of dots.
	"/./admin/v1/stats",
	"/../admin/v1/stats",
	"/.../admin/v1/stats",
	"/%2e/admin/v1/stats",
	"/x/../admin/v1/stats",
	"/x/%2e%2e/admin/v1/stats",
	"/x/%2E./admin/v1/stats",
	"/x/.%2e/admin/v1/stats",
	"/x/%252e%252e/admin/v1/stats",
	"/x/%c0%ae%c0%ae/admin/v1/stats",
	"/x/%uff0e%uff0e/admin/v1/stats",
	"/x/y/../../admin/v1/stats",
	"/v1/../admin/v1/stats",
	"/v1/health/../../admin/v1/stats",
	"/uploads/../admin/v1/stats",
	"/console/../admin/v1/stats",
	"/docs/../admin/v1/stats",
	"/videos/../admin/v1/stats",
	"/videos/%2e%2e/admin/v1/stats",
	"/videos/..%2fadmin/v1/stats",
	"/admin/./v1/stats",
	"/admin/x/../v1/stats",
	"/admin/../admin/v1/stats",
	"/admin/v1/stats/.",
	"/admin/v1/stats/x/..",
	"/admin./v1/stats",
	"/admin/v1/stats.",
	"/x/..%2fadmin/v1/stats",
	"/x/..%252fadmin/v1/stats",
	"/x/..%c0%afadmin/v1/stats",
	// Backslashes, parameters, fragments and queries.
	"/\\admin/v1/stats",
	"/x\\..\\admin/v1/stats",
	"/x/..\\admin/v1/stats",
	"/x%5c..%5cadmin/v1/stats",
	"/x/..%255cadmin/v1/stats",
	"/x/..;/admin/v1/stats",
	"/..;/admin/v1/stats",
	"/;/admin/v1/stats",
	"/;x=y/admin/v1/stats",
	"/admin;x/v1/stats",
	"/admin/v1/stats;x",
	"/admin%3bx/v1/stats",
	"/x/..%3b/admin/v1/stats",
	"/#/../admin/v1/stats",
	"/x%23/../admin/v1/stats",
	"/?/../admin/v1/stats",
	"/x%3f/../admin/v1/stats",
	// What is taken out of an address, or ends it.
	"/admin/v1/stats%00",
	"/admin%00/v1/stats",
	"/%00/../admin/v1/stats",
	"/adm%09in/v1/stats",
	"/adm%0ain/v1/stats",
	"/x/.%0d%0a./admin/v1/stats",
	"/admin%20/v1/stats",
	"/admin/v1/stats%20",
	// Letters.
	"/ADMIN/v1/stats",
	"/Admin/v1/Stats",
	"/adm%c4%b1n/v1/stats",
	// Absolute, or with no path at all.
	`http://${authority}/x/../admin/v1/stats`,
	`http://${authority}/%61dmin/v1/stats`,
	`http://${authority}//admin/v1/stats`,
	`HTTP://${authority}/x/%2e%2e/admin/v1/stats`,
	`http://${authority}?/admin/v1/stats`,
	`http://${authority};x/admin/v1/stats`,
	`http://${authority}'x/admin/v1/stats`,
	`http://${authority}%2fx/admin/v1/stats`,
	"http://x:y@/admin/v1/stats",
	`http://@${authority}/admin/v1/stats`,
	"http:///admin/v1/stats",
	`ftp://${authority}/admin/v1/stats`,
	"file:///admin/v1/stats",
	"*",
	"*/admin/v1/stats",
];

/** What is no request: HTTP allows visible characters of ASCII, and a path, an absolute address or `*`. */
const malformed = [
	"/\xef\xbd\x81dmin/v1/stats",
	"/\xe1dmin/v1/stats",
	"\\admin\\v1\\stats",
	"/adm\tin/v1/stats",
	"/\t/admin/v1/stats",
	"/x/.\t./admin/v1/stats",
	"/admin/v1/stats\t",
	"/admin/v1/stats\f",
	"/admin/v1/stats\x0b",
	"/admin/v1/stats\x7f",
	"/admin/v1/stats\0",
	"/admin/v1/stats\xa0",
	"/admin /v1/stats",
	"/adm\xc4\xb1n/v1/stats",
	`http://${authority}\\admin/v1/stats`,
	`http://${authority}#/../admin/v1/stats`,
	`http://${authority}#/admin/v1/stats`,
	`http://x@${authority}/admin/v1/stats`,
	"http:/admin/v1/stats",
	"http:admin/v1/stats",
	"admin/v1/stats",
	"?/admin/v1/stats",
];

/** Where an address is made of this header and the target, its path begins in the header. */
const hosts: readonly string[] = [
	"1/admin",
	"1\\admin",
	"1/admin/v1/stats?",
	"1/admin/v1/stats#",
	`${authority}/admin`,
	`${authority}/admin/v1/stats?`,
	`x@${authority}/admin`,
];

/** Headers by which some programs let another one on the way name the path. */
const others: readonly (readonly [header: string, value: string])[] = [
	["x-original-url", "/admin/v1/stats"],
	["x-original-uri", "/admin/v1/stats"],
	["x-rewrite-url", "/admin/v1/stats"],
	["x-forwarded-uri", "/admin/v1/stats"],
	["x-forwarded-path", "/admin/v1/stats"],
	["x-forwarded-prefix", "/admin"],
	["x-script-name", "/admin"],
];

/**
 * Requests that a program on the way may take for that path, and the next one not. No server may answer them as it is
 * answered.
 */
export const spellings: readonly Spelling[] = [
	...targets.map((target) => row(target, target.startsWith("/videos/") ? "invalid_path" : "not_found")),
	...malformed.map((target) => row(target, "bad_request")),
	...hosts.map((host) => row("/v1/stats", "bad_request", { host })),
	...others.map(([name, value]) => row("/v1/stats", "not_found", { [name]: value })),
];

/** Returns the bytes of a request for a server at this authority, which closes the connection after its answer. */
export function textOf({ target, headers }: Spelling, at: string, more: Readonly<Record<string, string>> = {}): string {
	const all = { host: at, ...headers, ...more, connection: "close" };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`.replaceAll(authority, at);
}
