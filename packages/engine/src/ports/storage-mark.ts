/** What tells one storage from every other: a text that lies in it, and moves with its files. */
export interface StorageMark {
	/** The mark; null where none was ever kept. */
	read(): Promise<string | null>;
	/**
	 * Keeps a mark for good, durably, where none lies there, and returns the one that lies there now. Of several at once,
	 * one wins and all return it.
	 */
	keep(mark: string): Promise<string>;
}
