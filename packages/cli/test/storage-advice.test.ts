import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { listen } from "../../http/test/support/open-service.ts";
import { inProcess } from "./support/reelmill.ts";

describe("the doctor's advice", () => {
	it("says what a player in a page will miss at the public address", async () => {
		const server = createServer((_request, response) => void response.end());
		const address = await listen(server);
		const notes = async (public_base_url: string) => {
			const scripted = createServer((request, response) => {
				request.resume();
				response
					.setHeader("content-type", "application/json")
					.end(JSON.stringify({ verified_at: "2026-01-31T12:00:00.000Z", steps: ["write"] }));
			});
			const url = await listen(scripted);
			const { stdout } = await inProcess(
				{ REELMILL_URL: url, REELMILL_API_KEY: "ek_x" },
				"storage",
				"doctor",
				"backend=s3_tenant",
				`public_base_url=${public_base_url}`,
			);
			scripted.close();
			return stdout;
		};
		expect(await notes(address)).toContain("sends no Access-Control-Allow-Origin");
		expect(await notes("http://127.0.0.1:9")).toContain("can't be reached from here");
		server.close();
	});
});
