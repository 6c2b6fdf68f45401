/** The number of the list of programmes (PAT). */
const listNumber = 0;
/** More tables than these are damage, or an attack on the memory: they are left out. */
const mostTables = 1000;

/** Returns the bytes of a packet from the section on that begins in it; `null` if none does. */
function sectionOf(packet: Buffer): Buffer | null {
	const [, head = 0, , control = 0] = packet;
	if ((head & 0x40) === 0 || (control & 0x10) === 0) return null;
	const start = 4 + ((control & 0x20) === 0 ? 0 : 1 + (packet[4] ?? 0));
	const section = packet.subarray(start + 1 + (packet[start] ?? 0));
	return section.length < 12 ? null : section;
}

/** Calculates the sum of a section's bytes (CRC-32 of ISO/IEC 13818-1, annex A). It is 0 with the sum that they end with. */
function sumOf(section: Buffer): number {
	let sum = 0xffffffff;
	for (const byte of section) {
		sum ^= byte << 24;
		for (let bit = 0; bit < 8; bit += 1) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
	}
	return sum;
}

/** Returns the numbers of the streams in a table of a programme (PMT), as far as its bytes go. */
function streamsOf(section: Buffer, length: number): number[] {
	const found: number[] = [];
	const end = Math.min(length - 4, section.length - 4);
	for (let at = 12 + (section.readUInt16BE(10) & 0xfff); at < end; at += 5 + (section.readUInt16BE(at + 3) & 0xfff))
		found.push(section.readUInt16BE(at + 1) & 0x1fff);
	return found;
}

/**
 * Chooses the tables of an MPEG-TS whose streams get the numbers of its first recording: its list of programmes once,
 * and each version of each table once, but those that name a number which is replaced. What is damaged is left out.
 * @param tables the numbers of the tables of programmes
 * @param replaced the numbers of streams that are replaced
 */
export function createTableFilter(tables: readonly number[], replaced: ReadonlySet<number>) {
	const known = new Set([listNumber, ...tables]);
	const seen = new Set<string>();
	const areKept = new Map<number, boolean>();
	const isNew = (number: number, section: Buffer): boolean => {
		const length = 3 + (section.readUInt16BE(1) & 0xfff);
		// A section that goes on in further packets is judged by its beginning.
		if (length <= section.length && sumOf(section.subarray(0, length)) !== 0) return false;
		const [, , , , , version = 0, part = 0] = section;
		const name = number === listNumber ? `list ${part}` : [number, section.readUInt16BE(3), version, part].join();
		if (seen.has(name) || seen.size >= mostTables) return false;
		if (number !== listNumber && streamsOf(section, length).some((stream) => replaced.has(stream))) return false;
		seen.add(name);
		return true;
	};
	/** Says whether a packet is written. Every packet that is of no table is. */
	return (number: number, packet: Buffer): boolean => {
		if (!known.has(number)) return true;
		const section = sectionOf(packet);
		if (section !== null) areKept.set(number, isNew(number, section));
		return areKept.get(number) ?? false;
	};
}
