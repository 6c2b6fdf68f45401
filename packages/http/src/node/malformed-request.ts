import type { IncomingMessage } from "node:http";
import { ReelmillError } from "@reelmill/contracts";

/**
 * A name or an address, and a port, as RFC 3986 has them in section 3.2. Whoever makes an address of another text with
 * the path finds another path: `1/admin` before `/v1/stats`.
 */
const validHost = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Returns the refusal of a malformed request that Node lets pass on a guarded server, and `null` if the request is well
 * formed. Node's own refusals of such requests lack the contract's body.
 */
export function refusalOfRequest({ headers, httpVersion, url = "/" }: IncomingMessage): ReelmillError | null {
	// RFC 9110, section 4.2.4, makes such an address an error, and Fetch accepts none.
	if (!url.startsWith("/") && URL.canParse(url) && new URL(url).username + new URL(url).password !== "")
		return new ReelmillError("bad_request", { message: "The target holds a name or a password." });
	if (headers.host !== undefined && !validHost.test(headers.host))
		return new ReelmillError("bad_request", { message: "The header Host is no name or address with a port." });
	if (httpVersion !== "1.1") return null;
	if (headers.host === undefined)
		return new ReelmillError("bad_request", { message: "A request by HTTP/1.1 needs the header Host." });
	if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return null;
	return new ReelmillError("bad_request", { status: 417, message: "Nothing can be expected but 100-continue." });
}
