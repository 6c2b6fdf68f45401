import fc from "fast-check";
import { anySegment, oddSegments, unknownId } from "../../packages/http/test/support/odd-parts.ts";
import type { ApiOperation } from "../api/document.ts";

const files: Readonly<Record<string, readonly string[]>> = {
	getMediaPlaylist: ["h264_720.m3u8"],
	headMediaPlaylist: ["h264_720.m3u8"],
	getMedia: ["h264_720.mp4"],
	headMedia: ["h264_720.mp4"],
	getStoryboardImage: ["0001.jpg"],
	headStoryboardImage: ["0001.jpg"],
	getFrame: ["00001.jpg"],
};

/**
 * These operations end a domain, an account or their credentials, so they get one that nothing else needs: the run
 * needs the others to its end.
 */
const isEnding = ({ method, path }: ApiOperation): boolean => path.startsWith("/admin/") && method !== "GET";

/** Returns texts that name existing things and fit the operation. */
function fitting(operation: ApiOperation, parameter: string): readonly string[] {
	const { path, name, method } = operation;
	const own = files[name];
	if (parameter !== "id" && own !== undefined) return own;
	if (path.startsWith("/videos/")) return ["{{public#p}}", "{{private#p}}"];
	if (path.startsWith("/uploads/")) return ["{{upload.video#p}}"];
	if (name === "getJobPart") return ["{{part.job#0}}"];
	if (path.startsWith("/internal/")) return ["{{job#p}}"];
	if (path.startsWith("/admin/v1/domains")) return isEnding(operation) ? ["{{spare.domain#p}}"] : ["{{domain#p}}"];
	if (path.startsWith("/admin/v1/service-accounts")) return ["{{spare.account#p}}"];
	if (path.startsWith("/admin/v1/videos")) return ["{{public#p}}", "{{video#p}}"];
	if (path.startsWith("/v1/webhook-deliveries")) return ["{{delivery#p}}"];
	if (path.startsWith("/v1/outros")) return ["{{outro#p}}"];
	if (path.startsWith("/v1/videos") && method === "GET") return ["{{public#p}}", "{{private#p}}", "{{video#p}}"];
	return path.startsWith("/v1/videos") ? ["{{video#p}}"] : [unknownId];
}

const foreign = [
	"{{foreign.public#0}}",
	"{{foreign.private#0}}",
	"{{foreign.video#0}}",
	"{{foreign.outro#0}}",
	"{{foreign.delivery#0}}",
	"{{foreign.job#0}}",
];
/** Generates a part of a path that doesn't fit: somebody else's, an unknown one, or one that no client should send. */
const unfitting: fc.Arbitrary<string> = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...foreign) },
	{ weight: 4, arbitrary: fc.constantFrom(...oddSegments) },
	{ weight: 1, arbitrary: anySegment },
);
const ends = [
	"/",
	"//",
	"/x",
	"%2f",
	".json",
	"%00",
	"/..",
	"/.",
	";a=b",
	"#x",
	"//etc/passwd",
	"/%2e%2e/%2e%2e/v1/domain",
];

/** Generates the operation's path with existing things in it. */
export const rightPath = (operation: ApiOperation): fc.Arbitrary<string> =>
	filled(operation, (name) => fc.constantFrom(...fitting(operation, name)));

/** Generates the operation's path with something else in place of a parameter, or something behind it. */
export function wrongPath(operation: ApiOperation): fc.Arbitrary<string> {
	const behind = fc.tuple(rightPath(operation), fc.constantFrom(...ends)).map(([path, end]) => path + end);
	const cased = rightPath(operation).map((path) => path.replace(/\/[a-z]/, (start) => start.toUpperCase()));
	if (!operation.path.includes("{")) return fc.oneof({ weight: 4, arbitrary: behind }, { weight: 1, arbitrary: cased });
	const inside = filled(operation, (name) =>
		fc.oneof(
			{ weight: 2, arbitrary: fc.constantFrom(...fitting(operation, name)) },
			{
				weight: 4,
				arbitrary: fc.constantFrom(...fitting(operation, name).map((text) => text.replace("{{", "{{foreign."))),
			},
			{ weight: 4, arbitrary: unfitting },
		),
	);
	return fc.oneof({ weight: 8, arbitrary: inside }, { weight: 2, arbitrary: behind }, { weight: 1, arbitrary: cased });
}

function filled({ path }: ApiOperation, fill: (name: string) => fc.Arbitrary<string>): fc.Arbitrary<string> {
	const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
	return fc.tuple(...names.map(fill)).map((parts) => {
		const left = [...parts];
		return path.replaceAll(/\{\w+\}/g, () => left.shift() ?? "");
	});
}
