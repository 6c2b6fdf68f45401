import { describe, expect, it } from "vitest";
import { api, errors } from "../../src/index.ts";
import { createOpenApiDocument, createReferencePage, referencePagePolicy } from "../../src/openapi.ts";

const document = createOpenApiDocument({ serverUrl: "https://video.acme.test" });
const page = createReferencePage({
	document,
	documentUrl: "/v1/openapi.json",
	otherDocuments: { operators: "/v1/openapi.operators.json", "all of them": "/v1/openapi.all.json" },
});

describe("the reference page", () => {
	it("shows every operation, every schema and every error code", () => {
		for (const [name, { path }] of Object.entries(api)) {
			expect(page).toContain(`id="${name.toLowerCase()}"`);
			expect(page).toContain(`<code>${path}</code>`);
		}
		for (const name of Object.keys(document.components?.schemas ?? {})) expect(page).toContain(`id="schema-${name}"`);
		for (const code of Object.keys(errors)) expect(page).toContain(`<code>${code}</code>`);
	});

	it("shows what an event says of its video beyond what holds of any", () => {
		const ready = /id="schema-VideoReadyEvent"[\s\S]*?<\/table>/.exec(page)?.[0] ?? "";
		expect(ready).toContain(
			'<code>data.video</code><span class="required">required</span></td><td><a href="#schema-Video">',
		);
		expect(ready).toMatch(/<code>data\.video\.state<\/code>.*?<code>available<\/code>/);
		expect(ready).toMatch(
			/<code>data\.video\.outputs<\/code>.*?<a href="#schema-VideoOutputs">VideoOutputs<\/a><\/td>/,
		);
	});

	it("links only to what is there", () => {
		const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
		const targets = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? "");
		expect(targets.filter((href) => !href.startsWith("#"))).toEqual([
			"/v1/openapi.json",
			"/v1/openapi.operators.json",
			"/v1/openapi.all.json",
		]);
		expect(targets.filter((href) => href.startsWith("#") && !ids.has(href.slice(1)))).toEqual([]);
		expect([...page.matchAll(/ id="([^"]+)"/g)].length).toBe(ids.size);
	});

	it("has no script and loads nothing, so the strict policy holds", () => {
		expect(page).not.toMatch(/<(script|link|img|iframe|object|base|form)\b|\son\w+=|@import|url\(|style="/i);
		expect(referencePagePolicy).toContain("default-src 'none'");
	});

	it("escapes whatever the document says", () => {
		const hostile = createReferencePage({
			document: { ...document, info: { ...document.info, title: "<script>alert(1)</script>" } },
			documentUrl: '"><b>',
		});
		expect(hostile).not.toContain("<script>");
		expect(hostile).toContain('href="&quot;&gt;&lt;b&gt;"');
	});
});
