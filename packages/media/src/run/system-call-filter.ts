import {
	type Architecture,
	architectures,
	judged,
	namespaceFlags,
	refused,
	typingRequests,
	unknown,
} from "./system-calls.ts";

/** Offsets into what the kernel shows a filter (`struct seccomp_data`). Only the lower half of an argument is read. */
const offsets = { number: 0, architecture: 4, firstArgument: 16, secondArgument: 24 };
const operations = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, end: 0x06 };
const answers = { allow: 0x7fff_0000, notPermitted: 0x0005_0001, notKnown: 0x0005_0026, kill: 0x8000_0000 };
/** The first number of x32, a second set of system calls for the same architecture. */
const x32 = 0x4000_0000;

type Instruction = readonly [operation: number, value: number, then: number, otherwise: number];

const load = (offset: number): Instruction => [operations.load, offset, 0, 0];
const end = (answer: number): Instruction => [operations.end, answer, 0, 0];
/** Runs `steps` if the loaded value passes, and skips them otherwise. */
const when = (operation: number, value: number, steps: readonly Instruction[]): Instruction[] => [
	[operation, value, 0, steps.length],
	...steps,
];

/**
 * Returns the program of a seccomp filter as bubblewrap takes it; `null` if there is none for the architecture. A call
 * of another architecture kills the process. A call that `system-calls.ts` refuses fails with EPERM or ENOSYS. All
 * other calls pass.
 */
export function systemCallFilter(architecture: string): Buffer | null {
	if (!Object.hasOwn(architectures, architecture)) return null;
	const own = architecture as Architecture;
	const numbers = (calls: Readonly<Record<string, readonly [number | null, number | null]>>) =>
		Object.values(calls).flatMap(([x64, arm64]) => (own === "x64" ? x64 : arm64) ?? []);
	const [clone = 0, ioctl = 0] = numbers(judged);
	const program: Instruction[] = [
		load(offsets.architecture),
		[operations.ifEqual, architectures[own], 1, 0],
		end(answers.kill),
		load(offsets.number),
		...when(operations.ifAtLeast, x32, [end(answers.notKnown)]),
		...numbers(refused).flatMap((number) => when(operations.ifEqual, number, [end(answers.notPermitted)])),
		...numbers(unknown).flatMap((number) => when(operations.ifEqual, number, [end(answers.notKnown)])),
		...when(operations.ifEqual, clone, [
			load(offsets.firstArgument),
			...when(operations.ifAnyBit, namespaceFlags, [end(answers.notPermitted)]),
			end(answers.allow),
		]),
		...when(operations.ifEqual, ioctl, [
			load(offsets.secondArgument),
			...typingRequests.flatMap((request) => when(operations.ifEqual, request, [end(answers.notPermitted)])),
			end(answers.allow),
		]),
		end(answers.allow),
	];
	return Buffer.concat(program.map(encode));
}

/** Encodes a `struct sock_filter`. Both architectures are little-endian. */
function encode([operation, value, then, otherwise]: Instruction): Buffer {
	const bytes = Buffer.alloc(8);
	bytes.writeUInt16LE(operation, 0);
	bytes.writeUInt8(then, 2);
	bytes.writeUInt8(otherwise, 3);
	bytes.writeUInt32LE(value, 4);
	return bytes;
}
