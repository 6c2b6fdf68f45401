import { join } from "node:path";
import { Application, type TypeDocOptions } from "typedoc";
import { listPackages } from "../packages/list.ts";
import { root } from "../setup/paths.mjs";

/** Where the reference is made. */
const out = join(root, "dist/reference");

const options: Partial<TypeDocOptions> = {
	name: "Reelmill: the packages",
	entryPoints: listPackages().flatMap(({ folder, manifest }) =>
		Object.values(manifest.exports).map(({ types }) => join(folder, types)),
	),
	tsconfig: join(root, "scripts/reference/tsconfig.json"),
	readme: join(root, "README.md"),
	out,
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

const application = await Application.bootstrap(options);
const project = await application.convert();
if (!project) process.exitCode = 1;
else {
	for (const child of project.children ?? []) child.name = nameOf(child.sources?.[0]?.fullFileName) ?? child.name;
	await application.generateOutputs(project);
	if (application.logger.hasErrors()) process.exitCode = 1;
	else console.log(`The reference is in ${out}: open index.html.`);
}

/** The name by which users import the module of a source file. */
function nameOf(file: string | undefined): string | undefined {
	for (const { folder, manifest } of listPackages())
		for (const [entry, { types }] of Object.entries(manifest.exports))
			if (join(folder, types) === file) return join(manifest.name, entry);
	return undefined;
}
