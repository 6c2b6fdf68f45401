import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ggmlTensors } from "./ggml-tensors.ts";
import { melFilters } from "./mel-filters.ts";
import { type Model, readCtranslate2, type Tensor } from "./read-ctranslate2.ts";

const magic = 0x67676d6c;
const weightsIn16Bits = 1;

/** The bytes that byte-level BPE writes as themselves. It writes the others as the characters from U+0100 on. */
const isItself = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 255 && byte !== 173);
const others = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !isItself(byte));

/** Returns the bytes of a token that a vocabulary writes with one character for each byte. */
const bytesOf = (token: string): Buffer =>
	Buffer.from(Array.from(token, (sign) => others[sign.charCodeAt(0) - 256] ?? sign.charCodeAt(0)));

/** Returns the tokens that are text. Those that say a language or a time come after them. */
async function readVocabulary(folder: string): Promise<string[]> {
	const tokens = await readFile(join(folder, "vocabulary.json"), "utf8").then(
		(json) => JSON.parse(json) as string[],
		async () => (await readFile(join(folder, "vocabulary.txt"), "utf8")).split("\n"),
	);
	const end = tokens.indexOf("<|endoftext|>");
	if (end === -1) throw new Error("The vocabulary has no <|endoftext|>.");
	return tokens.slice(0, end);
}

const integers = (...values: readonly number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);

/** The model's sizes, in the order of whisper.cpp's header. */
function sizesOf({ tensors, numbers }: Model): Buffer {
	const shape = (name: string): readonly number[] => tensors.get(name)?.shape ?? [];
	const layers = (part: string) =>
		[...tensors.keys()].filter((name) => name.startsWith(`${part}/layer_`) && name.endsWith("/ffn/linear_0/weight"))
			.length;
	const heads = (part: string) => numbers.get(`${part}/num_heads`) ?? 0;
	const [vocabulary = 0] = shape("decoder/embeddings/weight");
	const [sound = 0, soundState = 0] = shape("encoder/position_encodings/encodings");
	const [text = 0, textState = 0] = shape("decoder/position_encodings/encodings");
	const [, mels = 0] = shape("encoder/conv1/weight");
	const sizes = [
		...[vocabulary, sound, soundState, heads("encoder"), layers("encoder")],
		...[text, textState, heads("decoder"), layers("decoder"), mels, weightsIn16Bits],
	];
	if (sizes.includes(0)) throw new Error("The model lacks parts of Whisper.");
	return integers(...sizes);
}

function header(name: string, { shape, type }: Tensor): Buffer {
	const bytes = Buffer.from(name);
	return Buffer.concat([
		integers(shape.length, bytes.length, type === "float16" ? 1 : 0, ...shape.toReversed()),
		bytes,
	]);
}

/**
 * Writes a Whisper model of CTranslate2 in the format of whisper.cpp, with weights in 16 bits. A file that exists is
 * overwritten.
 * @param folder has `model.bin`, and `vocabulary.json` or `vocabulary.txt`
 * @throws {Error} when the model is something else or its weights have fewer than 16 bits
 */
export async function convertModel(folder: string, target: string): Promise<void> {
	const model = readCtranslate2(await readFile(join(folder, "model.bin")));
	const vocabulary = (await readVocabulary(folder)).map(bytesOf);
	const [sizes, tensors] = [sizesOf(model), ggmlTensors(model.tensors)];
	const bands = model.tensors.get("encoder/conv1/weight")?.shape[1] ?? 0;
	const filters = melFilters(bands);
	const file = await open(target, "w");
	try {
		await file.writev([integers(magic), sizes, integers(bands, filters.length / bands), Buffer.from(filters.buffer)]);
		const words = vocabulary.flatMap((bytes) => [integers(bytes.length), bytes]);
		await file.appendFile(Buffer.concat([integers(vocabulary.length), ...words]));
		for (const [name, tensor] of tensors) await file.appendFile(Buffer.concat([header(name, tensor), tensor.bytes]));
	} finally {
		await file.close();
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [folder, target, ...rest] = process.argv.slice(2);
	if (folder === undefined || target === undefined || rest.length > 0) {
		console.error("Usage: node scripts/transcripts/convert-model.ts FOLDER MODEL.bin");
		process.exit(1);
	}
	await convertModel(folder, target);
	console.log(`${target} is a model of whisper.cpp.`);
}
