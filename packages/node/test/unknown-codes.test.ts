import { errorFromAnswer } from "@reelmill/client";
import { expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { createReelmill, uploadRoutes } from "../src/index.ts";

it("a code that only a newer service knows reaches the back end and its page with its text, its status and its fields", async () => {
	await using server = await scriptedServer({
		status: 451,
		headers: { "x-request-id": "r-1" },
		body: { error: "not_in_this_country", message: "Not here.", country: "XX" },
	});
	const reelmill = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" });
	const told = { code: "internal_error", rawCode: "not_in_this_country", status: 451, extras: { country: "XX" } };
	await expect(reelmill.videos.create({ content_type: "video/mp4", file_size: 1 })).rejects.toMatchObject(told);
	expect(server.seen).toHaveLength(1);

	const answer = uploadRoutes({ reelmill, authorize: () => ({ ref: "ada" }) });
	const page = await answer(
		new Request("https://shop.example.com/video", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ action: "upload", content_type: "video/mp4", file_size: 20 }),
		}),
	);
	const seen = errorFromAnswer({
		status: page.status,
		body: await page.text(),
		requestId: page.headers.get("x-request-id"),
	});
	expect(seen).toMatchObject({ ...told, requestId: "r-1", message: "Not here." });
});
