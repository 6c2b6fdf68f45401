import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { settingsOf } from "./programs.ts";

const read = (path: string) => readFile(new URL(`../../../../deploy/${path}`, import.meta.url), "utf8");

type Verdict = "again" | "over" | "for nothing";
/** What becomes of each exit code, by the first rule that matches it. */
const verdicts = (rules: readonly (readonly [codes: readonly number[] | "*", verdict: Verdict])[]) =>
	Object.fromEntries(
		[1, 69, 71, 130, 143].map((code) => [
			code,
			rules.find(([codes]) => codes === "*" || codes.includes(code))?.[1] ?? "again",
		]),
	);

type Rule = { readonly action: string; readonly onExitCodes?: { readonly values: readonly number[] } };
type Job = {
	readonly kind: string;
	readonly spec: {
		readonly podFailurePolicy: { readonly rules: readonly Rule[] };
		readonly template: {
			readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: readonly Container[] };
		};
	};
};
type Container = { readonly command: readonly string[]; readonly env: readonly { readonly name: string }[] };
type BatchDefinition = {
	readonly retryStrategy: {
		readonly attempts: number;
		readonly evaluateOnExit: readonly { readonly onExitCode?: string; readonly action: string }[];
	};
	readonly containerProperties: {
		readonly command: readonly string[];
		readonly environment: readonly { readonly name: string }[];
		readonly secrets: readonly { readonly name: string }[];
	};
};

it("each example places one transcoder for one job, with settings that it has and retries that fit its exit codes", async () => {
	const known = await settingsOf("reelmill-transcoder");
	const proveSettings = (names: readonly string[]) => {
		expect(names).toEqual(
			expect.arrayContaining(["REELMILL_API_URL", "REELMILL_SERVICE_NAME", "REELMILL_SERVICE_SECRET"]),
		);
		expect([...known]).toEqual(expect.arrayContaining([...names]));
	};
	const once = ["reelmill-transcoder", "--once"];

	const kueue = parseAllDocuments(await read("placed/kueue.yaml")).map((document) => document.toJS() as Job);
	const job = kueue.find(({ kind }) => kind === "Job") as Job;
	const { containers, terminationGracePeriodSeconds } = job.spec.template.spec;
	expect(containers.map(({ command }) => command)).toEqual([once]);
	proveSettings((containers[0] as Container).env.map(({ name }) => name));
	expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20);
	const actions: Readonly<Record<string, Verdict>> = { FailJob: "over", Ignore: "for nothing", Count: "again" };
	expect(
		verdicts(
			job.spec.podFailurePolicy.rules.map(({ action, onExitCodes }) => [
				onExitCodes?.values ?? [],
				actions[action] ?? "again",
			]),
		),
	).toEqual({ 1: "over", 69: "again", 71: "for nothing", 130: "for nothing", 143: "for nothing" });

	const batch = JSON.parse(await read("placed/aws-batch.json")) as BatchDefinition;
	expect(batch.containerProperties.command).toEqual(once);
	proveSettings(
		[...batch.containerProperties.environment, ...batch.containerProperties.secrets].map(({ name }) => name),
	);
	expect(
		verdicts(
			batch.retryStrategy.evaluateOnExit
				.filter(({ onExitCode }) => onExitCode !== undefined)
				.map(({ onExitCode, action }) => [
					onExitCode === "*" ? "*" : [Number(onExitCode)],
					action === "RETRY" ? "again" : "over",
				]),
		),
	).toEqual({ 1: "over", 69: "again", 71: "again", 130: "again", 143: "again" });

	const nomad = await read("placed/reelmill.nomad.hcl");
	proveSettings(nomad.match(/REELMILL_[A-Z_]+/g) ?? []);
	expect(nomad).toContain('args    = ["--once"]');
});
