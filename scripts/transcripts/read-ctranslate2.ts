/** An array of numbers as the model has it, in 16 or 32 bits. */
export type Tensor = {
	readonly shape: readonly number[];
	readonly type: "float16" | "float32";
	readonly bytes: Buffer;
};

/** A model of CTranslate2: its tensors and single numbers by name. */
export type Model = { readonly tensors: ReadonlyMap<string, Tensor>; readonly numbers: ReadonlyMap<string, number> };

const types = ["float32", "int8", "int16", "int32", "float16", "bfloat16"] as const;

/**
 * Reads `model.bin` of a Whisper model in the format of CTranslate2, version 4 and later.
 * @throws {Error} when it is something else, is cut off, or has weights in fewer than 16 bits
 */
export function readCtranslate2(file: Buffer): Model {
	let at = 0;
	const take = (bytes: number): Buffer => {
		if (at + bytes > file.length) throw new Error("The model is cut off.");
		at += bytes;
		return file.subarray(at - bytes, at);
	};
	const integer = () => take(4).readUInt32LE();
	const text = () => take(take(2).readUInt16LE()).toString("utf8").replace(/\0$/, "");
	if (integer() < 4 || text() !== "WhisperSpec") throw new Error("This is no Whisper model of CTranslate2.");
	integer(); // the specification's revision
	const [tensors, numbers] = [new Map<string, Tensor>(), new Map<string, number>()];
	for (let left = integer(); left > 0; left -= 1) {
		const name = text();
		const shape = Array.from({ length: take(1).readUInt8() }, integer);
		const type = types[take(1).readUInt8()];
		const bytes = take(integer());
		if (type === "float16" || type === "float32") tensors.set(name, { shape, type, bytes });
		else if (shape.length === 0) numbers.set(name, bytes.readIntLE(0, bytes.length));
		else if (!/alignment/.test(name))
			throw new Error(`${name} has weights as ${type}; only 16 and 32 bits can be taken.`);
	}
	return { tensors, numbers };
}
