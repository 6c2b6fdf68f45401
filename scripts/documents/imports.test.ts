import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../setup/paths.mjs";
import { userDocuments } from "./read-code.ts";

/** Their frameworks compile these: `scripts/ten-minutes` does so without settings, as does the test of Nest. */
const compiled = /^examples\/(?:ten-minutes\/(?:nextjs|sveltekit)|webhooks\/src\/nest)/;

it("has no file in a guide that can't be imported without its settings, as image builds and CI do", async () => {
	const files = userDocuments().flatMap((document) =>
		Array.from(
			readFileSync(join(root, document), "utf8").matchAll(/^<!-- file: (\S+\.ts) as /gm),
			([, file = ""]) => file,
		),
	);
	const plain = files.filter((file) => !compiled.test(file));
	expect(plain).toContain("examples/ten-minutes/src/express.ts");
	const imports = plain.map((file) => `await import(${JSON.stringify(join(root, file))});`);
	const program = ["--input-type=module", "--eval", `${imports.join("\n")}\nprocess.exit(0);`];
	await promisify(execFile)(process.execPath, program, { env: { PORT: "0" } });
});
