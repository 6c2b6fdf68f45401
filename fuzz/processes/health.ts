import { Agent, request } from "node:http";

/**
 * The milliseconds of each answer, how late this process was with each question, and how many questions got no answer
 * 200.
 */
export type HealthReport = {
	readonly answers: readonly number[];
	readonly lateness: readonly number[];
	readonly failures: number;
};

/**
 * The interval of questions. The next one doesn't wait for the last answer, so that a server that stands still is
 * measured for the whole time.
 */
const everyMilliseconds = 20;

const [url = "", from = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const answers: number[] = [];
const lateness: number[] = [];
let failures = 0;
let due = performance.now() + everyMilliseconds;

function ask(): void {
	const started = performance.now();
	lateness.push(Math.max(0, started - due));
	due = started + everyMilliseconds;
	const asked = request(url, { agent, timeout: 10_000, ...(from !== "" && { localAddress: from }) }, (response) => {
		response.resume();
		response.on("end", () => {
			answers.push(performance.now() - started);
			if (response.statusCode !== 200) failures++;
		});
	});
	asked.on("timeout", () => asked.destroy(new Error("no answer")));
	asked.on("error", () => {
		answers.push(performance.now() - started);
		failures++;
	});
	asked.end();
}

const timer = setInterval(ask, everyMilliseconds);
process.on("message", () => {
	clearInterval(timer);
	process.send?.({ answers, lateness, failures } satisfies HealthReport, () => process.exit(0));
});
process.on("disconnect", () => process.exit(0));
