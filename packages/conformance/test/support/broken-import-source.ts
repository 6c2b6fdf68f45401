import { type ImportAnswer, type ImportSource, ImportSourceError } from "@reelmill/engine/ports";

type Made = { readonly guarded: ImportSource; readonly allowing: ImportSource };
type Flaw = {
	readonly flaw: string;
	/** The name of the case that must notice. */
	readonly noticedBy: string;
	make(real: Made): Made;
};

/** A source as a careless author writes it: a list of prefixes, and fetch, which follows redirects by itself. */
const naive: ImportSource = {
	async open({ url, offset, validator }, signal): Promise<ImportAnswer> {
		if (/^http:\/\/(10|169|localhost)/.test(url)) throw new ImportSourceError("address_refused", "blocked");
		const headers = { range: `bytes=${offset}-`, ...(validator !== null && { "if-range": validator }) };
		const response = await fetch(url, { headers, signal }).catch(() => {
			throw new ImportSourceError("address_unreachable", "unreachable");
		});
		return { size: null, contentType: null, validator: null, offset, bytes: response.body as never };
	},
	refusal: () => null,
	async close() {},
};

const allowing = (real: Made, open: ImportSource["open"]): Made => ({ ...real, allowing: { ...real.allowing, open } });

export const brokenImportSources: readonly Flaw[] = [
	{
		flaw: "knows blocked addresses by how they are usually written",
		noticedBy: "refuses a name that stands for a blocked address, and opens no connection",
		make: (real) => ({ ...real, guarded: naive }),
	},
	{
		flaw: "checks the first address alone",
		noticedBy: "reaches what the operator allowed, and still refuses the rest, also where it is redirected to it",
		make: (real) => allowing(real, naive.open),
	},
	{
		flaw: "doesn't ask whether it is the same file",
		noticedBy: "gives the whole new file where another one has taken its place",
		make: (real) => allowing(real, (request, signal) => real.allowing.open({ ...request, validator: null }, signal)),
	},
	{
		flaw: "ends quietly where the connection breaks",
		noticedBy: "throws while bytes come, if the connection breaks off before the file's end",
		make: (real) =>
			allowing(real, async (request, signal) => {
				const { bytes, ...answer } = await real.allowing.open(request, signal);
				const quiet = async function* () {
					try {
						yield* bytes;
					} catch {}
				};
				return { ...answer, bytes: quiet() };
			}),
	},
	{
		flaw: "tells the whole address in its errors",
		noticedBy:
			"tells what the origin refuses for good from what it can't give now, and nothing of the address but its host",
		make: (real) =>
			allowing(real, (request, signal) =>
				real.allowing.open(request, signal).catch((error: ImportSourceError) => {
					const { code, isFinal, retryAfterSeconds } = error;
					throw new ImportSourceError(code, `${request.url}: ${error.message}`, { isFinal, retryAfterSeconds });
				}),
			),
	},
];
