/** Bytes whose every position is known, so that one in a wrong place shows. */
export function pattern(start: number, length: number): Buffer {
	const bytes = Buffer.alloc(length);
	for (let index = 0; index < length; index++) bytes[index] = ((start + index) * 2654435761) >>> 24;
	return bytes;
}
