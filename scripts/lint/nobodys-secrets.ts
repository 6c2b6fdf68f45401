import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nobodysWebhookSecret } from "../../packages/contracts/src/openapi/nobodys-secret.ts";
import { root } from "../setup/paths.mjs";

/** What readers copy: documents, docstrings and examples of the packages, programs that run the documents' code. */
const read = [
	"*.md",
	"docs/**/*.md",
	"{apps,packages,examples}/*/*.md",
	"{bench,faults,fuzz}/*.md",
	"{apps,packages,examples}/*/src/**/*.{ts,tsx}",
	"packages/*/test/readme-example.*",
	"scripts/documents/*.ts",
];
const prefix = "whsec_";
/** The second one is that of `reelmill dev` in its guide: it stays on the reader's machine. */
const nobodys = [nobodysWebhookSecret, "whsec_dev"].map((secret) => secret.slice(prefix.length));

export type Secret = { readonly line: number; readonly secret: string };

/** Finds webhook secrets, also abridged ones such as `whsec_...`, that aren't nobody's. The bare prefix is none. */
export function somebodysSecrets(text: string): Secret[] {
	return text.split("\n").flatMap((line, index) => {
		const [, ...after] = line.split(prefix);
		return after
			.map((rest) => /^[\w.…+=-]*/.exec(rest)?.[0] ?? "")
			.filter((rest) => rest !== "" && rest !== "." && !nobodys.includes(rest))
			.map((rest) => ({ line: index + 1, secret: `${prefix}${rest}` }));
	});
}

/** Proves that every webhook secret in what readers copy is the one that is nobody's. */
export async function proveNobodysSecrets(): Promise<void> {
	const files = globSync(read, { cwd: root, exclude: ["**/node_modules/**"] });
	const complaints = files.flatMap((file) =>
		somebodysSecrets(readFileSync(join(root, file), "utf8")).map(
			({ line, secret }) => `${file}:${line}: ${secret} may be somebody's: write ${nobodysWebhookSecret}`,
		),
	);
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	console.log(`${files.length} files`);
}
