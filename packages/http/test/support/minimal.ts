import fc from "fast-check";
import { type Named, pathOf } from "./contract.ts";
import { deliveredFiles } from "./finished.ts";
import { jsonSchemaOf, matching } from "./json-schema.ts";
import type { Sent } from "./send.ts";
import { metadata, offsetType } from "./tus.ts";

/**
 * The least that the operation takes for a well-formed request without credentials; `id` stands for every parameter of
 * its path but a file's name.
 */
export function minimalRequest(operation: Named, id: string): Sent {
	const others: Readonly<Record<string, string>> = { path: "00001.jpg", language: "de" };
	const path = pathOf(operation, (name) => (name === "file" ? fileOf(operation) : (others[name] ?? id)));
	const query = operation.query ? `?${new URLSearchParams(least(operation.query) as Record<string, string>)}` : "";
	return {
		method: operation.method,
		path: path + query,
		...(operation.body && operation.text === undefined && { json: bodies[operation.name] ?? least(operation.body) }),
		...bytesOf(operation, id),
	};
}

/** Of bodies whose rules no schema has. */
const bodies: Partial<Record<Named["name"], object>> = {
	createClip: { start_seconds: 0, end_seconds: 1 },
	createImport: { url: "https://media.example.com/clip.mp4" },
};

const least = (schema: NonNullable<Named["body"]>): unknown =>
	fc.sample(matching(jsonSchemaOf(schema), { minimal: true }), { numRuns: 1, seed: 1 })[0];

function fileOf({ path }: Named): string {
	const folder = path.replace("/videos/{id}/", "").replace("{file}", "");
	const file = Object.keys(deliveredFiles).findLast((one) => one.startsWith(folder));
	return file?.slice(folder.length) ?? "none";
}

function bytesOf({ plane, method, content, text }: Named, id: string): Partial<Sent> {
	if (text !== undefined) return { headers: { "content-type": "text/vtt" }, body: captions };
	if (plane !== "upload") return content === undefined ? {} : { headers: { "content-type": content }, body: "bytes" };
	const tus = { "tus-resumable": "1.0.0" };
	if (method === "POST") return { headers: { ...tus, "upload-length": "10", "upload-metadata": metadata(id) } };
	return method === "PATCH"
		? { headers: { ...tus, ...offsetType, "upload-offset": "0" }, body: "01234" }
		: { headers: tus };
}

/** What every operation that takes a text takes. */
export const captions = "WEBVTT\n\n00:00.000 --> 00:01.000\nGuten Tag\n";
