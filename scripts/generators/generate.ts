import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tool } from "../programs/tool.ts";
import { run } from "../setup/spawn.mjs";

/** Generates a client from an OpenAPI document in a file, into a folder. Each stands for one generator. */
export const generators = {
	"openapi-typescript": (document: string, folder: string) =>
		run(tool("openapi-typescript"), [document, "--output", join(folder, "schema.ts")]),
	/** A client that Node runs as it is. */
	"hey-api": async (document: string, folder: string) => {
		const config = {
			input: document,
			output: { path: join(folder, "client"), importFileExtension: ".ts" },
			plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
		};
		await run(tool("openapi-ts"), ["--file", await written(folder, config)], folder);
	},
	orval: async (document: string, folder: string) => {
		// It takes the forms of a body for one, and sends an object of JSON as a file.
		const override = {
			contentType: { exclude: ["image/jpeg", "image/png", "image/webp", "application/octet-stream"] },
		};
		const output = { target: "client/endpoints.ts", schemas: "client/model", client: "fetch", mode: "split", override };
		await run(tool("orval"), ["--config", await written(folder, { reelmill: { input: document, output } })], folder);
	},
} as const satisfies Record<string, (document: string, folder: string) => Promise<unknown>>;

async function written(folder: string, config: object): Promise<string> {
	await mkdir(folder, { recursive: true });
	const file = join(folder, "generator.config.mjs");
	await writeFile(file, `export default ${JSON.stringify(config, null, "\t")};\n`);
	return file;
}
