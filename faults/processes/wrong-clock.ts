import { readFileSync } from "node:fs";

/**
 * To be loaded before a program (`node --import`): its clock is wrong by as many seconds as the file FAULTS_CLOCK_FILE says, which is read again and again,
 * so that it can be stepped. FAULTS_ADDRESS is where it says that it comes from, so that each process is its own machine to the service.
 * What counts time that passed (`performance.now`, timers) is right, as it is on such a machine.
 */
const file = process.env.FAULTS_CLOCK_FILE;
const lookEveryMilliseconds = 50;
let wrongBy = 0;
const RightDate = Date;
const look = (path: string): void => {
	try {
		wrongBy = Number(readFileSync(path, "utf8")) * 1000;
	} catch (error) {
		// Without a descriptor left the clock stays as wrong as it was.
		if ((error as NodeJS.ErrnoException).code === "ENOENT") wrongBy = 0;
	}
};
if (file !== undefined) {
	look(file);
	setInterval(() => look(file), lookEveryMilliseconds).unref();
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
