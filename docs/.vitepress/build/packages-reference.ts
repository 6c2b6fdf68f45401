import { join } from "node:path";
import { Application, type TypeDocOptions } from "typedoc";
import { listPackages } from "../../../scripts/packages/list.ts";
import { root } from "../../../scripts/setup/paths.mjs";

const options: Partial<TypeDocOptions> = {
	name: "Reelmill: the packages",
	entryPoints: listPackages().flatMap(({ folder, manifest }) =>
		Object.values(manifest.exports).map(({ types }) => join(folder, types)),
	),
	tsconfig: join(root, "docs/.vitepress/build/packages-reference.tsconfig.json"),
	readme: join(root, "README.md"),
	excludeInternal: true,
	excludePrivate: true,
	githubPages: true,
	gitRevision: "main",
	skipErrorChecking: true,
	// A type that a signature names and no entry exports stands there by its name.
	validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
	requiredToBeDocumented: ["Function", "Class", "Interface", "TypeAlias", "Variable", "Enum"],
	treatValidationWarningsAsErrors: true,
};

/**
 * Makes the reference of the packages' exports in a folder.
 *
 * @throws {Error} if an export has no words, or a link in them leads nowhere; what is wrong was printed.
 */
export async function makePackagesReference(out: string): Promise<void> {
	const application = await Application.bootstrap({ ...options, out });
	const project = await application.convert();
	for (const child of project?.children ?? []) child.name = nameOf(child.sources?.[0]?.fullFileName) ?? child.name;
	if (project) await application.generateOutputs(project);
	if (!project || application.logger.hasErrors()) throw new Error("The packages' reference could not be made.");
}

/** The name by which users import the module of a source file. */
function nameOf(file: string | undefined): string | undefined {
	for (const { folder, manifest } of listPackages())
		for (const [entry, { types }] of Object.entries(manifest.exports))
			if (join(folder, types) === file) return join(manifest.name, entry);
	return undefined;
}
