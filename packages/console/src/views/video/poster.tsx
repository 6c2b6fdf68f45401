import type { CallResult } from "@reelmill/client";
import { type ReactNode, useState } from "react";
import { useAction, useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatLength } from "../../format/amounts.ts";
import { pictureHere } from "../../playback/served-here.ts";
import { useDelivered, useObjectUrl } from "../../playback/use-delivered.ts";
import styles from "./poster.module.css";
import { changedByPoster, PutPoster } from "./put-poster.tsx";

type PosterView = CallResult<"getVideoPoster">;

/** The picture that stands for the video: to be chosen, and to be left to the transcoder again. */
export function Poster({ id }: { id: string }) {
	const query = useCall(
		"getVideoPoster",
		{ params: { id } },
		{ every: (poster) => (poster?.state === "pending" ? 2000 : 30_000) },
	);
	const [isChoosing, setIsChoosing] = useState(false);
	return (
		<Panel
			title="Poster"
			actions={
				<>
					{query.data?.source && <GoBack id={id} />}
					<Button onPress={() => setIsChoosing(true)}>Choose a poster</Button>
				</>
			}
		>
			<Loaded query={query}>
				{(poster) => (
					<div className={styles.poster}>
						<Picture id={id} url={poster.poster_url ?? poster.thumbnail_url} label="The poster" />
						{poster.preview_url && <Picture id={id} url={poster.preview_url} label="The moving preview" />}
						<p role="status">{said(poster)}</p>
					</div>
				)}
			</Loaded>
			<PutPoster id={id} isOpen={isChoosing} onClose={() => setIsChoosing(false)} />
		</Panel>
	);
}

function Picture({ id, url, label }: { id: string; url: string | null; label: string }) {
	const address = useObjectUrl(useDelivered(url && pictureHere(id, url)).data);
	return address && <img className={styles.picture} src={address} alt={label} />;
}

const chosen = ({ source, at_seconds }: PosterView): string =>
	source === "frame" ? `the frame at ${formatLength(at_seconds ?? 0)}` : "your picture";

function said(poster: PosterView): ReactNode {
	switch (poster.state) {
		case "automatic":
			return "Chosen automatically when the video was processed.";
		case "pending":
			return `Being made of ${chosen(poster)}. Viewers see the one before until then.`;
		case "available":
			return `Made of ${chosen(poster)}.`;
		case "failed":
			return poster.failure_reason === "picture_unreadable"
				? "Your picture can't be read. Save it as a JPEG, and choose it again."
				: `No poster could be made of ${chosen(poster)}. Choose it again.`;
	}
}

function GoBack({ id }: { id: string }) {
	const [isAsked, setIsAsked] = useState(false);
	const remove = useAction("deletePoster", { changes: [...changedByPoster], onSuccess: () => setIsAsked(false) });
	return (
		<>
			<Button onPress={() => setIsAsked(true)}>Use the automatic one</Button>
			<Confirm
				title="Use the automatic poster?"
				verb="Use the automatic poster"
				isOpen={isAsked}
				isPending={remove.isPending}
				error={remove.error}
				onConfirm={() => remove.mutate({ params: { id } })}
				onClose={() => setIsAsked(false)}
			>
				<p>Viewers see it within a minute. The one that you chose, and its moving preview, are deleted.</p>
			</Confirm>
		</>
	);
}
