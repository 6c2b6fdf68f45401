import { readFileSync } from "node:fs";

/**
 * Load this before a program (`node --import`): its clock is then wrong by FAULTS_CLOCK_SECONDS, or by the number in
 * the file FAULTS_CLOCK_FILE. The file is read every 50 ms, and at once at SIGUSR2, so that the clock can be stepped.
 * Measures of elapsed time (`performance.now`, timers) stay right, as on a real machine. FAULTS_ADDRESS is the address
 * from which the program's connections come, so that each process looks like a machine of its own.
 */
const lookEveryMilliseconds = 50;
const file = process.env.FAULTS_CLOCK_FILE;
let wrongBy = Number(process.env.FAULTS_CLOCK_SECONDS ?? 0) * 1000;
const RightDate = Date;
if (file !== undefined) {
	const look = (): void => {
		try {
			wrongBy = Number(readFileSync(file, "utf8")) * 1000;
		} catch {
			// There is no such file yet, or no descriptor is left: the clock stays as it was.
		}
	};
	look();
	setInterval(look, lookEveryMilliseconds).unref();
	process.on("SIGUSR2", look);
}

class WrongDate extends RightDate {
	constructor(...parts: unknown[]) {
		super(...((parts.length === 0 ? [RightDate.now() + wrongBy] : parts) as []));
	}
	static override now(): number {
		return RightDate.now() + wrongBy;
	}
}
globalThis.Date = WrongDate as DateConstructor;

const { fetch } = globalThis;
const address = process.env.FAULTS_ADDRESS;
if (address !== undefined) {
	globalThis.fetch = (input, init) => {
		const request = new Request(input, init);
		request.headers.set("x-forwarded-for", address);
		return fetch(request);
	};
}
