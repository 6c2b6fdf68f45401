import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig as readServer, help as serverHelp } from "../../apps/server/src/config.ts";
import { readConfig as readTranscoder, help as transcoderHelp } from "../../apps/transcoder/src/config.ts";
import { root } from "../setup/paths.mjs";
import { capture } from "../spawn.mjs";
import { type Pod, readPods } from "./pods.ts";
import { withTemporaryFile } from "./temporary-file.ts";
import { type ChartTools, prepareTools, run } from "./tools.ts";

const chart = join(root, "deploy/helm/reelmill");
const values = ["least", "everything"] as const;
/** The oldest version that the chart allows, and the newest whose schemas the validator has. */
const kubernetesVersions = ["1.27", "1.30"];
const programs: Readonly<
	Record<string, { readonly help: string; readonly read: (environment: Pod["environment"]) => unknown }>
> = {
	"reelmill-server": { help: serverHelp, read: readServer },
	"reelmill-transcoder": { help: transcoderHelp, read: readTranscoder },
};

/** Values that the chart must refuse, each with what it says. */
const refused: readonly (readonly [values: string, words: string])[] = [
	["{}", "baseUrl"],
	["{ baseUrl: https://video.example.com, storage: { default: eu } }", "secret.masterKey, or secret.existing"],
	["{ baseUrl: https://video.example.com, secret: { existing: reelmill } }", "storage.default"],
	["{ replicas: 3 }", "'replicas' not allowed"],
	["{ server: { settings: { REELMILL_DAILY_UPLOAD_BYTES: 5000000000 } } }", "want string"],
	["{ server: { settings: { LOG_LEVEL: info } } }", "LOG_LEVEL"],
	["{ transcoder: { confinement: false } }", "confinement"],
];

const tools = await prepareTools();
await run(tools.helm, ["lint", "--strict", "--quiet", chart, "--values", file("everything")]);
for (const name of values) {
	const rendered = await render(tools, file(name));
	for (const version of kubernetesVersions) await validate(tools, rendered, version);
	if (name === "everything") provePods(rendered);
}
await proveGuide(tools);
await proveRefusals(tools);
// With what `docker compose` reads it with.
await run(tools.compose, ["-no-interpolation", join(root, "compose.yaml")]);
console.log(`The chart renders, is valid for Kubernetes ${kubernetesVersions.join(" and ")}, and starts the programs.`);

function file(name: (typeof values)[number]): string {
	return join(root, "scripts/chart", `${name}.yaml`);
}

function render({ helm }: ChartTools, valuesFile: string): Promise<string> {
	return run(helm, ["template", "reelmill", chart, "--namespace", "video", "--values", valuesFile]);
}

async function validate({ validate, definitions }: ChartTools, rendered: string, version: string): Promise<void> {
	await withTemporaryFile("rendered.yaml", rendered, (path) =>
		run(validate, [path, "--version", version, "--local-crds", definitions]),
	);
}

/** Starts the programs' reading of their settings in each pod's environment. */
function provePods(rendered: string): void {
	const { pods, targets } = readPods(rendered);
	const ports = new Set(pods.flatMap((pod) => Object.keys(pod.ports)));
	for (const target of targets)
		if (!ports.has(target)) throw new Error(`a Service leads to a port "${target}" of no pod`);
	for (const { deployment, command, environment, probes, ports: own } of pods) {
		const program = programs[command.join(" ")];
		if (program === undefined)
			throw new Error(`${deployment} starts ${command.join(" ")}, which is no command of the image`);
		program.read(environment);
		for (const [port, path] of probes)
			if (!(port in own)) throw new Error(`${deployment} is asked for ${path} on "${port}", which it doesn't have`);
		if (own.metrics !== Number(environment.REELMILL_OPS_PORT))
			throw new Error(`${deployment}: metrics is another port`);
		console.log(`${deployment}: ${Object.keys(environment).length} settings`);
	}
}

/** Renders the values that the guide gives, and looks in its secret for all that pods take from it. */
async function proveGuide(tools: ChartTools): Promise<void> {
	const guide = await readFile(join(root, "docs/guides/many-machines.md"), "utf8");
	const example = guide.split("\n```yaml\n")[1]?.split("\n```\n")[0] ?? "";
	const rendered = await withTemporaryFile("values.yaml", example, (path) => render(tools, path));
	for (const version of kubernetesVersions) await validate(tools, rendered, version);
	for (const kind of ["Ingress", "ScaledObject", "ServiceMonitor"])
		if (!rendered.includes(`kind: ${kind}\n`)) throw new Error(`the guide's values make no ${kind}`);
	const given = Array.from(guide.matchAll(/--from-(?:literal|file)=([\w.-]+)/g), ([, key]) => key);
	const asked = Array.from(rendered.matchAll(/\bkey: ([\w.-]+)/g), ([, key]) => key);
	for (const key of asked) if (!given.includes(key)) throw new Error(`the guide's secret has no ${key}`);
}

async function proveRefusals({ helm }: ChartTools): Promise<void> {
	for (const [text, words] of refused) {
		const { code, output } = await withTemporaryFile("values.yaml", text, (path) =>
			capture(helm, ["template", "reelmill", chart, "--values", path]),
		);
		if (code === 0 || !output.includes(words))
			throw new Error(`the values ${text} should be refused by "${words}": ${output}`);
	}
}
