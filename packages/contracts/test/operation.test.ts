import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
	type Api,
	api,
	type CallInput,
	commonErrors,
	defineOperation,
	type Input,
	isJsonOperation,
	type JsonOperationName,
	type Operation,
	type Output,
	type Video,
} from "../src/index.ts";

const base = {
	method: "GET",
	plane: "tenant",
	tag: "Videos",
	summary: "Try",
	auth: "none",
	success: { status: 204, says: "Done." },
} as const;

describe("an operation", () => {
	it("does not compile with path parameters that are not the path's", () => {
		defineOperation({ ...base, path: "/v1/things/{id}", params: z.strictObject({ id: z.string() }), errors: [] });
		// @ts-expect-error the parameter is called id
		defineOperation({ ...base, path: "/v1/things/{id}", params: z.strictObject({ thing: z.string() }), errors: [] });
		// @ts-expect-error the path has a parameter
		defineOperation({ ...base, path: "/v1/things/{id}", errors: [] });
		// @ts-expect-error the path has no parameter
		defineOperation({ ...base, path: "/v1/things", params: z.strictObject({ id: z.string() }), errors: [] });
		expect(api.getVideo.params.safeParse({}).success).toBe(false);
	});

	it("does not compile with a code that is not in the catalogue, nor without saying what a sandbox session may", () => {
		// @ts-expect-error no such code
		defineOperation({ ...base, path: "/v1/things", errors: ["thing_not_found"] });
		// @ts-expect-error a tenant operation says whether a sandbox session may call it
		defineOperation({ ...base, path: "/v1/things", auth: "tenant", errors: [] });
		// @ts-expect-error only a tenant operation does
		defineOperation({ ...base, path: "/v1/things", sandbox: "allowed", errors: [] });
		expect(commonErrors({ ...base, path: "/v1/things", errors: [] })).toEqual([
			"bad_request",
			"internal_error",
			"validation_error",
		]);
	});

	it("types what a caller writes, what a handler receives and what comes back", () => {
		expectTypeOf<CallInput<Api["listVideos"]>>().toExtend<{
			query?: { limit?: unknown; cursor?: string | undefined };
		}>();
		expectTypeOf<Input<Api["listVideos"]>["query"]["limit"]>().toEqualTypeOf<number>();
		expectTypeOf<Input<Api["getVideo"]>>().toExtend<{ params: { id: string } }>();
		expectTypeOf<Output<Api["getVideo"]>>().toEqualTypeOf<Video>();
		expectTypeOf<Output<Api["deleteVideo"]>>().toEqualTypeOf<undefined>();
		expectTypeOf<undefined>().toExtend<Output<Api["claimJob"]>>();
		expect(api.listVideos.query.parse({ limit: "7" })).toEqual({ limit: 7 });
	});

	it("is JSON or not by type exactly as by value", () => {
		const json = { getVideo: true, createVideo: true, claimJob: true, startOauth: true, getHealth: true } satisfies {
			[K in JsonOperationName]?: true;
		};
		for (const name of Object.keys(json) as (keyof typeof json)[]) expect(isJsonOperation(api[name]), name).toBe(true);
		expectTypeOf<
			Extract<
				JsonOperationName,
				| "appendUpload"
				| "getMedia"
				| "getFrame"
				| "getVideoCaptions"
				| "getOutroPreview"
				| "putJobOutputs"
				| "getJobSource"
				| "getJobPart"
				| "getDocs"
				| "getOpenApi"
				| "getWholeOpenApi"
				| "getOperatorsOpenApi"
				| "getWorkersOpenApi"
				| "getConsoleOpenApi"
				| "getReady"
				| "getMetrics"
			>
		>().toEqualTypeOf<never>();
		const raw = Object.entries(api).filter(([, operation]) => !isJsonOperation(operation));
		expect(raw.map(([name]) => name).sort()).toEqual(
			[
				["createUpload", "getUploadOffset", "appendUpload", "deleteUpload"],
				[
					"getMasterPlaylist",
					"getMediaPlaylist",
					"getManifest",
					"getMedia",
					"getWebMp4",
					"getThumbnail",
					"getPoster",
					"getPreview",
					"getTranscriptFile",
					"getCaptions",
					"getChapters",
					"getChapterData",
					"getStoryboard",
					"getStoryboardImage",
				],
				[
					"getFrame",
					"getVideoCaptions",
					"getOutroPreview",
					"getJobSource",
					"getJobPart",
					"putJobOutputs",
					"getOpenApi",
					"getWholeOpenApi",
					"getOperatorsOpenApi",
					"getWorkersOpenApi",
					"getConsoleOpenApi",
					"getDocs",
					"getReady",
					"getMetrics",
				],
			]
				.flat()
				.sort(),
		);
	});

	it("asks for the console's gate only where a session can change something", () => {
		expect(commonErrors(api.getVideo)).not.toContain("csrf_check_failed");
		expect(commonErrors(api.cancelVideo)).toContain("csrf_check_failed");
		expect(commonErrors(api.heartbeatJob as Operation)).toContain("forbidden");
	});
});
