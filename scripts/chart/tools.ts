import { join } from "node:path";
import { findProgram } from "../setup/paths.mjs";
import { capture, run } from "../setup/spawn.mjs";

/** Programs of Go, each in one version; `kubectl-validate` carries the schemas of Kubernetes. */
const programs = {
	helm: "helm.sh/helm/v4/cmd/helm@v4.3.1",
	"kubectl-validate": "sigs.k8s.io/kubectl-validate@v0.0.4",
	// What `docker compose` reads a file with.
	compose: "github.com/compose-spec/compose-go/v2/cmd@v2.16.2",
} as const;
type Program = keyof typeof programs;

/** Where the definitions of what isn't Kubernetes' own lie in their makers' modules. */
const definitions = [
	["github.com/kedacore/keda/v2@v2.21.0", "config/crd/bases"],
	["sigs.k8s.io/kueue@v0.17.0", "config/components/crd/bases"],
	["github.com/prometheus-operator/prometheus-operator@v0.85.0", "example/prometheus-operator-crd"],
] as const;

/** Runs a program and keeps what it prints. Go builds it from the module proxy the first time, which takes minutes. */
export const captureTool = (program: Program, ...args: string[]): Promise<{ code: number; output: string }> =>
	capture("go", ["run", programs[program], ...args]);

/** Runs a program to its end, and returns what it printed; rejects with that if it fails. */
export const runTool = (program: Program, ...args: string[]): Promise<string> =>
	run("go", ["run", programs[program], ...args]);

/**
 * Returns the folders with the definitions of resources that aren't Kubernetes' own.
 * @throws {Error} when Go is missing, or when a module can't be had.
 */
export async function findDefinitions(): Promise<string[]> {
	if (findProgram("go") === undefined)
		throw new Error("The check of the chart builds helm and others with Go: install Go 1.26 or later.");
	const folders: string[] = [];
	for (const [module, path] of definitions)
		folders.push(join(JSON.parse(await run("go", ["mod", "download", "-json", module])).Dir, path));
	return folders;
}
