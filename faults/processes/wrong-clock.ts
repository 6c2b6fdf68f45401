/**
 * To be loaded before a program (`node --import`): its clock is wrong by FAULTS_CLOCK_SECONDS, and it comes from an address of its own, so that
 * each process is its own machine to the service. What counts time that passed (`performance.now`, timers) is right, as it is on such a machine.
 */
const wrongBy = Number(process.env.FAULTS_CLOCK_SECONDS ?? 0) * 1000;
const RightDate = Date;
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
