import { expect, it } from "vitest";
import { readWords } from "./words-of-types.ts";

const words = readWords();

it("finds what the contract says of a type, of its fields, and of what a list of them holds", () => {
	expect(words.said("Video")).toMatch(/^A video as its tenant sees it/);
	const outputs = words.of("Video").field("outputs");
	expect(outputs.description).toMatch(/^Where it is played/);
	expect(outputs.field("renditions").element().field("bitrate").description).toBe("Average bits per second.");
});

it("finds what the contract says of a call's parts and of its result", () => {
	const listing = words.of("Calls").field("listVideos");
	expect(listing.field("input").field("query").field("limit").description).toMatch(/^How many items/);
	expect(listing.field("result").field("data").element().field("state").description).toMatch(/^Where a video stands/);
});

it("says nothing of what it doesn't know", () => {
	expect(words.of("Video").field("no_such_field").element().description).toBeUndefined();
});
