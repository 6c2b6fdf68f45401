import { describe, expect, it } from "vitest";
import { apiPages, triedOperations } from "./api/pages.ts";
import { explain, isMixed } from "./theme/failure.ts";
import { addressOf, foundIn, prepare, type TriedOperation } from "./theme/operation.ts";
import { versionAt, withVersion } from "./versions.ts";

const operations = triedOperations();
const operation = (id: string): TriedOperation => operations[id] as TriedOperation;

describe("the form of an operation", () => {
	it("is there for each that a sandbox session may call, and for no other credential's", () => {
		expect(operation("createVideo")).toMatchObject({ credential: "sandboxKey", isRefused: false });
		expect(JSON.parse(operation("createVideo").body?.example ?? "")).toHaveProperty("file_size");
		expect(operation("getDomain")).toMatchObject({ credential: "sandboxKey", isRefused: true });
		expect(operation("appendUpload")).toMatchObject({ credential: "uploadToken", body: { example: null } });
		expect(operation("getWebMp4")).toMatchObject({ credential: "playbackKey" });
		expect(operation("listVideos").fields.find(({ name }) => name === "state")?.choices).toContain("available");
		for (const id of ["listDomains", "claimJob", "getConsoleSession", "getMetrics"])
			expect(operations).not.toHaveProperty(id);
		const pages = apiPages().map(({ text }) => text);
		for (const id of Object.keys(operations)) expect(pages.join("\n")).toContain(`<TryIt id="${id}" />`);
	});

	it("sends what was typed where the document wants it, and leaves out what was left empty", () => {
		const typed = { state: "available", limit: "", cursor: "a&b" };
		expect(prepare(operation("listVideos"), "http://a", typed, { token: "ek_1", body: "" })).toEqual({
			url: "http://a/v1/videos?state=available&cursor=a%26b",
			method: "GET",
			headers: { authorization: "Bearer ek_1" },
			body: null,
		});
		const bytes = new Blob(["bytes"]);
		const fields = { id: "a b", "Tus-Resumable": "1.0.0", "Upload-Offset": "0" };
		expect(prepare(operation("appendUpload"), "http://a/base", fields, { token: "t", body: bytes })).toEqual({
			url: "http://a/base/uploads/a%20b",
			method: "PATCH",
			headers: {
				"Tus-Resumable": "1.0.0",
				"Upload-Offset": "0",
				authorization: "Bearer t",
				"content-type": "application/offset+octet-stream",
			},
			body: bytes,
		});
	});

	it("remembers the video, the upload token and the playback key of an answer", () => {
		expect(foundIn({ video: { id: "v" }, upload: { token: "t" } })).toEqual({ videoId: "v", uploadToken: "t" });
		expect(foundIn({ id: "v", state: "available" })).toEqual({ videoId: "v" });
		expect(foundIn({ playback_key: "k" })).toEqual({ playbackKey: "k" });
		for (const nothing of [null, undefined, { id: "d" }, [1]]) expect(foundIn(nothing)).toEqual({});
	});

	it("takes an address with or without a scheme, and no other kind of address", () => {
		expect(addressOf("localhost:8787/")).toBe("http://localhost:8787");
		expect(addressOf("https://a.example/video/?x#y")).toBe("https://a.example/video");
		for (const wrong of ["", "ftp://a", "http://", "javascript://a"]) expect(() => addressOf(wrong)).toThrow(TypeError);
	});
});

describe("a request that failed", () => {
	const told = async (page: string, address: string, there: boolean) =>
		(await explain(page, address, async () => there)).what;

	it("is explained by mixed content, by CORS, or by nobody who answers", async () => {
		expect(await told("https://docs.example/", "http://video.example", true)).toMatch(/mixed content/);
		expect(await told("https://docs.example/", "https://video.example", true)).toMatch(/CORS/);
		expect(await told("http://docs.example/", "http://video.example", false)).toMatch(/No Reelmill server answers/);
	});

	it("is no mixed content where the server is on the reader's own machine", () => {
		const of = (address: string) => isMixed("https://docs.example/", address);
		expect([of("http://localhost:8787"), of("http://127.0.0.1"), of("http://[::1]:1")]).toEqual([false, false, false]);
		expect([of("http://localhost.example"), of("https://a.example")]).toEqual([true, false]);
	});
});

describe("the versions of a site", () => {
	const add = (of: Parameters<typeof withVersion>[0], version: string, isOlder = false) =>
		withVersion(of, versionAt(version, isOlder, "/docs/"));

	it("stand at the root or below it", () => {
		expect(versionAt("1.2.0", false, "/docs/").base).toBe("/docs/");
		expect(versionAt("1.2.0", true, "/docs/").base).toBe("/docs/v/1.2.0/");
		for (const [path, root] of [
			["", "/"],
			["/", "/"],
			["/docs", "/docs/"],
			["docs/of", "/docs/of/"],
		] as const)
			expect(versionAt("1.2.0", false, path).root).toBe(root);
	});

	it("are one at the root and others behind it, the newest first, in whatever order they are made", () => {
		const all = add(add(add({ current: null, older: [] }, "1.9.0", true), "1.11.0"), "1.10.0", true);
		expect(all).toEqual({ current: "1.11.0", older: ["1.10.0", "1.9.0"] });
		expect(add(all, "1.12.0")).toEqual({ current: "1.12.0", older: ["1.10.0", "1.9.0"] });
		expect(add(add(all, "1.12.0"), "1.11.0", true).older[0]).toBe("1.11.0");
		expect(add(all, "1.10.0")).toEqual({ current: "1.10.0", older: ["1.9.0"] });
	});
});
