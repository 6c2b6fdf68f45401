import { errorFromAnswer } from "@reelmill/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { useObjectUrl } from "../../playback/use-delivered.ts";
import styles from "./frames.module.css";

const step = 12;

/** The pictures for moderators, a few at a time. Nothing is shown of a video for which none were asked. */
export function Frames({ id }: { id: string }) {
	const [count, setCount] = useState(step);
	const { domainId } = useApi();
	const { data: frames, error } = useQuery({
		queryKey: [domainId, "frames", id, count],
		queryFn: ({ signal }) => readFrames({ domainId, id, count, signal }),
		staleTime: Number.POSITIVE_INFINITY,
		placeholderData: (before) => before,
	});
	if (error !== null)
		return (
			<Panel title="Moderation frames">
				<Problem error={error} />
			</Panel>
		);
	if (frames === undefined || frames.length === 0) return null;
	return (
		<Panel title="Moderation frames">
			<div className="stack">
				<div className={styles.frames}>
					{frames.map((frame, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: A frame is its number.
						<Frame key={index} bytes={frame} number={index + 1} />
					))}
				</div>
				{frames.length === count && (
					<div>
						<Button onPress={() => setCount(count + step)}>Show more frames</Button>
					</div>
				)}
			</div>
		</Panel>
	);
}

function Frame({ bytes, number }: { bytes: Blob; number: number }) {
	const address = useObjectUrl(bytes);
	return address && <img className={styles.frame} src={address} alt={`Frame ${number}`} />;
}

type Wanted = { domainId: string | null; id: string; count: number; signal: AbortSignal };

/** Reads frames from the first one on. There is one for every key frame: the first that is missing ends them. */
async function readFrames({ domainId, id, count, signal }: Wanted): Promise<Blob[]> {
	const frames: Blob[] = [];
	while (frames.length < count) {
		const name = `${String(frames.length + 1).padStart(5, "0")}.jpg`;
		const answer = await fetch(`/v1/videos/${id}/frames/${name}`, {
			headers: { "x-service-console": "1", "x-service-domain": domainId ?? "" },
			credentials: "same-origin",
			signal,
		});
		if (answer.status === 404) break;
		if (!answer.ok) throw errorFromAnswer({ status: answer.status, body: await answer.text() });
		frames.push(await answer.blob());
	}
	return frames;
}
