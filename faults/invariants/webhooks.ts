import { entriesOf } from "../history/history.ts";
import { countsAsDelivered } from "../world/people/receiver.ts";
import { type Breach, by, type Invariant } from "./invariant.ts";

export const everyEventArrives: Invariant = {
	name: "every event arrives",
	promise: "Each event's receiver took it and confirmed it, with the id of its one delivery.",
	check({ history, final }) {
		const received = by(entriesOf(history, "received"), ({ delivery }) => delivery);
		return final.deliveries.flatMap((delivery) => {
			const taken = received.get(delivery.id) ?? [];
			if (delivery.status === "delivered" && taken.some(({ answer }) => countsAsDelivered(answer))) return [];
			return [
				{
					message: `delivery ${delivery.id} is ${delivery.status} and was received ${taken.length} times`,
					shownBy: [delivery, ...taken],
				},
			];
		});
	},
};

export const nothingUntrueIsTold: Invariant = {
	name: "nothing untrue is told",
	promise:
		"Everything that receivers got was signed and reports a change that happened; each change has one delivery, however often it was sent.",
	check({ history, final }) {
		const deliveries = new Map(final.deliveries.map((delivery) => [delivery.id, delivery]));
		const breaches: Breach[] = [];
		for (const entry of entriesOf(history, "received")) {
			const known = deliveries.get(entry.delivery);
			if (!entry.genuine)
				breaches.push({ message: `delivery ${entry.delivery} came without a genuine signature`, shownBy: [entry] });
			else if (known?.type !== entry.type || known.video !== entry.video)
				breaches.push({ message: `delivery ${entry.delivery} told of what did not happen`, shownBy: [entry, known] });
		}
		return breaches;
	},
};
