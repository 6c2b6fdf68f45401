import { expect, it } from "vitest";
import { formatBytes } from "../src/format/amounts.ts";
import { exactBytes, readBytes } from "../src/format/bytes.ts";

it.each([
	[0, "0 B", "0 B"],
	[999, "999 B", "999 B"],
	[1000, "1 KiB", "1000 B"],
	[1536, "1.5 KiB", "1536 B"],
	[1024 ** 2 - 1, "1 MiB", "1048575 B"],
	[200 * 1024 ** 2, "200 MiB", "200 MiB"],
	[20 * 1024 ** 3, "20 GiB", "20 GiB"],
])("shows %d bytes in binary units, and exactly where they are to be changed", (bytes, shown, exact) => {
	expect(formatBytes(bytes)).toBe(shown);
	expect(exactBytes(bytes)).toBe(exact);
	expect(readBytes(exact)).toBe(bytes);
});

it("reads no bytes of a text that says none", () => {
	for (const text of ["", "much", "-1", "1 QB", "1e3", "20 GiB more"]) expect(readBytes(text), text).toBeNull();
	expect(readBytes("1.5gib")).toBe(1.5 * 1024 ** 3);
});
