import { afterEach, expect, it } from "vitest";
import { type Behind, keepsTheGuidesPromises, startBehind } from "./support/behind-proxy.ts";
import { guideBlock } from "./support/guide-block.ts";
import { startHaproxy } from "./support/haproxy.ts";

let behind: Behind | undefined;
afterEach(() => behind?.close());

it("behind HAProxy, as the guide configures it, an upload that is cut goes on where it was, and the operators' paths are closed to others", async () => {
	const configuration = await guideBlock("haproxy");
	expect(configuration).toContain("path_beg /admin/ /internal/");
	behind = await startBehind((place) => startHaproxy(place, configuration));
	// It drops what it has not passed on when a client leaves.
	await keepsTheGuidesPromises(behind, { refused: 404, protocol: "h2", kept: 0 });
});
