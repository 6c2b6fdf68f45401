import { useEffect, useState } from "react";
import { useApi } from "../../api/api.tsx";
import { fetchFile } from "../../api/fetch-file.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Problem } from "../../components/problem.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import styles from "./outros.module.css";

/** Plays an outro as it is appended to videos. */
export function Preview({ slug, onClose }: { slug: string | null; onClose: () => void }) {
	return (
		<Dialog title={`Preview of ${slug ?? ""}`} isOpen={slug !== null} onClose={onClose}>
			{slug !== null && <Player slug={slug} />}
		</Dialog>
	);
}

function Player({ slug }: { slug: string }) {
	const { domainId } = useApi();
	const [url, setUrl] = useState<string | null>(null);
	const [error, setError] = useState<unknown>(null);
	useEffect(() => {
		const leaving = new AbortController();
		let made: string | null = null;
		fetchFile(`/v1/outros/${encodeURIComponent(slug)}/preview`, domainId, leaving.signal).then(
			(file) => {
				made = URL.createObjectURL(file);
				setUrl(made);
			},
			(failure: unknown) => leaving.signal.aborted || setError(failure),
		);
		return () => {
			leaving.abort();
			if (made !== null) URL.revokeObjectURL(made);
		};
	}, [slug, domainId]);
	if (error !== null) return <Problem error={error} />;
	if (url === null) return <Skeleton />;
	// biome-ignore lint/a11y/useMediaCaption: An outro is a tail card; it has no captions.
	return <video src={url} controls className={styles.video} aria-label={`The outro ${slug}`} />;
}
