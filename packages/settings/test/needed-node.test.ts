import { readFileSync } from "node:fs";
import { neededNode } from "@reelmill/settings/needed-node";
import { expect, it } from "vitest";

it("takes the Node that `engines` names and any newer one, and says of an older one which is needed", () => {
	const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
	const said = (node: string) => {
		let text = "";
		const stderr = {
			write(more: string) {
				text += more;
				return true;
			},
		};
		const process = { versions: { node }, stderr, exitCode: undefined } as unknown as NodeJS.Process;
		return { isTaken: neededNode(process), text, code: process.exitCode };
	};
	for (const node of ["22.18.0", "22.19.1", "24.0.0", "26.1.0"])
		expect(said(node)).toEqual({ isTaken: true, text: "", code: undefined });
	for (const node of ["18.20.4", "20.19.4", "22.17.9", "21.7.3"]) {
		const { isTaken, text, code } = said(node);
		expect({ isTaken, code }).toEqual({ isTaken: false, code: 1 });
		expect(text).toContain(`needs Node ${engines.node.slice(2)} or newer; this is Node ${node}.`);
	}
});
