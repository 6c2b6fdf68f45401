import { describe, expect, it } from "vitest";
import { comparable, expectedOutput } from "./expected-output.ts";
import { complaintsAbout } from "./prove.ts";
import { examplesIn } from "./read-examples.ts";
import { runInNode } from "./run.ts";

const example = (code: string, name = "double") => ({ name, file: "packages/media/src/double.ts", line: 4, code });

describe("examples in a docstring", () => {
	it("are the fenced blocks under @example, each with the name of what it describes", () => {
		const text = [
			"/**",
			" * Doubles a number.",
			" * ```ts",
			" * not.anExample();",
			" * ```",
			" * @example",
			" * ```ts",
			" * if (true) {",
			" * \tconsole.log(double(2)); // => 4",
			" * }",
			" * ```",
			" */",
			"export function double(value: number): number {",
		].join("\n");
		expect(examplesIn("packages/media/src/double.ts", text)).toEqual([
			{
				name: "double",
				file: "packages/media/src/double.ts",
				line: 8,
				code: "if (true) {\n\tconsole.log(double(2)); // => 4\n}\n",
			},
		]);
	});

	it("must show a value, use what they describe, and import packages by their names", () => {
		const whole = 'import { double } from "@reelmill/media";\nconsole.log(double(2)); // => 4\n';
		expect(complaintsAbout(example(whole))).toEqual([]);
		expect(complaintsAbout(example(whole.replace("// => 4", "")))).toEqual([expect.stringContaining("no value")]);
		expect(complaintsAbout(example(whole, "triple"))).toEqual([expect.stringContaining("does not use it")]);
		expect(complaintsAbout(example(whole.replace("@reelmill/media", "./double.ts")))).toEqual([
			expect.stringContaining("by its name"),
		]);
	});
});

describe("the output of an example", () => {
	const matches = (output: string, code: string) => expectedOutput(code).test(comparable(output));

	it("is every value after an arrow, in order", () => {
		const code = "console.log(1); // => 1\n// => { name: 'a' }\n";
		expect(matches("1\n{\n  name: 'a'\n}\n", code)).toBe(true);
		expect(matches("{ name: 'a' }\n1\n", code)).toBe(false);
		expect(matches("1\n", code)).toBe(false);
		expect(matches("1\n{ name: 'a' }\nmore\n", code)).toBe(false);
	});

	it("may have a text in quotes, which is printed without them", () => {
		expect(matches("lesson 1\n", '// => "lesson 1"')).toBe(true);
		expect(matches("{ name: 'a' }\n", '// => { name: "a" }')).toBe(false);
	});

	it("may differ only where the value has an ellipsis", () => {
		expect(matches("id 3f2a of a.b\n", "// => id … of a.b")).toBe(true);
		expect(matches("id 3f2a of a-b\n", "// => id … of a.b")).toBe(false);
	});
});

describe("an example that runs", () => {
	it("finds its package, the environment and the files it was given", async () => {
		const code = [
			'import { readFileSync } from "node:fs";',
			'import { signatureHeader } from "@reelmill/webhooks";',
			'const text: string = readFileSync("given.txt", "utf8");',
			"console.log(signatureHeader, process.env.DATABASE_URL, text.length > 0);",
		].join("\n");
		const output = await runInNode(code, {
			packageFolder: "webhooks",
			environment: { DATABASE_URL: "postgres://example" },
			files: { "given.txt": import.meta.filename },
		});
		expect(output).toBe("service-signature postgres://example true\n");
	});

	it("fails with what it threw", async () => {
		const run = runInNode('throw new Error("no such video")', { packageFolder: "webhooks" });
		await expect(run).rejects.toThrow("no such video");
	});
});
