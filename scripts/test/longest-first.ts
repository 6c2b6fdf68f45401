import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { root } from "../setup/paths.mjs";
import { longTests, rowOfLongTest } from "./long.mjs";

/**
 * Orders the test files of all projects together: the long ones first, in the order of their table, then those on an S3
 * server, which mostly wait, then the others as vitest orders them. No long file is left to run alone at the end, and
 * files that wait share the processor with files that compute.
 */
export class LongestFirst extends BaseSequencer {
	override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
		const row = ({ moduleId }: TestSpecification) => rowOfLongTest(relative(root, moduleId));
		const [long, short] = [true, false].map((isLong) =>
			specifications.filter((specification) => row(specification) < longTests.length === isLong),
		) as [TestSpecification[], TestSpecification[]];
		const sorted = await super.sort(short);
		const [waiting, computing] = [true, false].map((isWaiting) =>
			sorted.filter(({ moduleId }) => moduleId.endsWith(".s3.test.ts") === isWaiting),
		) as [TestSpecification[], TestSpecification[]];
		return [...long.sort((a, b) => row(a) - row(b)), ...waiting, ...computing];
	}
}
