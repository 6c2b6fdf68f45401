import ts from "typescript";
import { expect, it } from "vitest";
import { undocumented } from "./documented.ts";

/** What is missing in a module of this text. */
function complaintsAbout(text: string): string[] {
	const file = "/module.ts";
	const host = ts.createCompilerHost({});
	const { getSourceFile } = host;
	host.getSourceFile = (path, version) =>
		path === file ? ts.createSourceFile(path, text, version, true) : getSourceFile(path, version);
	const program = ts.createProgram([file], { noLib: true, types: [] }, host);
	return undocumented(program, [file]).map((complaint) => complaint.replace(/^.*?:(\d+): /, "$1: "));
}

it("asks every export what it is for, of whatever kind it is", () => {
	const said = complaintsAbout(
		"/** Says more. */\nexport type Said = string;\nexport type Unsaid = string;\nexport const value = 1;\nexport function call() {}\nexport class Thing {}\n",
	);
	expect(said.map((each) => each.slice(0, 12)).toSorted()).toEqual([
		"3: Unsaid is",
		"4: value is ",
		"5: call is e",
		"6: Thing is ",
	]);
});

it("asks a function that throws what it throws, but not for what a function within it does", () => {
	const text = (words: string) =>
		`/** ${words} */\nexport function read() {\n\tif (1) throw 1;\n}\n/** Lists. */\nexport function list() {\n\treturn () => {\n\t\tthrow 2;\n\t};\n}\n`;
	expect(complaintsAbout(text("Reads."))).toEqual(["2: read throws, and nothing says what: add @throws"]);
	expect(complaintsAbout(text("Reads. @throws {TypeError} if it is empty"))).toEqual([]);
});

it("asks every number of an options' type for its unit, in its name or in words", () => {
	const text =
		"/** Options. */\nexport type Options = {\n\tpatience: number;\n\twaitSeconds: number;\n\t/** In bytes. */\n\troom?: number;\n};\n";
	expect(complaintsAbout(text)).toEqual(["3: Options.patience is a number, and nothing says of what: name its unit"]);
});
