import type { Tensor } from "./read-ctranslate2.ts";

const inFloat32 = ({ shape, type, bytes }: Tensor): Tensor => {
	if (type === "float32") return { shape, type, bytes };
	const values = new Float16Array(new Uint8Array(bytes).buffer);
	return { shape, type: "float32", bytes: Buffer.from(Float32Array.from(values).buffer) };
};
const inFloat16 = ({ shape, type, bytes }: Tensor): Tensor => {
	if (type === "float16") return { shape, type, bytes };
	const values = new Float32Array(new Uint8Array(bytes).buffer);
	return { shape, type: "float16", bytes: Buffer.from(Float16Array.from(values).buffer) };
};

/** Cuts a tensor of several projections, one after the other, into them. */
const inParts = ({ shape: [rows = 0, ...more], type, bytes }: Tensor, parts: number): Tensor[] =>
	Array.from({ length: parts }, (_, n) => ({
		shape: [rows / parts, ...more],
		type,
		bytes: bytes.subarray((bytes.length / parts) * n, (bytes.length / parts) * (n + 1)),
	}));

/** The names of one layer's parts: CTranslate2's, and OpenAI's for each projection in it. */
const parts: Readonly<Record<string, readonly string[]>> = {
	"self_attention/linear_0": ["attn.query", "attn.key", "attn.value"],
	"self_attention/linear_1": ["attn.out"],
	"self_attention/layer_norm": ["attn_ln"],
	"attention/linear_0": ["cross_attn.query"],
	"attention/linear_1": ["cross_attn.key", "cross_attn.value"],
	"attention/linear_2": ["cross_attn.out"],
	"attention/layer_norm": ["cross_attn_ln"],
	"ffn/linear_0": ["mlp.0"],
	"ffn/linear_1": ["mlp.2"],
	"ffn/layer_norm": ["mlp_ln"],
};
const singles: Readonly<Record<string, string>> = {
	"encoder/conv1": "encoder.conv1",
	"encoder/conv2": "encoder.conv2",
	"encoder/layer_norm": "encoder.ln_post",
	"encoder/position_encodings": "encoder.positional_embedding",
	"decoder/layer_norm": "decoder.ln",
	"decoder/embeddings": "decoder.token_embedding",
	"decoder/position_encodings": "decoder.positional_embedding",
};
const endings: Readonly<Record<string, string>> = {
	weight: ".weight",
	bias: ".bias",
	gamma: ".weight",
	beta: ".bias",
	encodings: "",
};

function namesOf(name: string): string[] {
	const cut = name.lastIndexOf("/");
	const [place, ending] = [name.slice(0, cut), endings[name.slice(cut + 1)]];
	const [, side, layer, part = ""] = /^(encoder|decoder)\/layer_(\d+)\/(.+)$/.exec(place) ?? [];
	const single = singles[place];
	const found = single === undefined ? parts[part]?.map((one) => `${side}.blocks.${layer}.${one}`) : [single];
	if (found === undefined || ending === undefined) throw new Error(`${name} is no part of Whisper.`);
	return found.map((one) => one + ending);
}

/**
 * Returns the tensors by OpenAI's names and in the types that whisper.cpp takes: the projections of an attention one by
 * one, matrices in 16 bits, and biases, norms and positions in 32 bits.
 * @throws {Error} when a tensor is no part of Whisper
 */
export function ggmlTensors(tensors: ReadonlyMap<string, Tensor>): Map<string, Tensor> {
	const made = new Map<string, Tensor>();
	for (const [name, tensor] of tensors) {
		if (name === "decoder/projection/weight") continue; // the same as the embeddings
		const names = namesOf(name);
		for (const [n, part] of inParts(tensor, names.length).entries()) {
			const ours = names[n] ?? "";
			if (/attn\.key\.bias$/.test(ours)) continue; // it is zero
			if (/conv\d\.bias$/.test(ours)) made.set(ours, { ...inFloat32(part), shape: [...part.shape, 1] });
			else if (part.shape.length < 2 || /positional/.test(ours)) made.set(ours, inFloat32(part));
			else made.set(ours, inFloat16(part));
		}
	}
	return made;
}
