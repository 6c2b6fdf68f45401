import { readFileSync } from "node:fs";

/**
 * To be loaded before a program (`node --import`): its clock is wrong by FAULTS_CLOCK_SECONDS, or by what the file
 * FAULTS_CLOCK_FILE says, which is read again and again, and at once at SIGUSR2, so that the clock can be stepped.
 * FAULTS_ADDRESS is where the program says that it comes from, so that each process is its own machine to the service.
 * What counts time that passed (`performance.now`, timers) is right, as it is on such a machine.
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
			// No such file yet, or no descriptor left: the clock stays as wrong as it was.
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
