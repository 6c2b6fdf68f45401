import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";

const rulesFile = fileURLToPath(new URL("../../../../deploy/prometheus/reelmill.rules.yml", import.meta.url));
type Rule = { alert: string; labels: Record<string, string>; annotations: Record<string, string> };
/** Series and their values, one a minute, in Prometheus' own notation: `0+2x60` rises by two for an hour. */
type Series = Readonly<Record<string, string>>;

const server = 'instance="server:9464", job="reelmill"';
const transcoder = 'instance="transcoder:9464", job="reelmill-transcoder"';
const ofServer = { instance: "server:9464", job: "reelmill" };
const ofTranscoder = { instance: "transcoder:9464", job: "reelmill-transcoder" };

/** An hour and more of an installation with a request a minute, a few videos and webhooks a day, and nothing wrong. */
const rest: Series = {
	[`up{${server}}`]: "1x2000",
	[`reelmill_database_up{${server}}`]: "1x2000",
	[`reelmill_installation_age_seconds{${server}}`]: "30x2000",
	[`reelmill_http_requests_total{status="200", ${server}}`]: "0+1x2000",
	[`reelmill_http_requests_total{status="500", ${server}}`]: "0x2000",
	[`reelmill_database_statements_waiting{${server}}`]: "0x2000",
	[`reelmill_database_statement_duration_seconds_bucket{le="0.5", ${server}}`]: "0+10x2000",
	[`reelmill_database_statement_duration_seconds_bucket{le="1", ${server}}`]: "0+10x2000",
	[`reelmill_database_statement_duration_seconds_bucket{le="+Inf", ${server}}`]: "0+10x2000",
	[`nodejs_eventloop_lag_p99_seconds{${server}}`]: "0.02x2000",
	[`reelmill_jobs_oldest_waiting_seconds{${server}}`]: "60x2000",
	[`reelmill_jobs_waiting{${server}}`]: "1x2000",
	[`reelmill_workers{doing="idle", ${server}}`]: "1x2000",
	[`reelmill_worker_claims{${transcoder}}`]: "1x2000",
	[`reelmill_job_duration_seconds_count{outcome="completed", ${transcoder}}`]: "0+1x2000",
	[`reelmill_job_duration_seconds_count{outcome="given_back", ${transcoder}}`]: "0x2000",
	[`reelmill_webhooks_waiting{${server}}`]: "1x2000",
	[`reelmill_webhook_attempt_duration_seconds_count{outcome="delivered", ${server}}`]: "0+1x2000",
	[`reelmill_webhook_attempt_duration_seconds_count{outcome="failed", ${server}}`]: "0x2000",
	[`reelmill_webhooks_dead_letters{${server}}`]: "2x2000",
	[`reelmill_disk_free_bytes{${server}}`]: "50x2000",
	[`reelmill_disk_bytes{${server}}`]: "100x2000",
	[`reelmill_storage_failures_total{${server}}`]: "0x2000",
	[`reelmill_delivery_lost_files_total{${server}}`]: "0x2000",
	[`reelmill_clock_offset_seconds{${server}}`]: "0.01x2000",
	[`reelmill_confinement{${transcoder}}`]: "1x2000",
	[`reelmill_worker_fault{fault="disk_full", ${transcoder}}`]: "0x2000",
};

/** What goes wrong, from the tenth minute on, and the labels of the alert beside its severity. */
const faults: Readonly<Record<string, { series: Series; minutes: number; labels?: Record<string, string> }>> = {
	ReelmillServerDown: { series: { [`up{${server}}`]: "1x9 0x60" }, minutes: 13, labels: ofServer },
	ReelmillDatabaseDown: { series: { [`reelmill_database_up{${server}}`]: "1x9 0x60" }, minutes: 13, labels: ofServer },
	ReelmillCountsOld: { series: { [`reelmill_installation_age_seconds{${server}}`]: "30x9 60+60x60" }, minutes: 15 },
	ReelmillServerErrors: {
		series: { [`reelmill_http_requests_total{status="500", ${server}}`]: "0x9 0+1x60" },
		minutes: 20,
	},
	ReelmillStatementsWait: {
		series: { [`reelmill_database_statements_waiting{${server}}`]: "0x9 3x60" },
		minutes: 14,
		labels: ofServer,
	},
	ReelmillStatementsSlow: {
		series: { [`reelmill_database_statement_duration_seconds_bucket{le="0.5", ${server}}`]: "0+10x9 90+5x60" },
		minutes: 25,
	},
	ReelmillEventLoopLag: {
		series: { [`nodejs_eventloop_lag_p99_seconds{${server}}`]: "0.02x9 0.8x60" },
		minutes: 18,
		labels: ofServer,
	},
	ReelmillQueueWaits: { series: { [`reelmill_jobs_oldest_waiting_seconds{${server}}`]: "60x9 60+60x60" }, minutes: 30 },
	ReelmillNoWorkers: { series: { [`reelmill_workers{doing="idle", ${server}}`]: "1x9 0x60" }, minutes: 14 },
	ReelmillTranscoderIdle: {
		series: { [`reelmill_worker_claims{${transcoder}}`]: "1x9 0x60" },
		minutes: 18,
		labels: ofTranscoder,
	},
	ReelmillWorkerIll: {
		series: { [`reelmill_worker_fault{fault="disk_full", ${transcoder}}`]: "0x9 1x60" },
		minutes: 18,
		labels: { instance: ofTranscoder.instance, fault: "disk_full" },
	},
	// One video an hour, which a worker gives back three times in a row.
	ReelmillJobsGivenBack: {
		series: {
			[`reelmill_job_duration_seconds_count{outcome="completed", ${transcoder}}`]: "1x2000",
			[`reelmill_job_duration_seconds_count{outcome="given_back", ${transcoder}}`]: "0x9 1 2 3x60",
		},
		minutes: 25,
	},
	// Three videos, whose endpoint is away: attempts at once, after 30 s, 5 min and 1 h.
	ReelmillWebhooksWait: {
		series: {
			[`reelmill_webhook_attempt_duration_seconds_count{outcome="delivered", ${server}}`]: "9x2000",
			[`reelmill_webhook_attempt_duration_seconds_count{outcome="failed", ${server}}`]: "0x9 3 6 6 6 6 6 9x50 12x60",
		},
		minutes: 90,
	},
	ReelmillDeadLetters: { series: { [`reelmill_webhooks_dead_letters{${server}}`]: "2x600 6x1400" }, minutes: 1500 },
	ReelmillDiskFull: {
		series: { [`reelmill_disk_free_bytes{${server}}`]: "50x9 8x60" },
		minutes: 18,
		labels: ofServer,
	},
	// One upload an hour, which fails and is tried three times more.
	ReelmillStorageFailures: {
		series: { [`reelmill_storage_failures_total{${server}}`]: "0x9 1 2 3 4x60" },
		minutes: 22,
	},
	ReelmillLostFiles: {
		series: { [`reelmill_delivery_lost_files_total{${server}}`]: "0x9 1x60" },
		minutes: 13,
		labels: ofServer,
	},
	ReelmillClockWrong: {
		series: { [`reelmill_clock_offset_seconds{${server}}`]: "0.01x9 -3x60" },
		minutes: 18,
		labels: ofServer,
	},
	ReelmillFfmpegUnconfined: {
		series: { [`reelmill_confinement{${transcoder}}`]: "1x9 0x60" },
		minutes: 13,
		labels: ofTranscoder,
	},
};

let directory: string;
let rules: Rule[];
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-alerts-"));
	rules = parse(await readFile(rulesFile, "utf8")).groups.flatMap(({ rules: all }: { rules: Rule[] }) => all);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

type Expected = { alert: string; minutes: number; fires: boolean };

/** Has Prometheus' own tool evaluate the rules over these series, and expects these alerts of it. */
async function evaluate(cases: readonly { series: Series; expected: readonly Expected[] }[]): Promise<void> {
	const tests = cases.map(({ series, expected }) => ({
		interval: "1m",
		input_series: Object.entries({ ...rest, ...series }).map(([name, values]) => ({ series: name, values })),
		alert_rule_test: expected.map(({ alert, minutes, fires }) => {
			const { labels = {}, annotations = {} } = rules.find((rule) => rule.alert === alert) ?? {};
			return {
				eval_time: `${minutes}m`,
				alertname: alert,
				exp_alerts: fires
					? [{ exp_labels: { ...labels, ...faults[alert]?.labels }, exp_annotations: annotations }]
					: [],
			};
		}),
	}));
	const file = join(directory, "alerts.yml");
	await writeFile(file, stringify({ rule_files: [rulesFile], evaluation_interval: "1m", tests }));
	await promisify(execFile)("promtool", ["test", "rules", file]);
}

it("has a fault for each alert, which raises it at the load of a small installation", async () => {
	expect(Object.keys(faults).sort()).toEqual(rules.map(({ alert }) => alert).sort());
	await evaluate(
		Object.entries(faults).map(([alert, { series, minutes }]) => ({
			series,
			expected: [{ alert, minutes, fires: true }],
		})),
	);
});

it("raises none while nothing is wrong", async () => {
	await evaluate([{ series: {}, expected: rules.map(({ alert }) => ({ alert, minutes: 1600, fires: false })) }]);
});

it("would notice an alert that its fault doesn't raise", async () => {
	const expected = [{ alert: "ReelmillDiskFull", minutes: 18, fires: true }];
	await expect(evaluate([{ series: {}, expected }])).rejects.toThrow("ReelmillDiskFull");
});
