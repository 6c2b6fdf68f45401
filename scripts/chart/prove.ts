import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { readConfig as readServer } from "../../apps/server/src/config.ts";
import { readConfig as readTranscoder } from "../../apps/transcoder/src/config.ts";
import { root } from "../setup/paths.mjs";
import { withTemporaryFile } from "./temporary-file.ts";
import { captureTool, findDefinitions, runTool } from "./tools.ts";

const chart = join(root, "deploy/helm/reelmill");
const values = ["least", "everything", "placed"] as const;
/** The oldest version that the chart allows, and the newest whose schemas the validator has. */
const kubernetesVersions = ["1.27", "1.30"];
type Environment = Readonly<Record<string, string>>;
const readers = {
	"reelmill-server": (environment: Environment) => readServer(environment),
	"reelmill-transcoder": (environment: Environment) => readTranscoder({}, environment),
	"reelmill-transcoder --once": (environment: Environment) => readTranscoder({ once: true }, environment),
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

const definitions = (await findDefinitions()).join(",");
await runTool("helm", "lint", "--strict", "--quiet", chart, "--values", file("everything"));
for (const name of values) {
	const rendered = await render(file(name));
	for (const version of kubernetesVersions) await validate(rendered, version);
	if (name !== "least") provePods(rendered);
}
const kueue = await readFile(join(root, "deploy/placed/kueue.yaml"), "utf8");
// The validator gives no name that begins so, as a cluster does.
const named = kueue.replace("generateName: reelmill-transcode-", "name: reelmill-transcode-1");
for (const version of kubernetesVersions) await validate(named, version);
await proveGuide();
await proveRefusals();
await runTool("compose", "-no-interpolation", join(root, "compose.yaml"));
console.log(`The chart renders, is valid for Kubernetes ${kubernetesVersions.join(" and ")}, and starts the programs.`);

function file(name: (typeof values)[number]): string {
	return join(root, "scripts/chart", `${name}.yaml`);
}

function render(valuesFile: string): Promise<string> {
	return runTool("helm", "template", "reelmill", chart, "--namespace", "video", "--values", valuesFile);
}

async function validate(rendered: string, version: string): Promise<void> {
	await withTemporaryFile("rendered.yaml", rendered, (path) =>
		runTool("kubectl-validate", path, "--version", version, "--local-crds", definitions),
	);
}

type Manifest = {
	readonly kind: string;
	readonly metadata: { readonly name: string };
	readonly stringData?: Readonly<Record<string, string>>;
	readonly spec: {
		readonly template: Pods;
		readonly jobTargetRef: { readonly template: Pods };
	};
};
type Pods = { readonly spec: { readonly containers: readonly Container[] } };
type Container = {
	readonly command: readonly string[];
	readonly env: readonly {
		readonly name: string;
		readonly value?: string;
		readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
	}[];
};

/** Lets each program read the settings that its pod gives it, those of secrets included. */
function provePods(rendered: string): void {
	const manifests = parseAllDocuments(rendered).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
	const of = (wanted: string) => manifests.filter(({ kind }) => kind === wanted);
	const secrets = new Map(of("Secret").map(({ metadata, stringData }) => [metadata.name, stringData]));
	const pods = [
		...of("Deployment").map(({ spec }) => spec.template),
		...of("ScaledJob").map(({ spec }) => spec.jobTargetRef.template),
	];
	for (const { command, env } of pods.flatMap(({ spec }) => spec.containers)) {
		const settings = env.map(
			({ name, value, valueFrom: { secretKeyRef: { name: secret = "", key = "" } = {} } = {} }) => {
				const text = value ?? secrets.get(secret)?.[key];
				if (text === undefined) throw new Error(`${name} has no value: the Secret ${secret} has no ${key}`);
				return [name, text] as const;
			},
		);
		readers[command.join(" ") as keyof typeof readers](Object.fromEntries(settings));
		console.log(`${command.join(" ")}: ${settings.length} settings`);
	}
}

/** Renders the values that the guide gives, and looks in its secret for all that pods take from it. */
async function proveGuide(): Promise<void> {
	const guide = await readFile(join(root, "docs/guides/many-machines.md"), "utf8");
	const example = guide.split("\n```yaml\n")[1]?.split("\n```\n")[0] ?? "";
	const rendered = await withTemporaryFile("values.yaml", example, render);
	for (const version of kubernetesVersions) await validate(rendered, version);
	for (const kind of ["Ingress", "ScaledObject", "ServiceMonitor"])
		if (!rendered.includes(`kind: ${kind}\n`)) throw new Error(`the guide's values make no ${kind}`);
	const given = Array.from(guide.matchAll(/--from-(?:literal|file)=([\w.-]+)/g), ([, key]) => key);
	const asked = Array.from(rendered.matchAll(/\bkey: ([\w.-]+)/g), ([, key]) => key);
	for (const key of asked) if (!given.includes(key)) throw new Error(`the guide's secret has no ${key}`);
}

async function proveRefusals(): Promise<void> {
	for (const [text, words] of refused) {
		const { code, output } = await withTemporaryFile("values.yaml", text, (path) =>
			captureTool("helm", "template", "reelmill", chart, "--values", path),
		);
		if (code === 0 || !output.includes(words))
			throw new Error(`the values ${text} should be refused by "${words}": ${output}`);
	}
}
