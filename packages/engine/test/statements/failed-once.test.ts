import { expect, it } from "vitest";
import { acts } from "./acts.ts";
import { failEachOnce, writes } from "./failed-once.ts";

/** What holds things in a server's name, or counts them. The nightly run has all acts, and what only reads. */
const daily = [
	"an upload, sent in turns by two servers",
	"uploads that end before they are whole",
	"workers that wait, on one server",
	"a job that is given back, loses its worker, and is done",
	"a video of three chunks",
	"a server that starts, has its duties and stops",
];
const tried = new Set<string>();
const isNew = (text: string, place: string) => {
	const isWanted = writes(text) && !place.startsWith("retention/") && !tried.has(text);
	tried.add(text);
	return isWanted;
};
/** Workers come and go by one text. */
const most = (place: string) => (place.startsWith("jobs/workers/waiting-workers") ? 5 : 1);

it.each(daily)(
	"%s: comes to the same if one of its statements fails once, before or after its commit",
	async (name) => {
		expect(Object.keys(acts)).toContain(name);
		await failEachOnce(name, { isWanted: isNew, most });
	},
);
