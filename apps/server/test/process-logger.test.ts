import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const logger = new URL("../src/process-logger.ts", import.meta.url);

it("writes lines in which no text of a request steers the terminal that shows them", async () => {
	const agent = "\u009b2J\u202egpj\u2028\u001b[2J";
	const program = `
		import { createProcessLogger } from ${JSON.stringify(logger.href)};
		createProcessLogger({ LOG_LEVEL: "info" }, 1).info({ agent: ${JSON.stringify(agent)} }, "request");
	`;
	const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
	expect(stderr).toMatch(/^[ -~]+\n$/);
	expect(JSON.parse(stderr)).toMatchObject({ agent, process: 1, msg: "request" });
});
