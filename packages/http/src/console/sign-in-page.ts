import { createHash } from "node:crypto";
import type { ReelmillError } from "@reelmill/contracts";
import { html, raw } from "hono/html";
import { parseAccept } from "hono/utils/accept";
import { Rendered } from "../json/with-headers.ts";
import type { Problem } from "../problem.ts";

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { max-width: 26rem; padding: 24px; }
h1 { font-size: 20px; margin: 0 0 8px; }
a { color: light-dark(#4f46e5, #818cf8); }
small { color: light-dark(#4b5563, #9ca3af); overflow-wrap: anywhere; }
`;
const styleHash = createHash("sha256").update(style).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const advice: { readonly [code: string]: string } = {
	oauth_failed: "You are not signed in. Try again; if it fails again, ask who runs this installation.",
	account_disabled: "You are not signed in. Ask an admin of this installation to enable your account.",
	rate_limited: "You are not signed in. Wait a few minutes, then try again.",
};

/** Returns whether the client asks for a page, as browsers do where a person follows a link. */
export const wantsPage = (accept: string | null): boolean =>
	accept !== null && parseAccept(accept).some(({ type, q }) => type.toLowerCase() === "text/html" && q > 0);

/** Returns the page that tells a person why signing in failed, with the status and headers of the problem. */
export function signInPage(error: ReelmillError, problem: Problem, requestId: string): Rendered {
	const { message } = problem.body;
	const text = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in failed</title><style>${raw(style)}</style></head>
<body><main>
<h1>Sign-in failed</h1>
<p>${message}</p>
<p>${advice[error.code] ?? "You are not signed in."}</p>
<p><a href="/console/sign-in">Back to the sign-in page</a></p>
<p><small>${error.code} · request ${requestId}</small></p>
</main></body>
</html>
`;
	const body = String(text);
	return new Rendered({
		status: problem.status,
		headers: {
			...problem.headers,
			"content-type": "text/html; charset=utf-8",
			"content-length": String(Buffer.byteLength(body)),
			"content-security-policy": policy,
		},
		body,
	});
}
