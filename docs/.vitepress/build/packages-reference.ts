import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Application, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";
import { listPackages } from "../../../scripts/packages/list.ts";
import { root } from "../../../scripts/setup/paths.mjs";

const table = "table";
const options: Partial<TypeDocOptions> & Partial<PluginOptions> = {
	name: "The packages",
	plugin: ["typedoc-plugin-markdown"],
	entryPoints: listPackages().flatMap(({ folder, manifest }) =>
		Object.values(manifest.exports).map(({ types }) => join(folder, types)),
	),
	tsconfig: join(root, "docs/.vitepress/build/packages-reference.tsconfig.json"),
	readme: "none",
	excludeInternal: true,
	excludePrivate: true,
	// What an element has of HTML's own, HTML's documentation says.
	excludeExternals: true,
	gitRevision: "main",
	sourceLinkTemplate: "https://github.com/reelmill/reelmill/blob/main/{path}#L{line}",
	skipErrorChecking: true,
	// A type that a signature names and no entry exports stands there by its name.
	validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
	requiredToBeDocumented: ["Function", "Class", "Interface", "TypeAlias", "Variable", "Enum"],
	treatValidationWarningsAsErrors: true,
	outputFileStrategy: "modules",
	entryFileName: "index",
	hidePageHeader: true,
	hideBreadcrumbs: true,
	useCodeBlocks: true,
	parametersFormat: table,
	interfacePropertiesFormat: table,
	classPropertiesFormat: table,
	typeAliasPropertiesFormat: table,
	propertyMembersFormat: table,
	typeDeclarationFormat: table,
	enumMembersFormat: table,
	tableColumnSettings: { hideSources: true, hideModifiers: true, hideInherited: true, hideOverrides: true },
};

/** What can be imported, and its page below the reference's folder. */
export type Module = { readonly name: string; readonly page: string };

/**
 * Makes the reference of the packages' exports in a folder: a page of Markdown for each module that can be imported,
 * and `index.md` with all of them. Returns the modules.
 *
 * @throws {Error} if an export has no words, or a link in them leads nowhere; what is wrong was printed.
 */
export async function makePackagesReference(out: string): Promise<Module[]> {
	const application = await Application.bootstrapWithPlugins({ ...options, out });
	const project = await application.convert();
	for (const child of project?.children ?? []) child.name = nameOf(child.sources?.[0]?.fullFileName) ?? child.name;
	if (project) await application.generateOutputs(project);
	if (!project || application.logger.hasErrors()) throw new Error("The packages' reference could not be made.");
	for (const page of globSync("**/*.md", { cwd: out })) {
		const file = join(out, page);
		writeFileSync(file, short(readFileSync(file, "utf8")));
	}
	const listed = readFileSync(join(out, "index.md"), "utf8").matchAll(/^- \[(.+?)\]\((.+?)\)$/gm);
	return Array.from(listed, ([, name = "", page = ""]) => ({ name, page }));
}

/** How much of a type is shown: the one of all operations together has thousands of lines. */
const most = { lines: 24, letters: 400 };

/** Leaves out the anchors in tables, which are HTML, and the end of a type that nobody reads to it. */
const short = (text: string): string =>
	text
		.replaceAll(/<a id="[^"]*"><\/a> /g, "")
		.replaceAll(/^```ts\n(.*?)\n```$/gms, (block, code: string) => {
			const lines = code.split("\n");
			return lines.length <= most.lines ? block : `\`\`\`ts\n${lines.slice(0, most.lines).join("\n")}\n\t// …\n\`\`\``;
		})
		.replaceAll(/^\| .*$/gm, (row) =>
			row.length <= most.letters
				? row
				: row
						.split(/(?<!\\) \| /)
						.map((cell) => (cell.length > most.letters && /[{(<[]/.test(cell) && !/\. /.test(cell) ? "`…`" : cell))
						.join(" | ")
						.replace(/`…`$/, "`…` |"),
		);

/** The name by which users import the module of a source file. */
function nameOf(file: string | undefined): string | undefined {
	for (const { folder, manifest } of listPackages())
		for (const [entry, { types }] of Object.entries(manifest.exports))
			if (join(folder, types) === file) return join(manifest.name, entry);
	return undefined;
}
