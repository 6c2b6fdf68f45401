import { describe, expect, it } from "vitest";
import { systemCallFilter } from "../../src/run/system-call-filter.ts";
import { architectures, judged, namespaceFlags, refused, unknown } from "../../src/run/system-calls.ts";

const [allowed, notPermitted, notKnown, killed] = [0x7fff_0000, 0x0005_0001, 0x0005_0026, 0x8000_0000];

/**
 * What the kernel makes of a program and a call: the few instructions of its interpreter that filters here are made of.
 */
function judge(
	program: Buffer,
	{ architecture, number, args = [] }: { architecture: number; number: number; args?: number[] },
): number {
	const data = Buffer.alloc(64);
	data.writeUInt32LE(number, 0);
	data.writeUInt32LE(architecture, 4);
	for (const [n, arg] of args.entries()) data.writeBigUInt64LE(BigInt(arg), 16 + 8 * n);
	let loaded = 0;
	for (let at = 0; at < program.length; at += 8) {
		const [operation, then, otherwise, value] = [
			program.readUInt16LE(at),
			program.readUInt8(at + 2),
			program.readUInt8(at + 3),
			program.readUInt32LE(at + 4),
		];
		if (operation === 0x06) return value;
		if (operation === 0x20) loaded = data.readUInt32LE(value);
		else {
			const passes =
				operation === 0x15 ? loaded === value : operation === 0x35 ? loaded >= value : (loaded & value) !== 0;
			at += 8 * (passes ? then : otherwise);
		}
	}
	throw new Error("The program has no end.");
}

/** What ffmpeg calls all the time, and what starts its threads: flags of pthread_create. */
const usual = { x64: [0, 1, 2, 9, 202, 257, 231], arm64: [63, 64, 56, 222, 98, 94] };
const threadFlags = 0x3d0f00;

describe.each([
	["x64", 0],
	["arm64", 1],
] as const)("the filter for %s", (name, column) => {
	const program = systemCallFilter(name) as Buffer;
	const architecture = architectures[name];
	const of = (calls: Readonly<Record<string, readonly [number | null, number | null]>>) =>
		Object.values(calls).flatMap((numbers) => numbers[column] ?? []);

	it("is no longer than the kernel takes", () => expect(program.length / 8).toBeLessThan(4096));

	it("refuses what is listed, and nothing that ffmpeg needs", () => {
		for (const number of of(refused)) expect(judge(program, { architecture, number })).toBe(notPermitted);
		for (const number of of(unknown)) expect(judge(program, { architecture, number })).toBe(notKnown);
		for (const number of usual[name]) expect(judge(program, { architecture, number })).toBe(allowed);
	});

	it("lets threads and processes be made, and no namespaces", () => {
		const [number = 0] = of({ clone: judged.clone });
		for (const flags of [threadFlags, 0x1200011])
			expect(judge(program, { architecture, number, args: [flags] })).toBe(allowed);
		for (let flag = 1; flag < 2 ** 32; flag *= 2) {
			const expected = (flag & namespaceFlags) === 0 ? allowed : notPermitted;
			expect(judge(program, { architecture, number, args: [flag] })).toBe(expected);
		}
	});

	it("lets nothing be typed into the terminal that it was started from", () => {
		const [number = 0] = of({ ioctl: judged.ioctl });
		expect(judge(program, { architecture, number, args: [0, 0x5412] })).toBe(notPermitted);
		expect(judge(program, { architecture, number, args: [0, 0x5413] })).toBe(allowed);
	});

	it("kills what calls by the numbers of another architecture, and knows none of x32", () => {
		for (const other of [
			0x4000_0003,
			0x4000_0028,
			...Object.values(architectures).filter((one) => one !== architecture),
		])
			expect(judge(program, { architecture: other, number: 0 })).toBe(killed);
		expect(judge(program, { architecture, number: 0x4000_0001 })).toBe(notKnown);
	});
});

it("there is none for other architectures", () => {
	for (const other of ["riscv64", "ppc64", "toString"]) expect(systemCallFilter(other)).toBeNull();
});
