import { readFile } from "node:fs/promises";
import {
	commandLineNames,
	describeSettings,
	readSettings,
	SettingsError,
	settingsInForce,
	values,
} from "@reelmill/settings";
import { describe, expect, it } from "vitest";

const table = {
	PORT: { description: "Where it listens.", value: values.integer(0, 65_535), fallback: 8787 },
	BASE_URL: { description: "Where users reach it.", value: values.address },
	NAME: { description: "Its name.", value: values.text, required: true },
	CIDRS: { description: "A list.", value: values.list, fallback: [], shown: "empty" },
	SCHEDULE: { description: "Waits.", value: values.numbers(2), fallback: [0, 30] },
	KEY: { description: "A secret.", value: values.secret(4) },
	OLD_KEYS: { description: "Secrets.", value: values.secrets(4), fallback: [], shown: "no old ones" },
	WORD: { description: "A password.", value: values.password(8) },
} as const;
const read = (environment: Record<string, string>) =>
	readSettings(table, { APP_NAME: "n", PATH: "/bin", ...environment }, "APP_");

describe("settings", () => {
	it("are shown as they are in force, secrets without their values", () => {
		const environment = {
			APP_PORT: "80",
			APP_NAME: "",
			APP_KEY: "00ff00ff",
			APP_OLD_KEYS: "00ff00ff",
			APP_WORD: "12345678",
		};
		const told = {
			...table,
			URL: { description: "With a password.", value: values.text, secret: true },
			KEPT: { description: "A key.", value: values.password(8), shown: "made by itself" },
		};
		const shown = settingsInForce(told, { ...environment, APP_URL: "u" }, "APP_");
		expect(shown.map(({ name, value, is_set, is_secret }) => [name, value, is_set, is_secret])).toEqual([
			["APP_PORT", "80", true, false],
			["APP_BASE_URL", null, false, false],
			["APP_NAME", null, false, false],
			["APP_CIDRS", null, false, false],
			["APP_SCHEDULE", "0,30", false, false],
			["APP_KEY", null, true, true],
			["APP_OLD_KEYS", null, true, true],
			["APP_WORD", null, true, true],
			["APP_URL", null, true, true],
			["APP_KEPT", null, false, true],
		]);
		// No words about a default stand for a value.
		expect(shown.find(({ name }) => name === "APP_CIDRS")?.default).toBe("empty");
		expect(shown.find(({ name }) => name === "APP_PORT")?.default).toBe("8787");
		expect(shown.find(({ name }) => name === "APP_KEPT")?.default).toBe("made by itself");
	});

	it("hold their defaults until they are set, empty text included", () => {
		expect(read({ APP_PORT: "" })).toEqual({
			PORT: 8787,
			BASE_URL: undefined,
			NAME: "n",
			CIDRS: [],
			SCHEDULE: [0, 30],
			KEY: undefined,
			OLD_KEYS: [],
			WORD: undefined,
		});
	});

	it("are read in their own form", () => {
		expect(
			read({
				...{
					APP_PORT: "0",
					APP_BASE_URL: "https://video.example/",
					APP_CIDRS: "10.0.0.0/8, ::1/128",
					APP_SCHEDULE: "0,0.5",
					APP_KEY: "00ff00ff",
				},
				...{ APP_OLD_KEYS: "01020304, AQIDBA==", APP_WORD: "eight+8=" },
			}),
		).toEqual({
			PORT: 0,
			BASE_URL: "https://video.example",
			NAME: "n",
			CIDRS: ["10.0.0.0/8", "::1/128"],
			SCHEDULE: [0, 0.5],
			KEY: Buffer.from([0, 255, 0, 255]),
			OLD_KEYS: [Buffer.from([1, 2, 3, 4]), Buffer.from([1, 2, 3, 4])],
			WORD: "eight+8=",
		});
	});

	it("stop with one sentence that names the one that is wrong, missing or unknown", () => {
		const message = (environment: Record<string, string>) => {
			try {
				read(environment);
			} catch (error) {
				expect(error).toBeInstanceOf(SettingsError);
				return (error as Error).message;
			}
			throw new Error("it was accepted");
		};
		expect(message({ APP_PORT: "80a" })).toBe("APP_PORT must be a whole number.");
		expect(message({ APP_PORT: "65536" })).toBe("APP_PORT must be at most 65535.");
		expect(message({ APP_BASE_URL: "video.example" })).toBe("APP_BASE_URL must be an http:// or https:// address.");
		expect(message({ APP_SCHEDULE: "1" })).toBe("APP_SCHEDULE must be 2 numbers, separated by commas.");
		expect(message({ APP_SCHEDULE: "1,x" })).toBe("APP_SCHEDULE must be numbers, separated by commas.");
		expect(message({ APP_KEY: "ab" })).toBe("APP_KEY must be at least 4 bytes, in hexadecimal or base64.");
		expect(message({ APP_OLD_KEYS: "01020304,ab" })).toBe(
			"APP_OLD_KEYS must be at least 4 bytes, in hexadecimal or base64.",
		);
		expect(message({ APP_WORD: "seven77" })).toBe(
			"APP_WORD must have at least 8 characters: make one with openssl rand -hex 32.",
		);
		expect(message({ APP_WORD: "eight 88" })).toBe("APP_WORD must be visible ASCII characters without spaces.");
		expect(message({ APP_PROT: "1" })).toBe("APP_PROT is not a setting of this program; --help lists them all.");
		expect(message({ APP_NAME: "" })).toBe("APP_NAME is not set; --help says what it is for.");
	});

	it("for other programs of the shell are no mistake, and are read where they are its own, too", () => {
		const environment = { APP_NAME: "n", APP_PORT: "1", APP_TOKEN: "another program's" };
		expect(readSettings(table, environment, "APP_", { ignored: ["APP_TOKEN", "APP_PORT"] })).toMatchObject({
			NAME: "n",
			PORT: 1,
		});
		expect(() => readSettings(table, environment, "APP_", { ignored: ["APP_PORT"] })).toThrow(
			"APP_TOKEN is not a setting of this program",
		);
	});

	it("of the command line are known: those that its --help lists", async () => {
		const help = await readFile(new URL("../../cli/src/cli.ts", import.meta.url), "utf8");
		const named = [...help.matchAll(/^ {2}(REELMILL_\w+) +for /gm)].map(([, name]) => name);
		expect(named).toEqual(commandLineNames);
	});

	it("are all in the text for --help, with their defaults", () => {
		expect(describeSettings(table, "APP_")).toBe(
			[
				"  APP_PORT (8787)\n      Where it listens.",
				"  APP_BASE_URL (none)\n      Where users reach it.",
				"  APP_NAME (required)\n      Its name.",
				"  APP_CIDRS (empty)\n      A list.",
				"  APP_SCHEDULE (0,30)\n      Waits.",
				"  APP_KEY (none)\n      A secret.",
				"  APP_OLD_KEYS (no old ones)\n      Secrets.",
				"  APP_WORD (none)\n      A password.",
			].join("\n"),
		);
	});
});
