/** A text that lies in a storage, moves with its files, and tells it from every other storage. */
export interface StorageMark {
	/** Returns the mark; `null` if none was ever kept. */
	read(): Promise<string | null>;
	/**
	 * Keeps a mark for good, durably, if none lies there, and returns the one that lies there now. If several are kept at
	 * once, one wins and every call returns it.
	 */
	keep(mark: string): Promise<string>;
}
