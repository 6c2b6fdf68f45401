import { describe, expect, it } from "vitest";
import { type ClientOptions, ConnectionError, createClient } from "../src/index.ts";
import { scriptedServer } from "./support/scripted-server.ts";

const id = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";

describe("a call", () => {
	it("fills in path, query and body, and bears the credential", async () => {
		await using server = await scriptedServer({ status: 200, body: { id } });
		const client = createClient({ baseUrl: `${server.baseUrl}/prefix/`, credential: "ek_one" });
		expect(await client.call("getVideo", { params: { id } })).toEqual({ id });
		await client.call("listVideos", { query: { state: "available", limit: 5 } });
		await client.call("listVideos", {});
		await client.call("updateVideoVisibility", { params: { id }, body: { visibility: "public" } });
		expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
			["GET", `/prefix/v1/videos/${id}`, ""],
			["GET", "/prefix/v1/videos?state=available&limit=5", ""],
			["GET", "/prefix/v1/videos", ""],
			["PATCH", `/prefix/v1/videos/${id}/visibility`, '{"visibility":"public"}'],
		]);
		expect(server.seen[0]?.headers).toMatchObject({ authorization: "Bearer ek_one", accept: "application/json" });
		expect(server.seen[3]?.headers["content-type"]).toBe("application/json");
	});

	it("asks a credential function anew each time", async () => {
		await using server = await scriptedServer({ status: 200, body: {} });
		let minted = 0;
		const client = createClient({ baseUrl: server.baseUrl, credential: async () => `ek_${++minted}` });
		await client.call("getDomain", {});
		await client.call("getDomain", {});
		expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer ek_1", "Bearer ek_2"]);
	});

	it("gives undefined for an answer without a body", async () => {
		await using server = await scriptedServer({ status: 204 });
		expect(await createClient({ baseUrl: server.baseUrl }).call("deleteVideo", { params: { id } })).toBeUndefined();
		expect(server.seen[0]?.headers.authorization).toBeUndefined();
	});

	it("escapes what goes into the path, and refuses what would lead to another route", async () => {
		await using server = await scriptedServer({ status: 200, body: {} });
		const client = createClient({ baseUrl: server.baseUrl });
		await client.call("getVideo", { params: { id: "../a?b#c" } });
		expect(server.seen[0]?.url).toBe("/v1/videos/..%2Fa%3Fb%23c");
		for (const wrong of ["", ".", "..", undefined as unknown as string])
			await expect(client.call("getVideo", { params: { id: wrong } })).rejects.toThrow(TypeError);
		expect(server.seen).toHaveLength(1);
	});

	it("uses the fetch that it is given", async () => {
		await using server = await scriptedServer({ status: 200, body: { slug: "a" } });
		const addresses: string[] = [];
		const counting: typeof fetch = (input, init) => {
			addresses.push(input instanceof Request ? input.url : String(input));
			return fetch(input, init);
		};
		expect(await createClient({ baseUrl: server.baseUrl, fetch: counting }).call("getDomain", {})).toEqual({
			slug: "a",
		});
		expect(addresses).toEqual([`${server.baseUrl}/v1/domain`]);
	});

	it("says at the call, and not before, what is wrong with the settings, each in its own sentence", async () => {
		const said = (options: ClientOptions) =>
			createClient(options)
				.call("getHealth", {})
				.catch((error: unknown) => (error instanceof TypeError ? error.message : error));
		const of = (baseUrl: string | undefined) => said({ baseUrl });
		for (const missing of [undefined, "", " \n"])
			expect(await of(missing)).toMatch(/^baseUrl is missing: .*REELMILL_URL/);
		expect(await of("localhost:8787")).toMatch(/^baseUrl has no https:\/\/ .*http:\/\/localhost:8787 for a service/);
		expect(await of("video.example.com")).toMatch(/^baseUrl has no https:\/\/ .*write https:\/\/video.example.com,/);
		for (const end of ["/v1", "/v1/", "/admin/v1"])
			expect(await of(`https://video.example.com/a${end}`)).toMatch(
				/^baseUrl ends in \/v1, .*write https:\/\/video.example.com\/a in place/,
			);
		expect(await of("https://ada:secret@video.example.com/?a=b")).toMatch(
			/^baseUrl has more than host and path, .*: write https:\/\/video.example.com\/\.$/,
		);
		expect(await of("https://")).toMatch(/^baseUrl is no address/);
		const baseUrl = "http://127.0.0.1:9";
		for (const credential of [undefined, "", async () => undefined])
			expect(await said({ baseUrl, credential })).toMatch(/^credential is missing: .*REELMILL_API_KEY/);
		expect(await said({ baseUrl, retry: { limit: 0 } })).toBeInstanceOf(ConnectionError);
	});
});
