import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** The file of each entry point of the workspace. @type {Record<string, string>} */
const entries = JSON.parse(process.env.EXAMPLE_ENTRIES ?? "{}");
const folder = pathToFileURL(`${process.env.EXAMPLE_PACKAGE}/`).href;
delete process.env.EXAMPLE_ENTRIES;
delete process.env.EXAMPLE_PACKAGE;

// Example code imports what a user of its package could: the packages by name, and the package's own dependencies.
registerHooks({
	resolve(specifier, context, next) {
		const entry = entries[specifier];
		if (entry) return next(pathToFileURL(entry).href, context);
		const isExample = context.parentURL?.endsWith("/[eval1]");
		return next(specifier, isExample ? { ...context, parentURL: `${folder}example.ts` } : context);
	},
});
