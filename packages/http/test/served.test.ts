import { api, isJsonOperation, type OperationName } from "@reelmill/contracts";
import { servedElsewhere, servedPages, servedRaw } from "@reelmill/http";
import { describe, expect, it } from "vitest";

describe("what is served", () => {
	it("accounts for every operation of the contract exactly once", () => {
		const apart: OperationName[] = [...servedRaw, ...servedPages, ...servedElsewhere];
		expect(new Set(apart).size).toBe(apart.length);
		const mounted = (Object.keys(api) as OperationName[]).filter((name) => !apart.includes(name));
		expect(mounted.filter((name) => !isJsonOperation(api[name]))).toEqual([
			"getVideoCaptions",
			"getFrame",
			"getOutroPreview",
		]);
		expect(mounted).toEqual(expect.arrayContaining(["getHealth", "createVideo", "claimJob", "createDomain"]));
	});
});
