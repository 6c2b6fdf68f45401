import { expect, it } from "vitest";
import { noneFound } from "../src/views/videos/none-found.ts";

it("says of what no video was found, and how an id is found", () => {
	expect(noneFound({})).toBeNull();
	expect(noneFound({ state: "failed" })).toBeNull();
	expect(noneFound({ search: "0c7c6f0" })).toBe(
		"No title, name, uploader or id begins with this text. An id is found by its first 8 characters or more.",
	);
	expect(noneFound({ search: "0c7c6f0e", state: "failed" })).toBe(
		"No title, name, uploader or id begins with this text. Choose “All” to look in every state.",
	);
	expect(noneFound({ metadata_key: "course", metadata_value: "7b" })).toBe("No video has exactly this value.");
	expect(noneFound({ external_ref: "lesson-1" })).toBe("No video has exactly this name.");
	expect(noneFound({ uploader_ref: "ann" })).toBe("No video is of exactly this uploader.");
});
