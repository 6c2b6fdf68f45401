import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { convertModel } from "./convert-model.ts";
import { melFilters } from "./mel-filters.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-convert-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Variable = {
	readonly name: string;
	readonly shape: readonly number[];
	readonly type: number;
	readonly bytes: Buffer;
};
const [int8, int16, float16] = [1, 2, 4];
const state = 4;

const halves = (name: string, shape: readonly number[], first = 0): Variable => {
	const values = Float16Array.from({ length: shape.reduce((all, one) => all * one, 1) }, (_, n) => first + n / 8);
	return { name, shape, type: float16, bytes: Buffer.from(values.buffer) };
};
const number = (name: string, value: number): Variable => ({
	...{ name, shape: [], type: int16 },
	bytes: Buffer.from(Int16Array.of(value).buffer),
});
const linear = (name: string, rows: number, columns: number): Variable[] => [
	halves(`${name}/weight`, [rows, columns]),
	halves(`${name}/bias`, [rows]),
];
const norm = (name: string): Variable[] => [halves(`${name}/gamma`, [state]), halves(`${name}/beta`, [state])];
const attention = (name: string): Variable[] => [
	...linear(`${name}/linear_0`, 3 * state, state),
	...linear(`${name}/linear_1`, state, state),
	...norm(`${name}/layer_norm`),
];
const feedForward = (name: string): Variable[] => [
	...linear(`${name}/linear_0`, 4 * state, state),
	...linear(`${name}/linear_1`, state, 4 * state),
	...norm(`${name}/layer_norm`),
];

/** A Whisper model in small, as CTranslate2 has it. */
const variables: readonly Variable[] = [
	halves("encoder/conv1/weight", [state, 80, 3]),
	halves("encoder/conv1/bias", [state]),
	halves("encoder/conv2/weight", [state, state, 3]),
	halves("encoder/conv2/bias", [state]),
	halves("encoder/position_encodings/encodings", [6, state]),
	number("encoder/num_heads", 2),
	...norm("encoder/layer_norm"),
	...attention("encoder/layer_0/self_attention"),
	...feedForward("encoder/layer_0/ffn"),
	halves("decoder/embeddings/weight", [5, state]),
	halves("decoder/position_encodings/encodings", [7, state]),
	number("decoder/num_heads", 2),
	...norm("decoder/layer_norm"),
	...attention("decoder/layer_0/self_attention"),
	...linear("decoder/layer_0/attention/linear_0", state, state),
	...linear("decoder/layer_0/attention/linear_1", 2 * state, state),
	...linear("decoder/layer_0/attention/linear_2", state, state),
	...norm("decoder/layer_0/attention/layer_norm"),
	...feedForward("decoder/layer_0/ffn"),
];

const integer = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const text = (value: string) => {
	const bytes = Buffer.from(`${value}\0`);
	return Buffer.concat([Buffer.from(Uint16Array.of(bytes.length).buffer), bytes]);
};
const fileOf = (all: readonly Variable[], specification = "WhisperSpec"): Buffer =>
	Buffer.concat([
		...[integer(6), text(specification), integer(3), integer(all.length)],
		...all.flatMap(({ name, shape, type, bytes }) => [
			...[text(name), Buffer.of(shape.length), ...shape.map(integer), Buffer.of(type), integer(bytes.length), bytes],
		]),
		integer(0),
	]);

async function convert(model: Buffer): Promise<Buffer> {
	await writeFile(join(folder, "model.bin"), model);
	await writeFile(join(folder, "vocabulary.txt"), ["a", "Ġb", "Ã¼", "<|endoftext|>", "<|en|>"].join("\n"));
	await convertModel(folder, join(folder, "ggml.bin"));
	return readFile(join(folder, "ggml.bin"));
}

/** Reads what whisper.cpp reads, in the same order. */
function read(file: Buffer) {
	let at = 0;
	const take = (bytes: number) => {
		at += bytes;
		return file.subarray(at - bytes, at);
	};
	const next = () => take(4).readInt32LE();
	const list = (length: number) => Array.from({ length }, next);
	const [magic, sizes, bands, frequencies] = [next(), list(11), next(), next()];
	take(bands * frequencies * 4);
	const words = Array.from({ length: next() }, () => take(next()).toString());
	const tensors = new Map<string, { shape: number[]; bits: number; values: number[] }>();
	while (at < file.length) {
		const [dimensions = 0, length = 0, type] = list(3);
		const shape = list(dimensions);
		const name = take(length).toString();
		const bits = type === 1 ? 16 : 32;
		const bytes = new Uint8Array(take((shape.reduce((all, one) => all * one, 1) * bits) / 8)).buffer;
		tensors.set(name, {
			shape,
			bits,
			values: Array.from(bits === 16 ? new Float16Array(bytes) : new Float32Array(bytes)),
		});
	}
	return { magic, sizes, bands, frequencies, words, tensors };
}

it("writes sizes, words and tensors as whisper.cpp reads them", async () => {
	const { magic, sizes, bands, frequencies, words, tensors } = read(await convert(fileOf(variables)));
	expect(magic).toBe(0x67676d6c);
	expect(sizes).toEqual([5, 6, 4, 2, 1, 7, 4, 2, 1, 80, 1]);
	expect([bands, frequencies]).toEqual([80, 201]);
	expect(words).toEqual(["a", " b", "ü"]);
	// As many as a model of one layer has: 7 and 15 of the encoder, 4 and 24 of the decoder.
	expect(tensors.size).toBe(50);
	expect(tensors.get("encoder.conv1.weight")).toMatchObject({ shape: [3, 80, 4], bits: 16 });
	expect(tensors.get("encoder.conv1.bias")).toEqual({ shape: [1, 4], bits: 32, values: [0, 0.125, 0.25, 0.375] });
	expect(tensors.get("decoder.positional_embedding")).toMatchObject({ shape: [4, 7], bits: 32 });
});

it("takes fused attentions apart, and leaves out the biases of keys, which are zero", async () => {
	const { tensors } = read(await convert(fileOf(variables)));
	const firstOf = (name: string) => tensors.get(name)?.values[0];
	expect(firstOf("encoder.blocks.0.attn.query.weight")).toBe(0);
	expect(firstOf("encoder.blocks.0.attn.key.weight")).toBe(16 / 8);
	expect(firstOf("encoder.blocks.0.attn.value.weight")).toBe(32 / 8);
	expect(firstOf("encoder.blocks.0.attn.value.bias")).toBe(8 / 8);
	expect(firstOf("decoder.blocks.0.cross_attn.value.weight")).toBe(16 / 8);
	expect([...tensors.keys()].filter((name) => name.endsWith("key.bias"))).toEqual([]);
});

it.each([
	["another model", fileOf(variables, "TransformerSpec"), "no Whisper model"],
	["a model that is cut off", fileOf(variables).subarray(0, 5000), "cut off"],
	["a model without an encoder", fileOf(variables.filter(({ name }) => !name.startsWith("encoder"))), "lacks parts"],
	[
		"weights of 8 bits",
		fileOf([...variables, { name: "decoder/x/weight", shape: [1], type: int8, bytes: Buffer.of(1) }]),
		"only 16 and 32 bits",
	],
])("refuses %s", async (_, model, reason) => {
	await expect(convert(model)).rejects.toThrow(reason);
});

it("listens by bands of the same area, the lower half of them below 1,600 Hz", () => {
	const filters = melFilters(80);
	const sums = Array.from({ length: 80 }, (_, n) => filters.subarray(n * 201, (n + 1) * 201).reduce((a, b) => a + b));
	for (const sum of sums.slice(20)) expect(sum * 40).toBeCloseTo(1, 0);
	const highest = filters.subarray(40 * 201, 41 * 201).indexOf(Math.max(...filters.subarray(40 * 201, 41 * 201)));
	expect(highest * 40).toBeGreaterThan(1400);
	expect(highest * 40).toBeLessThan(1800);
	// Two values of the table that OpenAI publishes with its models.
	expect(filters[1]).toBeCloseTo(0.02486259, 6);
	expect(filters[201 + 1]).toBeCloseTo(0.00199082, 6);
});
