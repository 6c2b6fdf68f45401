import { documents } from "./documents.ts";

const audiences = {
	tenants: "tenants: what your back end, your pages and players call, and webhooks",
	operators: "operators: the admin plane and the operations port",
	workers: "workers: the internal plane",
	console: "the console: all that its session may call",
	all: "all of it",
} as const satisfies Record<keyof typeof documents, string>;

const items = (Object.keys(documents) as (keyof typeof documents)[]).map(
	(audience) => `<li><a href=".${documents[audience]}">${documents[audience]}</a>: ${audiences[audience]}</li>`,
);

/** What stands at /docs on a server without the page of the reference. Its links also hold below a path. */
export const links = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reelmill API</title>
</head>
<body>
<h1>Reelmill API</h1>
<p>This server describes its API by OpenAPI 3.1 documents:</p>
<ul>
${items.join("\n")}
</ul>
</body>
</html>
`;
