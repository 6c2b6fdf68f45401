/**
 * The programs that use the packages, one for each way to load them. Each prints or answers what the scenario returns.
 */
const names = {
	node: "@reelmill/node",
	next: "@reelmill/node/next",
	client: "@reelmill/client",
	webhooks: "@reelmill/webhooks",
};
const imports = Object.entries(names)
	.map(([name, specifier]) => `import * as ${name} from ${JSON.stringify(specifier)};`)
	.join("\n");
const packages = `{ ${Object.keys(names).join(", ")} }`;
const required = `{ ${Object.entries(names)
	.map(([name, specifier]) => `${name}: require(${JSON.stringify(specifier)})`)
	.join(", ")} }`;
const service = "JSON.parse(process.env.REELMILL_SERVICE)";

export const programs: Readonly<Record<string, string>> = {
	"main.mjs": `${imports}
import { scenario } from "./scenario.mjs";
console.log(JSON.stringify(await scenario(${packages}, ${service})));
`,
	"main.cjs": `const packages = ${required};
const { scenario } = require("./scenario.mjs");
scenario(packages, ${service}).then((outcome) => console.log(JSON.stringify(outcome)));
`,
	/** For runtimes that answer requests: the body of each is the service's address and key. */
	"worker.mjs": `${imports}
import { scenario } from "./scenario.mjs";
export default {
	async fetch(request) {
		try {
			return Response.json(await scenario(${packages}, await request.json()));
		} catch (error) {
			return new Response(String(error?.stack ?? error), { status: 500 });
		}
	},
};
`,
	"edge.mjs": `import worker from "./worker.mjs";
addEventListener("fetch", (event) => event.respondWith(worker.fetch(event.request)));
`,
	"jest-modules/main.test.mjs": `${imports}
import { expected, scenario } from "../scenario.mjs";
test("works in Jest's modules", async () => expect(await scenario(${packages}, ${service})).toEqual(expected));
`,
	"jest-commonjs/main.test.js": `const { expected, scenario } = require("../scenario.mjs");
test("works in Jest's CommonJS", async () => expect(await scenario(${required}, ${service})).toEqual(expected));
`,
};

/** A worker of Cloudflare's, without any flag, that may reach this machine. */
export const workerdConfig = (script: string): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
	services = [
		(name = "main", worker = (
			modules = [(name = "worker.mjs", esModule = embed ${JSON.stringify(script)})],
			compatibilityDate = "2026-11-01",
			globalOutbound = "outside",
		)),
		(name = "outside", network = (allow = ["public", "private"])),
	],
	sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
