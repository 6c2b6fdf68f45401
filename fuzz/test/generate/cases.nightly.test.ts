import { createOpenApiDocument } from "@reelmill/contracts/openapi";
import { expect, it } from "vitest";
import { type ApiDocument, readOperations } from "../../api/document.ts";
import { createCases } from "../../generate/cases.ts";

const operations = readOperations(createOpenApiDocument({ serverUrl: "http://fuzz.test" }) as unknown as ApiDocument);
const numbers = Array.from({ length: 1500 }, (_, number) => number);

it("makes the same cases from the same seed, in any order, and other cases from another seed", () => {
	const [once, again, other] = [createCases(operations, 7), createCases(operations, 7), createCases(operations, 8)];
	const all = numbers.map((number) => JSON.stringify(once.at(number)));
	expect(numbers.toReversed().map((number) => JSON.stringify(again.at(number)))).toEqual(all.toReversed());
	expect(numbers.filter((number) => JSON.stringify(other.at(number)) === all[number]).length).toBeLessThan(300);
});

it("requests every operation of the document equally often", () => {
	const cases = createCases(operations, 7);
	const labels = Map.groupBy(numbers, (number) => cases.at(number).label);
	const each = operations.map(({ name }) => labels.get(name)?.length ?? 0);
	expect(Math.min(...each)).toBeGreaterThanOrEqual(Math.max(...each) - 1);
	expect(Math.min(...each)).toBeGreaterThan(0);
});
