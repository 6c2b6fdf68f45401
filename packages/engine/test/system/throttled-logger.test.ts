import { ReelmillError } from "@reelmill/contracts";
import { createThrottledLogger, DatabaseError, StorageError, unavailableIn } from "@reelmill/engine";
import { createFakeClock, createRecordingLogger } from "@reelmill/engine/testing";
import { describe, expect, it } from "vitest";

const systemError = (code: string) => Object.assign(new Error(code), { code });
const away = new DatabaseError("away", { unavailable: true });

describe("what an error says is missing", () => {
	it.each([
		["a database that is away", away, "database"],
		["a statement that is wrong", new DatabaseError("syntax", { code: "42601" }), null],
		[
			"a database that can't be reached for want of a descriptor",
			new DatabaseError("x", { unavailable: true, cause: systemError("EMFILE") }),
			"descriptors",
		],
		[
			"a full disk behind a code of the contract",
			new ReelmillError("storage_unavailable", { cause: systemError("ENOSPC") }),
			"disk",
		],
		["a bucket", new StorageError("unreachable", "x"), "storage"],
		["a defect", new TypeError("x"), null],
		["no error", "EIO", null],
	])("%s", (_, error, missing) => expect(unavailableIn(error)).toBe(missing));

	it("is found in a ring of causes, too", () => {
		const ring = new Error("ring");
		ring.cause = ring;
		expect(unavailableIn(ring)).toBeNull();
	});
});

describe("a throttled logger", () => {
	it("says what is missing at once, and then once a minute with how often it did not; the rest is for debugging", async () => {
		const [logger, clock] = [createRecordingLogger(), createFakeClock()];
		const throttled = createThrottledLogger(logger, clock);
		const said = () => logger.entries.filter(({ level }) => level === "error").map(({ fields }) => fields);
		for (let count = 0; count < 100; count++) throttled.error({ error: away, count }, "request failed");
		expect(said()).toEqual([{ error: away, count: 0, unavailable: "database" }]);
		expect(logger.entries.filter(({ level }) => level === "debug")).toHaveLength(99);
		await clock.advance(60_000);
		throttled.error({ error: away }, "request failed");
		expect(said()[1]).toEqual({ error: away, unavailable: "database", leftOut: 99 });
	});

	it("says each thing that is missing, each bucket that fails, and every defect", () => {
		const logger = createRecordingLogger();
		const throttled = createThrottledLogger(logger, createFakeClock());
		const bucket = new StorageError("failed", "x");
		for (const _ of [1, 2]) {
			for (const error of [away, systemError("EMFILE"), systemError("EIO")]) throttled.warn({ error }, "x");
			for (const profileId of ["a", "b"]) throttled.warn({ error: bucket, profileId }, "x");
		}
		expect(logger.entries.filter(({ level }) => level === "warn")).toHaveLength(5);
		for (const _ of [1, 2]) throttled.error({ error: new TypeError("defect") }, "request failed");
		expect(logger.entries.filter(({ level }) => level === "error")).toHaveLength(2);
	});

	it("is the same for all who share it", () => {
		const throttled = createThrottledLogger(createRecordingLogger(), createFakeClock());
		expect(createThrottledLogger(throttled, createFakeClock())).toBe(throttled);
	});
});
