import { Search } from "lucide-react";
import { type ComponentType, useCallback, useEffect, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { flushSync } from "react-dom";
import { useConnection } from "../api/connection.ts";
import dialog from "../components/dialog.module.css";
import { Problem } from "../components/problem.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { loadPart } from "../loading/load-part.ts";
import styles from "./lazy-palette.module.css";
import type { PaletteProps } from "./palette.tsx";
import { paletteWords } from "./palette-words.ts";

let Loaded: ComponentType<PaletteProps> | null = null;
let loading: Promise<void> | undefined;

/** Loads the palette's code, once for all who ask meanwhile. */
function load(): Promise<void> {
	loading ??= loadPart(() => import("./palette.tsx")).then(
		(part) => {
			Loaded = part.Palette;
		},
		(error: unknown) => {
			loading = undefined;
			throw error;
		},
	);
	return loading;
}

/**
 * The palette, with its field at once. What is found comes as soon as its code is here, and begins with what was typed
 * until then. If the code can't be loaded, the reason stands in its place.
 */
export function LazyPalette({ onClose }: Pick<PaletteProps, "onClose">) {
	const [Palette, setPalette] = useState(() => Loaded);
	const [error, setError] = useState<unknown>(null);
	const [text, setText] = useState("");
	// The field of somebody who is in the middle of a character is not replaced.
	const [isComposing, setComposing] = useState(false);
	const begin = useCallback(() => {
		setError(null);
		// At once: a key that is pressed between the two fields would go to neither.
		load().then(() => flushSync(() => setPalette(() => Loaded)), setError);
	}, []);
	useEffect(begin, [begin]);
	return (
		<ModalOverlay className={dialog.veil ?? ""} isOpen onOpenChange={(open) => !open && onClose()} isDismissable>
			<Modal className={dialog.modal ?? ""}>
				<Dialog aria-label={paletteWords.name} className={styles.palette ?? ""}>
					{Palette !== null && !isComposing ? (
						<Palette text={text} onClose={onClose} />
					) : (
						<>
							<div className={styles.field}>
								<Search size={16} aria-hidden />
								<input
									type="search"
									aria-label={paletteWords.name}
									autoFocus
									placeholder={paletteWords.placeholder}
									value={text}
									onChange={(event) => setText(event.currentTarget.value)}
									onCompositionStart={() => setComposing(true)}
									onCompositionEnd={(event) => {
										setText(event.currentTarget.value);
										setComposing(false);
									}}
								/>
							</div>
							<div className={styles.until}>
								{error === null ? (
									<Until />
								) : (
									<Problem error={error} advice="Try again. If it stays, reload the page." onRetry={begin} />
								)}
							</div>
						</>
					)}
				</Dialog>
			</Modal>
		</ModalOverlay>
	);
}

/** Shown until the code is loaded. */
const Until = () =>
	useConnection() === "found" ? (
		<Skeleton lines={3} />
	) : (
		<p role="status" className="muted">
			The server does not answer. The search comes when it is back.
		</p>
	);
