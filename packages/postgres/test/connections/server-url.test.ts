import { createPostgresDatabase, withoutPassword } from "@reelmill/postgres";
import { expect, it } from "vitest";
import { readServerUrl } from "../../src/connections/server-url.ts";

it("reads each host of a URL, with its own port", () => {
	expect(
		readServerUrl("postgres://u:p%40x@h1:5433,[::1]:6000,h3/db?sslmode=require&target_session_attrs=primary"),
	).toEqual({
		hosts: [
			{ name: "h1:5433", url: "postgres://u:p%40x@h1:5433/db?sslmode=require" },
			{ name: "[::1]:6000", url: "postgres://u:p%40x@[::1]:6000/db?sslmode=require" },
			{ name: "h3", url: "postgres://u:p%40x@h3/db?sslmode=require" },
		],
		wanted: "primary",
	});
});

it("wants one that takes writes where there are several, and takes the only one as it is", () => {
	expect(readServerUrl("postgresql://h1,h2").wanted).toBe("read-write");
	expect(readServerUrl("postgresql://h1/db").wanted).toBe("any");
	expect(readServerUrl("postgresql://h1/db?target_session_attrs=read-write").wanted).toBe("read-write");
});

it.each([
	"postgres://u:p@h1,,h2/db",
	"postgres://h1,/db",
	"postgres://h1:one,h2/db",
	"postgres://h1:5432,h2:70000/db",
	"http://h1,h2/db",
])("refuses %j as a database's URL", (url) => {
	expect(() => createPostgresDatabase({ url })).toThrow(
		"postgres://user:password@host:port/database, several hosts as host:port,host:port",
	);
});

it.each(["standby", "prefer-standby", "read-only", "nonsense"])(
	"refuses target_session_attrs=%s: everything here writes",
	(wanted) => {
		expect(() => createPostgresDatabase({ url: `postgres://h1,h2/db?target_session_attrs=${wanted}` })).toThrow(
			`target_session_attrs=${wanted}: take any, primary`,
		);
	},
);

it("shows a URL without user and password, however many hosts it names", () => {
	expect(withoutPassword("postgres://user:hunter2@h1:5432,h2:5433/db?sslmode=require")).toBe(
		"postgres://h1:5432,h2:5433/db?sslmode=require",
	);
	expect(withoutPassword("postgres://user:hun@ter2@127.0.0.1:1/x")).toBe("postgres://127.0.0.1:1/x");
	expect(withoutPassword("user:hunter2@h1")).toBe("the given address");
});
