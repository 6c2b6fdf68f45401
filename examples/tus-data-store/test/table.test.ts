import { uploadStoreCases } from "@reelmill/conformance";
import { expect, it } from "vitest";
import { bucketCases, furtherCases } from "./support/further-cases.ts";
import { notOffered, rows } from "./support/table.ts";

it("has a row for each case of the conformance suite and for those beyond it, in their order", () => {
	const names = [...uploadStoreCases, ...furtherCases, ...bucketCases].map(({ name }) => name);
	expect(rows.map(({ name }) => name)).toEqual(names);
});

it("says 'not offered' of presigned URLs and surveys alone, and 'not tried' of a folder where only a bucket can fail", () => {
	const namesOf = (cell: string) => rows.filter(({ FileStore }) => FileStore === cell).map(({ name }) => name);
	expect(namesOf("not offered")).toEqual(
		uploadStoreCases.filter(({ needs = "" }) => notOffered.includes(needs)).map(({ name }) => name),
	);
	expect(namesOf("not tried")).toEqual(bucketCases.map(({ name }) => name));
});
