import { useId, useState } from "react";
import styles from "./field.module.css";

/** A file that somebody chose, or none, and how it is chosen and read. */
export type ChosenFile = {
	readonly file: File | null;
	/** Shows why the file can't be taken, and forgets it: the same one, once it is mended, counts as another choice. */
	refuse(why: string): void;
	/** Returns the file's bytes, or refuses it and returns null if it was changed or moved since it was chosen. */
	read(): Promise<ArrayBuffer | null>;
	/** What the field shows. */
	readonly field: { readonly turn: number; readonly why: string; choose(file: File | null): void };
};

/** Holds the file of a {@link FileField}. `changed` is called with each choice: what was said of the one before is over. */
export function useChosenFile(changed: () => void): ChosenFile {
	const [file, setFile] = useState<File | null>(null);
	const [why, setWhy] = useState("");
	const [turn, setTurn] = useState(0);
	const refuse = (reason: string) => {
		changed();
		setFile(null);
		setWhy(reason);
		setTurn((before) => before + 1);
	};
	return {
		file,
		refuse,
		read: async () => {
			if (file === null) return null;
			return file.arrayBuffer().catch(() => {
				refuse("The file was changed or moved since you chose it. Choose it again.");
				return null;
			});
		},
		field: {
			turn,
			why,
			choose: (chosen) => {
				changed();
				setFile(chosen);
				setWhy("");
			},
		},
	};
}

type FileFieldProps = {
	label: string;
	accept: string;
	hint: string;
	/** What is wrong with the chosen file. */
	error?: string | undefined;
	chosen: ChosenFile;
};

/** Takes one file, and says what is wrong with it, or why the last one was not taken. */
export function FileField({ label, accept, hint, error, chosen: { field } }: FileFieldProps) {
	const id = useId();
	const wrong = error ?? field.why;
	return (
		<>
			<label className="stack">
				<b>{label}</b>
				<input
					key={field.turn}
					type="file"
					accept={accept}
					aria-describedby={id}
					onChange={(event) => field.choose(event.target.files?.[0] ?? null)}
				/>
			</label>
			<p id={id} className="muted small">
				{hint}
			</p>
			{wrong !== "" && (
				<p role="alert" className={styles.error}>
					{wrong}
				</p>
			)}
		</>
	);
}
