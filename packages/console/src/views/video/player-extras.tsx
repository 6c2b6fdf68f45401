import type { Chapter, Player, PlayerState } from "@reelmill/browser/player";
import { Choice } from "../../components/choice.tsx";
import { formatLength } from "../../format/amounts.ts";
import styles from "./player-extras.module.css";
import { seek } from "./seek.ts";

/** The captions of the video, and which of them are shown. The browser's own controls do the same. */
export function Captions({ player, state }: { player: Player; state: PlayerState }) {
	return (
		<div className={styles.captions}>
			<Choice
				label="Captions"
				value={state.shownCaptions === null ? "none" : String(state.shownCaptions)}
				onChange={(value) => player.showCaptions(value === "none" ? null : Number(value))}
				options={[
					{ value: "none", label: "Off" },
					...state.captions.map(({ label, language }, index) => ({
						value: String(index),
						label: label || language || `Captions ${index + 1}`,
					})),
				]}
			/>
		</div>
	);
}

/** The chapters that the uploaded file has: each takes the player to its beginning. */
export function Chapters({ chapters }: { chapters: readonly Chapter[] }) {
	return (
		<section aria-label="Chapters" className={styles.chapters}>
			<h2>Chapters</h2>
			<ol>
				{chapters.map(({ title, start }) => (
					<li key={start}>
						<button type="button" className={styles.chapter} onClick={() => seek(start)}>
							<span className="muted numeric">{formatLength(start)}</span>
							<bdi>{title === "" ? "Without a title" : title}</bdi>
						</button>
					</li>
				))}
			</ol>
		</section>
	);
}
