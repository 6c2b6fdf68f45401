/** What was measured: `docs/guides/sizing.json`, which the guide to sizing shows as tables. */
export type Figures = {
	/** Of a minute of video, by the renditions. `ofH264` are the CPU seconds that grow by `h264TakesMore`. */
	readonly encoding: readonly {
		readonly renditions: string;
		readonly cpuSeconds: number;
		readonly ofH264: number;
		readonly megabytes: number;
		readonly memoryGigabytes: number;
	}[];
	/** How much more CPU H.264 takes by its present preset than when `encoding` was measured: a part of it. */
	readonly h264TakesMore: number;
	/** In megabits a second, without the sound. */
	readonly bandwidth: readonly { readonly rendition: string; readonly average: number; readonly most: number }[];
	readonly sound: number;
};

/** What the reader expects, and pays. */
export type Plan = {
	readonly minutesAMonth: number;
	/** An entry of `encoding`, by its place. */
	readonly encoding: number;
	readonly monthsKept: number;
	readonly viewerHoursAMonth: number;
	/** An entry of `bandwidth`, by its place. */
	readonly watched: number;
	/** How much of a day falls into its busiest hour, in percent. */
	readonly busiestHour: number;
	/** In the reader's currency: a core for a month, a GB kept for a month, a GB sent. */
	readonly prices: { readonly core: number; readonly stored: number; readonly sent: number };
};

/** What it takes, and costs in a month. */
export type Cost = {
	readonly coreHours: number;
	/** If uploads may wait, so that the cores are busy all month. */
	readonly coresOnAverage: number;
	/** If the uploads of the busiest hour are encoded in it. */
	readonly coresAtPeak: number;
	/** When the first videos end. */
	readonly gigabytesStored: number;
	readonly gigabytesSent: number;
	readonly megabitsAtPeak: number;
	readonly price: { readonly cores: number; readonly stored: number; readonly sent: number; readonly all: number };
};

const hoursAMonth = 730;
const daysAMonth = hoursAMonth / 24;

/** Returns the CPU seconds of a minute of video by the present preset of H.264. */
export const cpuSecondsOf = ({ cpuSeconds, ofH264 }: Figures["encoding"][number], figures: Figures): number =>
	cpuSeconds + ofH264 * figures.h264TakesMore;

/** Returns how many GB a viewer takes in an hour. */
export const gigabytesAnHour = ({ average }: Figures["bandwidth"][number], { sound }: Figures): number =>
	((average + sound) * 3600) / 8 / 1000;

/** Reckons what a plan takes. Prices are for the cores of the busiest hour, as those are paid for all month. */
export function costOf(plan: Plan, figures: Figures): Cost {
	const encoding = figures.encoding[plan.encoding];
	const watched = figures.bandwidth[plan.watched];
	if (encoding === undefined || watched === undefined)
		throw new RangeError("The plan names figures that aren't there.");
	const coreHours = (plan.minutesAMonth * cpuSecondsOf(encoding, figures)) / 3600;
	const peak = plan.busiestHour / 100 / daysAMonth;
	const gigabytesStored = (plan.minutesAMonth * plan.monthsKept * encoding.megabytes) / 1000;
	const gigabytesSent = plan.viewerHoursAMonth * gigabytesAnHour(watched, figures);
	const coresAtPeak = coreHours * peak;
	const price = {
		cores: coresAtPeak * plan.prices.core,
		stored: gigabytesStored * plan.prices.stored,
		sent: gigabytesSent * plan.prices.sent,
	};
	return {
		coreHours,
		coresOnAverage: coreHours / hoursAMonth,
		coresAtPeak,
		gigabytesStored,
		gigabytesSent,
		megabitsAtPeak: plan.viewerHoursAMonth * peak * (watched.average + figures.sound),
		price: { ...price, all: price.cores + price.stored + price.sent },
	};
}

/** Returns a figure with two digits that count, as the guides have them. */
export const rounded = (figure: number): string =>
	Number(figure.toPrecision(2)).toLocaleString("en", { maximumFractionDigits: 6 });
