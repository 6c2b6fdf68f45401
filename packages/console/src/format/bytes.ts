const units = {
	B: 1,
	kB: 1e3,
	MB: 1e6,
	GB: 1e9,
	TB: 1e12,
	KiB: 1024,
	MiB: 1024 ** 2,
	GiB: 1024 ** 3,
	TiB: 1024 ** 4,
} as const;

/** Bytes in the largest binary unit that says them exactly: "20 GiB", "1000 B". */
export function exactBytes(bytes: number): string {
	const exact = (["TiB", "GiB", "MiB", "KiB"] as const).find((unit) => bytes > 0 && bytes % units[unit] === 0);
	return exact === undefined ? `${bytes} B` : `${bytes / units[exact]} ${exact}`;
}

/** Returns the bytes of a text such as "20 GiB" or "1000"; null if it says none. */
export function readBytes(text: string): number | null {
	const [, digits = "", unit = "B"] = /^(\d+(?:\.\d+)?) ?([kMGT]?i?B)?$/i.exec(text.trim()) ?? [];
	const size = Object.entries(units).find(([name]) => name.toLowerCase() === unit.toLowerCase())?.[1];
	const value = Math.round(Number(digits) * (size ?? Number.NaN));
	return digits !== "" && Number.isSafeInteger(value) ? value : null;
}
