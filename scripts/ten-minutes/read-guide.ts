import { blocksOf, fileSaid } from "../documents/read-code.ts";

/** What the reader of the guide does next. */
export type Step =
	/** Types commands, and waits for their end. */
	| { readonly kind: "commands"; readonly text: string }
	/** Types a command that runs until it is stopped. */
	| { readonly kind: "program"; readonly text: string }
	/** Saves a file under a name. */
	| { readonly kind: "file"; readonly name: string; readonly text: string };

/** What the guides' headings call the frameworks. */
export const frameworks = ["Express", "Hono", "Next.js", "SvelteKit"] as const;
export type Framework = (typeof frameworks)[number];

/**
 * Reads the steps for a reader who chose a framework, by the sections of the guide. A section whose heading names other
 * frameworks alone is left out. Commands that no reader runs on a machine that is ready are left out, too.
 */
export function stepsFor(framework: Framework, guide: string): { readonly heading: string; readonly steps: Step[] }[] {
	const sections = guide.split(/^(?=###? )/m);
	return sections.flatMap((section) => {
		const [heading = ""] = section.split("\n", 1);
		const named = frameworks.filter((each) => heading.includes(each));
		if (named.length > 0 && !named.includes(framework)) return [];
		const steps = [...blocksOf(section, /./)].flatMap(({ comments, text }): Step[] => {
			const file = fileSaid(comments);
			if (file !== undefined) return [{ kind: "file", name: file.name, text }];
			if (!comments.includes("<!-- run by: ")) return [];
			return [{ kind: comments.includes("<!-- until SIGTERM -->") ? "program" : "commands", text }];
		});
		return steps.length === 0 ? [] : [{ heading: heading.replace(/^#+ /, ""), steps }];
	});
}
