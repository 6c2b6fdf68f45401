import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findProgram, root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";

/** Programs of Go, each in one version; `kubectl-validate` carries the schemas of Kubernetes. */
const programs = {
	helm: "helm.sh/helm/v4/cmd/helm@v4.3.1",
	"kubectl-validate": "sigs.k8s.io/kubectl-validate@v0.0.4",
	// Its command is called cmd: what `docker compose` reads a file with.
	cmd: "github.com/compose-spec/compose-go/v2/cmd@v2.16.2",
} as const;
/** Where the schemas of what isn't Kubernetes' own lie in their makers' modules. */
const definitions = [
	["github.com/kedacore/keda/v2@v2.21.0", "config/crd/bases/keda.sh_scaledobjects.yaml"],
	[
		"github.com/prometheus-operator/prometheus-operator@v0.85.0",
		"example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
	],
] as const;
const folder = join(root, "node_modules/.reelmill/chart");

export type ChartTools = {
	readonly helm: string;
	readonly validate: string;
	readonly compose: string;
	/** A folder with the definitions of resources that aren't Kubernetes' own. */
	readonly definitions: string;
};

/**
 * Builds what the check needs from the Go module proxy, once.
 *
 * @throws {Error} when Go is missing, or when a module can't be had.
 */
export async function prepareTools(): Promise<ChartTools> {
	const go = findProgram("go");
	if (go === undefined)
		throw new Error("The check of the chart builds helm and others with Go: install Go 1.26 or later.");
	await mkdir(join(folder, "definitions"), { recursive: true });
	const paths = new Map<string, string>();
	for (const [name, from] of Object.entries(programs)) {
		const bin = join(folder, from.replace(/[^\w.]+/g, "-"));
		paths.set(name, join(bin, name));
		if (findProgram(join(bin, name)) !== undefined) continue;
		console.log(`Building ${from}, which takes some minutes the first time.`);
		await run(go, ["install", from], folder, { ...process.env, GOBIN: bin });
	}
	for (const [module, path] of definitions) {
		const target = join(folder, "definitions", basename(path));
		const { Dir } = JSON.parse(await run(go, ["mod", "download", "-json", module])) as { Dir: string };
		await cp(join(Dir, path), target);
	}
	const path = (name: keyof typeof programs) => paths.get(name) ?? name;
	return {
		helm: path("helm"),
		validate: path("kubectl-validate"),
		compose: path("cmd"),
		definitions: join(folder, "definitions"),
	};
}
