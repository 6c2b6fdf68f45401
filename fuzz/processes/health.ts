import { Agent, request } from "node:http";

/**
 * Milliseconds of each answer, of how late this process itself was to ask, and how many questions had no answer 200.
 */
export type HealthReport = {
	readonly answers: readonly number[];
	readonly lateness: readonly number[];
	readonly failures: number;
};

/**
 * Asks in this rhythm whether the last answer has come or not, so that a server that stands still is seen standing
 * still for as long as it does.
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
