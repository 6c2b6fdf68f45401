/** Resolves to what `asked` resolves to; `null` if it rejects or takes longer. */
export async function within<T>(asked: Promise<T>, milliseconds: number): Promise<T | null> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<null>((resolve) => {
		timer = setTimeout(() => resolve(null), milliseconds);
	});
	try {
		return await Promise.race([asked.catch(() => null), late]);
	} finally {
		clearTimeout(timer);
	}
}
