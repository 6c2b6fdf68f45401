import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { root } from "../setup/paths.mjs";
import { readCosts } from "./runs.mjs";

/**
 * Orders test files by their projects, and in a project the most expensive first. Vitest keeps a worker, with all that
 * it has loaded, only for as long as the next file is of the same project.
 */
export class ByProject extends BaseSequencer {
	override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
		const costs = readCosts();
		const cost = ({ moduleId }: TestSpecification) => costs[relative(root, moduleId)] ?? 0;
		const place = ({ project }: TestSpecification) => project.vitest.projects.indexOf(project);
		return [...specifications].sort((a, b) => place(a) - place(b) || cost(b) - cost(a));
	}
}
