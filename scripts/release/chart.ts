import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The chart's description, which names its version and that of the image. */
export const chartFile = "deploy/helm/reelmill/Chart.yaml";

/**
 * Gives the Helm chart of this folder, and the image that it starts, the version of the packages.
 *
 * @throws {Error} if the chart doesn't name both versions.
 */
export function setChartVersion(folder: string, version: string): void {
	const file = join(folder, chartFile);
	const text = readFileSync(file, "utf8");
	const [own, image] = [/^version: .*$/m, /^appVersion: .*$/m];
	if (!own.test(text) || !image.test(text)) throw new Error(`${chartFile} names no version and appVersion.`);
	writeFileSync(file, text.replace(own, `version: ${version}`).replace(image, `appVersion: "${version}"`));
}
