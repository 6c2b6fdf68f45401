import type { Tracer } from "../ports/index.ts";

/** What an engine holds beside its nouns. */
const ports: readonly string[] = ["clock", "random", "logger", "tracer"];

/**
 * Returns the same engine. If it is traced, each function of a noun that is called inside of a span is a span of its
 * own, named after both: `videos.create`.
 */
export function traced<Engine extends object>(tracer: Tracer | undefined, engine: Engine): Engine {
	if (tracer === undefined) return engine;
	const nouns = Object.entries(engine).map(([name, noun]: [string, unknown]) => {
		const isNoun = typeof noun === "object" && noun !== null && !ports.includes(name);
		return [name, isNoun ? tracedNoun(tracer, name, noun) : noun] as const;
	});
	return Object.fromEntries(nouns) as Engine;
}

function tracedNoun(tracer: Tracer, name: string, noun: object): object {
	const properties = Object.entries(Object.getOwnPropertyDescriptors(noun)).map(([key, property]) => {
		const call: unknown = property.value;
		if (typeof call !== "function") return [key, property] as const;
		const value = (...all: unknown[]): unknown =>
			tracer.isRecording() ? tracer.span(`${name}.${key}`, {}, () => call.apply(noun, all)) : call.apply(noun, all);
		return [key, { ...property, value }] as const;
	});
	return Object.defineProperties({}, Object.fromEntries(properties)) as object;
}
